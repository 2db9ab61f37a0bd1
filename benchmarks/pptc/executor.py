"""`Executor`: carries out API calls on a deck; and the decks that a session's labels make."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pptarena.benchmarks.pptc.api import APIS, Api
from pptarena.benchmarks.pptc.arguments import bind
from pptarena.benchmarks.pptc.calls import Call
from pptarena.benchmarks.pptc.errors import CallError, Refusal
from pptarena.benchmarks.pptc.prelude import prelude
from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = ["Executor", "LabelDeck", "carry_out", "label_decks"]

_PLACE_CALLS = ("set_left", "set_top", "set_right", "set_bottom")


class Executor:
    """Carries out calls one by one on one deck; what was chosen stays chosen between them.

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
            deck: The .pptx file, opened on its last slide; None for a new 4:3 deck with one
                slide with title and content.
            quirks: Do as the original does with labels: calls that mention ``set_left``,
                ``set_top``, ``set_right`` or ``set_bottom`` anywhere are left out, going to the
                next or previous slide does not move, and a pie has one slice.
            apis: What can be called, by name.

        Raises:
            DeckError: If the deck cannot be read.
        """
        self._work = Workspace.of(deck, quirks=quirks)
        self._quirks = quirks
        self._apis = apis

    @property
    def slide_index(self) -> int:
        """The slide that calls work on, from 0."""
        return self._work.slide_index

    @property
    def prelude(self) -> str:
        """Calls that choose what is chosen now, on a deck that was just opened."""
        return prelude(self._work)

    def call(self, call: Call) -> None:
        """Carry out one call.

        Raises:
            CallError: If there is no such API, an argument does not fit, or what it works on is
                not there; the message begins with the call.
        """
        if self._quirks and any(name in call.text for name in _PLACE_CALLS):
            return
        carry_out(self._work, call, self._apis)

    def run(self, calls: Iterable[Call], *, keep_going: bool = False) -> tuple[CallError, ...]:
        """Carry out calls in order.

        Args:
            calls: The calls.
            keep_going: Whether a call that fails is passed over, as the benchmark does.

        Returns:
            The errors that were passed over.

        Raises:
            CallError: At the first call that fails, unless `keep_going`.
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


def carry_out(work: Workspace, call: Call, apis: Mapping[str, Api] = APIS) -> None:
    """Carry out one call on a workspace; see `Executor.call`.

    Raises:
        CallError: If it cannot be carried out.
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
        # What python-pptx says of decks that lack a part or hold an odd one.
        raise CallError(call.text, f"the deck does not allow it: {error!r}") from error


@dataclass(frozen=True, slots=True)
class LabelDeck:
    """The deck that the labels up to a turn make.

    Attributes:
        turn: Index of the turn, from 0.
        deck: The .pptx file.
        errors: The calls of this turn that could not be carried out; they were passed over.
        prelude: Calls that choose what was chosen when this turn began.
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
    """Carry out the labels of a session in one go and yield the deck after each turn.

    Args:
        session: The session.
        base: The deck it starts from; None for a new one.
        quirks: As for `Executor`.
        apis: As for `Executor`.

    Raises:
        DeckError: If the base cannot be read.
    """
    executor = Executor(base, quirks=quirks, apis=apis)
    for turn in session.turns:
        before = executor.prelude
        errors = executor.run(turn.calls, keep_going=True)
        yield LabelDeck(turn.index, executor.to_bytes(), errors, before)
