"""A user's copy of PPTC: its sessions, and the decks that lie beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pptarena.benchmarks.pptc.executor import Executor, label_decks
from pptarena.benchmarks.pptc.session import Session, Turn, load_sessions
from pptarena.errors import DeckError, TaskError

__all__ = ["DATASETS", "Step", "sessions_of", "steps_of"]

DATASETS = ("Create_new_slides", "Edit_PPT_template")
"""The folders of sessions, by name."""

_EDIT = "Edit"
_INPUT = "PPT_test_input"
_TEMPLATES = "long_slides"


@dataclass(frozen=True, slots=True)
class Step:
    """One turn with its decks.

    Attributes:
        turn: The turn.
        base: The deck before it, by the labels so far.
        label: The deck after it, by its label.
        made: Whether the label's deck was made here, by its calls, and not found in the copy.
        failed: The label's calls that could not be carried out.
        prelude: Calls that choose what the labels before have chosen.
    """

    turn: Turn
    base: bytes
    label: bytes
    made: bool
    failed: tuple[str, ...]
    prelude: str


def sessions_of(path: Path) -> Iterator[tuple[Path, tuple[Session, ...]]]:
    """Yield each folder of sessions in a copy, and what is in it.

    Args:
        path: The repository, its ``PPT_test_input``, or one folder of sessions.

    Raises:
        TaskError: If there are no sessions, or one is malformed.
    """
    path = path.expanduser().resolve()
    places = [base / name for base in (path / _INPUT, path) for name in DATASETS]
    found = [place for place in places if place.is_dir()]
    if not found:
        found = [path]
    for folder in found:
        yield folder, load_sessions(folder)


def steps_of(session: Session, folder: Path) -> tuple[Step, ...]:
    """Return the turns of a session with their decks.

    Decks of labels that the copy has are taken from it; all others are made by carrying out the
    labels' calls one after the other.

    Args:
        session: The session.
        folder: Where its file lies.

    Raises:
        TaskError: If the deck that it starts from is missing.
        DeckError: If a deck of the copy cannot be read.
    """
    root = folder.parent.parent if folder.parent.name == _INPUT else folder.parent
    start = _start(session, root)
    base = Executor().to_bytes() if start is None else start
    steps = []
    for turn, made in zip(session.turns, label_decks(session, start), strict=True):
        own = _file(root / turn.files.label)
        label = made.deck if own is None else own
        failed = tuple(str(error) for error in made.errors)
        steps.append(Step(turn, base, label, own is None, failed, made.prelude))
        base = label
    return tuple(steps)


def _start(session: Session, root: Path) -> bytes | None:
    """Return the template that a session edits; None for a new deck."""
    if not session.dataset.startswith(_EDIT):
        return None
    names = (session.turns[0].files.base, f"{_TEMPLATES}/{session.number}.pptx")
    for name in filter(None, names):
        if (found := _file(root / name)) is not None:
            return found
    raise TaskError(
        f"{session.dataset}/session_{session.number}.json: expected the deck that it edits at "
        f"{' or '.join(filter(None, names))}, below {root}"
    )


def _file(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise DeckError(f"{path}: {error}") from error
