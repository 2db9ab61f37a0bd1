"""`Executor` applies API calls to a deck; `label_decks` builds the decks of a session's labels."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.benchmarks.pptc.api import APIS, Api
from pptarena.benchmarks.pptc.arguments import bind
from pptarena.benchmarks.pptc.calls import Call
from pptarena.benchmarks.pptc.errors import CallError, Refusal
from pptarena.benchmarks.pptc.find import SHAPES, find_all, find_last, type_name
from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = ["Executor", "LabelDeck", "execute_call", "label_decks"]

_POSITION_CALLS = ("set_left", "set_top", "set_right", "set_bottom")


_UNIQUE = ("title", "content")
_BY_INDEX = ("textbox", "picture")
_LAST = ("chart", "table")


def prelude(work: Workspace) -> str:
    """Return calls that restore the current selection on a newly opened deck.

    Labels depend on the selection after the preceding labels. A selection that no call can make,
    such as a star behind another star, is omitted.
    """
    if not len(work.presentation.slides):
        return ""
    selection = "" if work.current is None else _selection_call(work)
    return ";".join(filter(None, (f"move_to_slide({work.slide_index})", selection)))


def _selection_call(work: Workspace) -> str:
    if hasattr(work.current, "_tc"):
        return _cell_call(work)
    name = type_name(work.current)
    candidates = find_all(work.slide, name)
    index = next(
        (
            position
            for position, candidate in enumerate(candidates)
            if _is_same(candidate, work.current)
        ),
        None,
    )
    if index is None:
        return ""
    if name in _BY_INDEX:
        return f"choose_{name}({index})"
    if name in _UNIQUE:
        return f"choose_{name}()" if index == 0 else ""
    if index < len(candidates) - 1:
        return ""
    if name in _LAST:
        return f"choose_{name}()"
    return f"choose_shape('{name}')" if name in SHAPES else ""


def _cell_call(work: Workspace) -> str:
    table = find_last(work.slide, "table").table
    for row in range(len(table.rows)):
        for column in range(len(table.columns)):
            if table.cell(row, column)._tc is work.current._tc:
                return f"choose_table_cell({row}, {column})"
    return ""


def _is_same(one: Any, other: Any) -> bool:
    return one._element is other._element


class Executor:
    """Executes calls on one deck; the selection persists between calls.

    Example:
        >>> from pptarena.benchmarks.pptc import Executor, parse_calls
        >>> executor = Executor()
        >>> executor.run(parse_calls('choose_title();insert_text("Hello")'))
        ()
        >>> executor.to_bytes()[:2]
        b'PK'
    """

    def __init__(
        self,
        deck: bytes | None = None,
        *,
        quirks: bool = False,
        apis: Mapping[str, Api] = APIS,
    ) -> None:
        """Open a deck.

        Args:
            deck: The .pptx file, opened on its last slide; None for a new 4:3 deck with one title
                and content slide.
            quirks: Execute labels like the original: calls that contain ``set_left``, ``set_top``,
                ``set_right`` or ``set_bottom`` anywhere are skipped, going to the next or previous
                slide does nothing, and a pie has one slice.
            apis: Available APIs by name.

        Raises:
            DeckError: If the deck cannot be read.
        """
        self._work = Workspace.open(deck, quirks=quirks)
        self._quirks = quirks
        self._apis = apis

    @property
    def slide_index(self) -> int:
        """Index of the current slide, from 0."""
        return self._work.slide_index

    @property
    def prelude(self) -> str:
        """Calls that restore the current selection on a newly opened deck."""
        return prelude(self._work)

    def call(self, call: Call) -> None:
        """Execute one call.

        Raises:
            CallError: If the API does not exist, an argument is invalid, or the target is missing;
                the message begins with the call.
        """
        if self._quirks and any(name in call.text for name in _POSITION_CALLS):
            return
        execute_call(self._work, call, self._apis)

    def run(self, calls: Iterable[Call], *, keep_going: bool = False) -> tuple[CallError, ...]:
        """Execute calls in order.

        Args:
            calls: The calls.
            keep_going: Whether to skip failed calls, like the benchmark.

        Returns:
            The errors of skipped calls.

        Raises:
            CallError: At the first failed call, unless `keep_going`.
        """
        errors = []
        for call in calls:
            try:
                self.call(call)
            except CallError as error:
                if not keep_going:
                    raise
                errors.append(error)
        return tuple(errors)

    def to_bytes(self) -> bytes:
        """Return the deck as a .pptx file."""
        return self._work.to_bytes()


def execute_call(work: Workspace, call: Call, apis: Mapping[str, Api] = APIS) -> None:
    """Execute one call on a workspace; see `Executor.call`.

    Raises:
        CallError: If the call cannot be executed.
    """
    if not call.name:
        raise CallError(call.text, "it cannot be read")
    api = apis.get(call.name)
    if api is None:
        raise CallError(call.text, f"there is no API '{call.name}'")
    try:
        api.run(work, **bind(call, api.parameters))
    except Refusal as error:
        raise CallError(call.text, str(error)) from error
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # Raised by python-pptx for decks with missing or unusual parts.
        raise CallError(call.text, f"the deck does not allow it: {error!r}") from error


@dataclass(frozen=True, slots=True)
class LabelDeck:
    """The deck produced by the labels up to a turn.

    Attributes:
        turn: Index of the turn, from 0.
        deck: The .pptx file.
        errors: Calls of this turn that failed and were skipped.
        prelude: Calls that restore the selection at the start of this turn.
    """

    turn: int
    deck: bytes
    errors: tuple[CallError, ...]
    prelude: str = ""


def label_decks(
    session: Session,
    base: bytes | None = None,
    *,
    quirks: bool = False,
    apis: Mapping[str, Api] = APIS,
) -> Iterator[LabelDeck]:
    """Execute the labels of a session in sequence and yield the deck after each turn.

    Args:
        session: The session.
        base: The initial deck; None for a new one.
        quirks: As for `Executor`.
        apis: As for `Executor`.

    Raises:
        DeckError: If the base cannot be read.
    """
    executor = Executor(base, quirks=quirks, apis=apis)
    for turn in session.turns:
        start_prelude = executor.prelude
        errors = executor.run(turn.calls, keep_going=True)
        yield LabelDeck(turn.index, executor.to_bytes(), errors, start_prelude)
