"""Labels in the language of other instructions: where they are, and whether labels fit."""

import re
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from pptarena.benchmarks.pptc.calls import Argument, parse_label
from pptarena.benchmarks.pptc.session import Session, TurnFiles
from pptarena.benchmarks.pptc.wordings import Wordings
from pptarena.errors import TaskError

__all__ = ["fits_labels", "labels_beside", "with_labels"]

_OF_LABELS: Final = frozenset(("api", "apis", "label", "labels"))
_OF_INSTRUCTIONS: Final = frozenset(("instruction", "instructions"))
_TYPING: Final = ("insert_text", "insert_bullet_point", "insert_note")
_LEAST_SHARE: Final = 0.5


def labels_beside(root: Path, path: str) -> str | None:
    """Return the path of the labels that are in the language of some instructions.

    They have the name of the instructions with a word for labels, such as ``french_api_labels.txt``
    or ``labels_french.txt`` for ``french.txt``, in the same folder; or the same name in a folder of
    labels, such as ``labels/french.txt``, in it or beside it.

    Args:
        root: The folder that the paths begin at; nothing outside is looked at.
        path: That of the instructions.

    Raises:
        TaskError: If there are several.
    """
    file = root / path
    language = _words(file.stem) - _OF_INSTRUCTIONS
    folders = [each for each in (*_folders(file.parent), *_folders(file.parent.parent)) if each]
    inside = [each for each in folders if each.resolve().is_relative_to(root.resolve())]
    found = [
        each
        for each in file.parent.glob(f"*{file.suffix}")
        if _words(each.stem) & _OF_LABELS and _words(each.stem) - _OF_LABELS == language
    ]
    found += [
        each
        for folder in inside
        for each in folder.glob(f"*{file.suffix}")
        if _words(each.stem) - _OF_LABELS - _OF_INSTRUCTIONS == language
    ]
    paths = sorted({each.relative_to(root).as_posix() for each in found if each.is_file()})
    if len(paths) > 1:
        raise TaskError(
            f"{path}: expected one file of labels in its language, found {', '.join(paths)}; "
            "choose one with --labels"
        )
    return paths[0] if paths else None


def with_labels(session: Session, labels: Wordings) -> Session:
    """Return a session with other labels; the benchmark's decks of the old ones are left out.

    Raises:
        TaskError: If there are not as many as the session has turns, or one is too long.
    """
    lines = labels.of_session(session.number)
    if len(lines) != len(session.turns):
        raise TaskError(
            f"{labels.name}: session {session.number}: expected {len(session.turns)} labels, one a "
            f"turn, got {len(lines)}"
        )
    turns = [
        replace(
            turn,
            calls=parse_label(line),
            files=TurnFiles(turn.files.base, "", turn.files.lack_base, ""),
        )
        for turn, line in zip(session.turns, lines, strict=True)
    ]
    return replace(session, turns=tuple(turns))


def fits_labels(session: Session) -> bool:
    """Return whether the words that a session's labels type are those of its instructions.

    In PPTC's own sessions more than 90 % of them are; of labels in another language next to none.
    """
    said = " ".join(turn.instruction for turn in session.turns).casefold()
    typed = [
        word.strip(".,;:!?'\"()")
        for turn in session.turns
        for call in turn.calls
        if call.name in _TYPING
        for text in call.args
        for word in _typed(text)
    ]
    return sum(word in said for word in typed) >= _LEAST_SHARE * len(typed)


def _typed(argument: Argument) -> list[str]:
    return argument.casefold().split() if isinstance(argument, str) else []


def _folders(folder: Path) -> list[Path]:
    """Return the folders of labels in a folder."""
    return [each for each in folder.glob("*") if _words(each.name) & _OF_LABELS and each.is_dir()]


def _words(name: str) -> frozenset[str]:
    stem = PurePosixPath(name).name.casefold()
    return frozenset(filter(None, re.split(r"[^a-z0-9]+", stem)))
