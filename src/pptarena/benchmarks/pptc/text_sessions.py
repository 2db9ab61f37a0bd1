"""Sessions of PPTC and PPTC-R in text form: files of instructions and of labels."""

import re
from collections.abc import Iterator
from pathlib import Path

from pptarena.benchmarks.pptc.session import Session, Turn, TurnFiles, make_turn
from pptarena.benchmarks.pptc.translated_labels import find_labels, with_labels
from pptarena.benchmarks.pptc.wordings import TEXT_PATTERN, Wordings
from pptarena.benchmarks.user_copy import UserCopy
from pptarena.errors import TaskError

__all__ = ["sessions_in_text", "text_folders"]

_FOLDERS = {"Create_new_slides": "test/short", "Edit_PPT_template": "test/long"}
_LABELS, _ORIGINAL = "api_labels.txt", "instructions"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def text_folders(path: Path) -> dict[str, Path]:
    """Return the folders of a copy that contain labels as text, by data set."""
    folders = {name: path / folder for name, folder in _FOLDERS.items()}
    return {name: folder for name, folder in folders.items() if (folder / _LABELS).is_file()}


def sessions_in_text(path: Path, name: str, label: str = "") -> Iterator[tuple[Session, ...]]:
    """Yield the sessions of each data set of a copy.

    Labels are in ``test/short/api_labels.txt`` and ``test/long/api_labels.txt``, one turn per line,
    with an empty line between sessions; files of instructions next to them have the same lines.
    Reworded instructions use the position relations of ``instructions.txt`` if that exists, and the
    labels in the same language if there are any; see `find_labels`.

    Args:
        path: Root of the copy.
        name: Name of the instructions: ``instructions``, or a rewording such as ``noisy`` or
            ``robust0``.
        label: Name of the labels; empty for the labels that belong to the instructions.

    Raises:
        TaskError: If there are no such files, or they do not match the labels.
    """
    for option, value in (("instructions", name), ("labels", label or name)):
        if not _NAME.fullmatch(value):
            raise TaskError(f"{option}: expected a file or the name of one, got {value[:80]!r}")
    copy = UserCopy(path)
    available = {
        dataset: folder
        for dataset, folder in text_folders(copy.root).items()
        if (folder / f"{name}.txt").is_file()
    }
    if not available:
        names = sorted(
            {
                file.stem
                for folder in text_folders(copy.root).values()
                for file in folder.glob(TEXT_PATTERN)
                if "label" not in file.stem.casefold()
            }
        )
        raise TaskError(
            f"{path}: expected {name}.txt and {_LABELS} in {' or '.join(_FOLDERS.values())}; "
            f"instructions found: {', '.join(names) or 'none'}"
        )
    for dataset, folder in available.items():
        yield _sessions(copy, dataset, folder, name, label)


def _sessions(
    copy: UserCopy, dataset: str, folder: Path, name: str, label: str
) -> tuple[Session, ...]:
    prefix = folder.relative_to(copy.root).as_posix()
    labels = Wordings.read(copy, f"{prefix}/{_LABELS}")
    names = (
        [name]
        if name == _ORIGINAL or not (folder / f"{_ORIGINAL}.txt").is_file()
        else [_ORIGINAL, name]
    )
    plain, *wordings = (Wordings.read(copy, f"{prefix}/{wording}.txt") for wording in names)
    if len(plain) != len(labels):
        raise TaskError(
            f"{prefix}/{names[0]}.txt: expected {len(labels)} sessions as in {_LABELS}, "
            f"got {len(plain)}"
        )
    path = f"{prefix}/{label}.txt" if label else find_labels(copy.root, f"{prefix}/{name}.txt")
    own_labels = None
    if path is not None and path != f"{prefix}/{_LABELS}":
        own_labels = Wordings.read(copy, path)
    sessions = []
    for number in range(len(labels)):
        session = Session(dataset, number, _turns(dataset, number, plain, labels))
        for wording in wordings:
            session = wording.reword(session)
        sessions.append(session if own_labels is None else with_labels(session, own_labels))
    return tuple(sessions)


def _turns(dataset: str, number: int, plain: Wordings, labels: Wordings) -> tuple[Turn, ...]:
    instructions, calls = plain.lines(number), labels.lines(number)
    if len(instructions) != len(calls):
        raise TaskError(
            f"{plain.name}: session {number}: expected {len(calls)} turns as in {_LABELS}, "
            f"got {len(instructions)}"
        )
    try:
        return tuple(
            make_turn(index, instruction, label, _files(dataset, number, index))
            for index, (instruction, label) in enumerate(zip(instructions, calls, strict=True))
        )
    except TaskError as error:
        raise TaskError(f"{plain.name}: session {number}: {error}") from error


def _files(dataset: str, number: int, turn: int) -> TurnFiles:
    """Return the paths of a turn's decks in the benchmark's own program."""
    bases, labels = f"PPT_Base_File/{dataset}", f"PPT_Label_File/{dataset}"
    name = f"{number}_{turn}.pptx"
    return TurnFiles(
        *(f"{bases}/{name}", f"{labels}/{name}"),
        *(f"{bases}_API_lack/{name}", f"{labels}_API_lack/{name}"),
    )
