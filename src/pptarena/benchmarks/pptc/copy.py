"""A user's copy of PPTC: its sessions and their decks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pptarena.benchmarks.outcome import RefusedError
from pptarena.benchmarks.pptc.executor import Executor, label_decks
from pptarena.benchmarks.pptc.session import Session, Turn, load_sessions
from pptarena.benchmarks.pptc.settings import SEEK, SETTINGS, Setting
from pptarena.benchmarks.pptc.text_sessions import sessions_in_text, text_folders
from pptarena.benchmarks.pptc.translated_labels import find_labels
from pptarena.benchmarks.pptc.wordings import Wordings, is_file_name
from pptarena.benchmarks.user_copy import UserCopy
from pptarena.errors import TaskError

__all__ = ["DATASETS", "Step", "build_steps", "find_sessions", "load_start_deck", "worded_sessions"]

DATASETS = ("Create_new_slides", "Edit_PPT_template")
"""Names of the folders of sessions."""

_EDIT = "Edit"
_INPUT = "PPT_test_input"
_TEMPLATES = "long_slides"


@dataclass(frozen=True, slots=True)
class Step:
    """One turn with its decks.

    Attributes:
        turn: The turn, with the label for its setting.
        base: The deck before the turn, according to the labels so far.
        label: The deck after the turn, according to its label.
        is_built: Whether the label's deck was built from its calls instead of read from the copy.
        failed: Calls of the label that could not be executed.
        prelude: Calls that restore the selection left by the preceding labels.
    """

    turn: Turn
    base: bytes
    label: bytes
    is_built: bool
    failed: tuple[str, ...]
    prelude: str

    @property
    def seeks(self) -> bool:
        """Whether the label asks for help."""
        return any(call.name == SEEK for call in self.turn.calls)


def find_sessions(
    path: Path, instructions: str = "", labels: str = ""
) -> Iterator[tuple[Path, tuple[Session, ...]]]:
    """Yield the sessions of a copy by folder, each with the root of the copy's decks.

    Args:
        path: The repository, its ``PPT_test_input``, or one folder of sessions; or a repository
            with sessions as text, see `sessions_in_text`.
        instructions: Name of a text file of reworded instructions in the copy; empty for the
            original ones.
        labels: Name of their labels; empty for the labels that belong to the instructions.

    Raises:
        TaskError: If there are no sessions, or one is malformed.
    """
    path = path.expanduser().resolve()
    candidates = [base / name for base in (path / _INPUT, path) for name in DATASETS]
    folders = [candidate for candidate in candidates if candidate.is_dir()]
    if instructions or (not folders and text_folders(path)):
        for sessions in sessions_in_text(path, instructions or "instructions", labels):
            yield path, sessions
        return
    if labels:
        raise TaskError("labels: these sessions have their own; use them with --instructions")
    for folder in folders or [path]:
        root = folder.parent.parent if folder.parent.name == _INPUT else folder.parent
        yield root, load_sessions(folder)


def worded_sessions(
    path: Path, instructions: str = "", labels: str = ""
) -> Iterator[tuple[Path, Session, tuple[Wordings, Wordings | None] | None]]:
    """Yield the sessions of a copy, each with the root of its decks and a file's rewordings.

    Rewordings come with the labels in their language, if there are any.

    Args:
        path: See `find_sessions`.
        instructions: A file, the name of a text of the copy, or empty for the original
            instructions.
        labels: The same for the labels; empty for the labels that belong to the instructions.

    Raises:
        TaskError: If there are no sessions, or a session or the rewordings are malformed.
    """
    if is_file_name(instructions) != is_file_name(labels) and labels:
        raise TaskError(
            "labels: expected instructions and labels both as files or both as names of texts"
        )
    if not is_file_name(instructions):
        for root, sessions in find_sessions(path, instructions, labels):
            yield from ((root, session, None) for session in sessions)
        return
    wordings, own_labels = (
        Wordings.read_file(Path(instructions)),
        _labels(Path(instructions), labels),
    )
    folders = list(find_sessions(path))
    if len(folders) > 1:
        raise TaskError(
            f"{path}: expected one folder of sessions with {wordings.name}, since session numbers "
            f"are not unique across folders; found {', '.join(s[0].dataset for _, s in folders)}"
        )
    ((root, sessions),) = folders
    numbers = {session.number for session in sessions}
    if missing := wordings.sessions.keys() - numbers if wordings.partial else ():
        raise TaskError(f"{wordings.name}: {path} has no session {min(missing)}")
    for session in sessions:
        if not wordings.partial or session.number in wordings.sessions:
            yield root, session, (wordings, own_labels)


def _labels(instructions: Path, labels: str) -> Wordings | None:
    """Return the labels of a user's instruction file; None if it has none."""
    folder = instructions.expanduser().parent
    if labels:
        return Wordings.read_file(Path(labels))
    path = find_labels(folder, instructions.name)
    return None if path is None else Wordings.read_file(folder / path)


def build_steps(session: Session, root: Path, setting: Setting = SETTINGS[""]) -> tuple[Step, ...]:
    """Return the turns of a session with their decks.

    Label decks are read from the copy if it has them; all others are built by executing the labels'
    calls in sequence.

    Args:
        session: The session.
        root: Root folder of its deck paths.
        setting: The setting; where it lacks an API, labels ask for help.

    Raises:
        TaskError: If the initial deck is missing, or a deck of the copy cannot be read or its path
            leads out of the copy.
    """
    session, copy = setting.with_help_requests(session), UserCopy(root)
    start = load_start_deck(session, root, setting)
    base = Executor().to_bytes() if start is None else start
    steps = []
    decks = label_decks(session, start, apis=setting.apis)
    for turn, label_deck in zip(session.turns, decks, strict=True):
        is_lack = setting.name == "lack"
        copied = _deck(copy, turn.files.lack_label if is_lack else turn.files.label)
        label = label_deck.deck if copied is None else copied
        failed = tuple(str(error) for error in label_deck.errors)
        steps.append(Step(turn, base, label, copied is None, failed, label_deck.prelude))
        base = label
    return tuple(steps)


def load_start_deck(session: Session, root: Path, setting: Setting) -> bytes | None:
    """Return the template that a session edits; None for a new deck.

    Raises:
        TaskError: If the template is missing or cannot be read.
    """
    if not session.dataset.startswith(_EDIT):
        return None
    files = session.turns[0].files
    lack_base = files.lack_base if setting.name == "lack" else ""
    names = [*filter(None, (lack_base, files.base)), f"{_TEMPLATES}/{session.number}.pptx"]
    copy = UserCopy(root)
    for name in names:
        if (deck := _deck(copy, name)) is not None:
            return deck
    raise TaskError(
        f"{session.dataset}/session_{session.number}.json: expected the deck that it edits at "
        f"{' or '.join(names)}, below {root}"
    )


def _deck(copy: UserCopy, name: str) -> bytes | None:
    """Return a deck of the copy; None if it is missing."""
    try:
        return copy.deck(name, "a deck of PPTC") if name else None
    except RefusedError as error:
        if error.cause == "a file is missing":
            return None
        raise
