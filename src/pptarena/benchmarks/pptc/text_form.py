"""Sessions of PPTC and PPTC-R in text form: files of instructions and of labels."""

import re
from collections.abc import Iterator
from pathlib import Path

from pptarena.benchmarks.pptc.session import Session, Turn, TurnFiles, turn_of
from pptarena.benchmarks.pptc.translated import find_labels, with_labels
from pptarena.benchmarks.pptc.wordings import WORDS, Wordings
from pptarena.benchmarks.user_copy import UserCopy
from pptarena.errors import TaskError

__all__ = ["sessions_in_text", "text_folders"]

_FOLDERS = {"Create_new_slides": "test/short", "Edit_PPT_template": "test/long"}
_LABELS, _PLAIN = "api_labels.txt", "instructions"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def text_folders(path: Path) -> dict[str, Path]:
    """Return the folders of a copy that contain labels as text, by data set."""
    found = {name: path / folder for name, folder in _FOLDERS.items()}
    return {name: folder for name, folder in found.items() if (folder / _LABELS).is_file()}


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
    for what, given in (("instructions", name), ("labels", label or name)):
        if not _NAME.fullmatch(given):
            raise TaskError(f"{what}: expected a file or the name of one, got {given[:80]!r}")
    copy = UserCopy(path)
    have = {
        dataset: folder
        for dataset, folder in text_folders(copy.root).items()
        if (folder / f"{name}.txt").is_file()
    }
    if not have:
        names = sorted(
            {
                each.stem
                for folder in text_folders(copy.root).values()
                for each in folder.glob(WORDS)
                if "label" not in each.stem.casefold()
            }
        )
        raise TaskError(
            f"{path}: expected {name}.txt and {_LABELS} in {' or '.join(_FOLDERS.values())}; "
            f"instructions found: {', '.join(names) or 'none'}"
        )
    for dataset, folder in have.items():
        yield _sessions(copy, dataset, folder, name, label)


def _sessions(
    copy: UserCopy, dataset: str, folder: Path, name: str, label: str
) -> tuple[Session, ...]:
    place = folder.relative_to(copy.root).as_posix()
    labels = Wordings.of(copy, f"{place}/{_LABELS}")
    others = (
        [name] if name == _PLAIN or not (folder / f"{_PLAIN}.txt").is_file() else [_PLAIN, name]
    )
    plain, *wordings = (Wordings.of(copy, f"{place}/{each}.txt") for each in others)
    if len(plain) != len(labels):
        raise TaskError(
            f"{place}/{others[0]}.txt: expected {len(labels)} sessions as in {_LABELS}, "
            f"got {len(plain)}"
        )
    path = f"{place}/{label}.txt" if label else find_labels(copy.root, f"{place}/{name}.txt")
    own = None
    if path is not None and path != f"{place}/{_LABELS}":
        own = Wordings.of(copy, path)
    found = []
    for number in range(len(labels)):
        session = Session(dataset, number, _turns(dataset, number, plain, labels))
        for each in wordings:
            session = each.worded(session)
        found.append(session if own is None else with_labels(session, own))
    return tuple(found)


def _turns(dataset: str, number: int, plain: Wordings, labels: Wordings) -> tuple[Turn, ...]:
    asked, calls = plain.of_session(number), labels.of_session(number)
    if len(asked) != len(calls):
        raise TaskError(
            f"{plain.name}: session {number}: expected {len(calls)} turns as in {_LABELS}, "
            f"got {len(asked)}"
        )
    try:
        return tuple(
            turn_of(at, words, label, _files(dataset, number, at))
            for at, (words, label) in enumerate(zip(asked, calls, strict=True))
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
