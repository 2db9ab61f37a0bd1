"""Labels in the language of translated instructions: find them, and check that labels fit."""

import re
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from pptarena.benchmarks.pptc.calls import Argument, parse_label
from pptarena.benchmarks.pptc.session import Session, TurnFiles
from pptarena.benchmarks.pptc.wordings import Wordings
from pptarena.errors import TaskError

__all__ = ["find_labels", "fits_labels", "with_labels"]

_OF_LABELS: Final = frozenset(("api", "apis", "label", "labels"))
_OF_INSTRUCTIONS: Final = frozenset(("instruction", "instructions"))
_TYPING: Final = ("insert_text", "insert_bullet_point", "insert_note")
_LEAST_SHARE: Final = 0.5


def find_labels(root: Path, path: str) -> str | None:
    """Return the path of the labels in the language of some instructions; None if there are none.

    The labels of ``french.txt`` are a file such as ``french_api_labels.txt`` or
    ``labels_french.txt`` in the same folder, or ``french.txt`` in a folder such as ``labels``
    inside this folder or next to it.

    Args:
        root: The folder that paths are relative to; files outside are never returned.
        path: The path of the instructions.

    Raises:
        TaskError: If several files fit.
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
    """Return a session with other labels, without the benchmark's decks for the old labels.

    Raises:
        TaskError: If the session does not have as many turns, or a label is too long.
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
    """Return whether the text typed by a session's labels appears in its instructions.

    More than 90 % of the typed words do in PPTC's own sessions, and almost none if the labels are
    in another language.
    """
    asked = " ".join(turn.instruction for turn in session.turns).casefold()
    typed = [
        word.strip(".,;:!?'\"()")
        for turn in session.turns
        for call in turn.calls
        if call.name in _TYPING
        for text in call.args
        for word in _typed(text)
    ]
    return sum(word in asked for word in typed) >= _LEAST_SHARE * len(typed)


def _typed(argument: Argument) -> list[str]:
    return argument.casefold().split() if isinstance(argument, str) else []


def _folders(folder: Path) -> list[Path]:
    """Return the folders of labels in a folder."""
    return [each for each in folder.glob("*") if _words(each.name) & _OF_LABELS and each.is_dir()]


def _words(name: str) -> frozenset[str]:
    stem = PurePosixPath(name).name.casefold()
    return frozenset(filter(None, re.split(r"[^a-z0-9]+", stem)))
