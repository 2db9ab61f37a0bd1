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

_LABEL_WORDS: Final = frozenset(("api", "apis", "label", "labels"))
_INSTRUCTION_WORDS: Final = frozenset(("instruction", "instructions"))
_TYPING: Final = ("insert_text", "insert_bullet_point", "insert_note")
_MIN_SHARE: Final = 0.5


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
    language = _name_words(file.stem) - _INSTRUCTION_WORDS
    folders = [
        path_
        for path_ in (*_label_folders(file.parent), *_label_folders(file.parent.parent))
        if path_
    ]
    folders_inside = [path_ for path_ in folders if path_.resolve().is_relative_to(root.resolve())]
    matches = [
        path_
        for path_ in file.parent.glob(f"*{file.suffix}")
        if _name_words(path_.stem) & _LABEL_WORDS
        and _name_words(path_.stem) - _LABEL_WORDS == language
    ]
    matches += [
        path_
        for folder in folders_inside
        for path_ in folder.glob(f"*{file.suffix}")
        if _name_words(path_.stem) - _LABEL_WORDS - _INSTRUCTION_WORDS == language
    ]
    paths = sorted({path_.relative_to(root).as_posix() for path_ in matches if path_.is_file()})
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
    lines = labels.lines(session.number)
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
    instructions = " ".join(turn.instruction for turn in session.turns).casefold()
    typed = [
        word.strip(".,;:!?'\"()")
        for turn in session.turns
        for call in turn.calls
        if call.name in _TYPING
        for text in call.args
        for word in _typed_words(text)
    ]
    return sum(word in instructions for word in typed) >= _MIN_SHARE * len(typed)


def _typed_words(argument: Argument) -> list[str]:
    return argument.casefold().split() if isinstance(argument, str) else []


def _label_folders(folder: Path) -> list[Path]:
    """Return the folders of labels in a folder."""
    return [
        entry
        for entry in folder.glob("*")
        if _name_words(entry.name) & _LABEL_WORDS and entry.is_dir()
    ]


def _name_words(name: str) -> frozenset[str]:
    stem = PurePosixPath(name).name.casefold()
    return frozenset(filter(None, re.split(r"[^a-z0-9]+", stem)))
