"""`Desk`: input and state of a macro during its execution."""

from collections.abc import Callable, Generator
from typing import TypeVar

from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.decks import Deck
from pptarena.envs import actions
from pptarena.envs.action_space import AMOUNT_MAX, TEXT_MAX
from pptarena.envs.actions import Action
from pptarena.errors import MacroError

__all__ = ["Desk", "Play"]

Found = TypeVar("Found")
Play = Generator[Action, Screen, Found]
"""A part of a macro: yields actions, receives the screen after each."""

# Seconds to wait before each further look for an expected result; the first looks cost a step each.
_WAITS_SEC = (0, 1, 1)


class SlideRoll:
    """Tracks slides as they are deleted, moved, duplicated and inserted.

    Args:
        count: Number of slides of the original deck.
    """

    def __init__(self, count: int) -> None:
        self._origins: list[int | None] = list(range(count))

    def origin(self, position: int) -> int | None:
        """Return the 0-based index in the original deck of the slide at a 1-based position.

        A copy has the index of its source; an inserted slide has None.

        Raises:
            MacroError: If there is no such slide.
        """
        self._require(position)
        return self._origins[position - 1]

    def delete(self, position: int) -> None:
        """Record that a slide was deleted."""
        self._require(position)
        del self._origins[position - 1]

    def insert(self, after: int, *, copy: bool = False) -> None:
        """Record that a slide, or a copy of the one there, was inserted after a position."""
        self._origins.insert(after, self.origin(after) if copy else None)

    def move(self, position: int, to: int) -> None:
        """Record that a slide was moved."""
        self._require(position)
        self._require(to)
        self._origins.insert(to - 1, self._origins.pop(position - 1))

    def _require(self, position: int) -> None:
        if not 1 <= position <= len(self._origins):
            raise MacroError(
                f"expected a slide from 1 to {len(self._origins)}, as they stand by now, "
                f"got {position}"
            )


class Desk:
    """Executes actions and observes their effects.

    Args:
        deck: The original deck of the episode.
        by_titles: Whether to go to a slide by the title of its thumbnail where it has one.

    Attributes:
        deck: The original deck of the episode.
        by_titles: As above.
        roll: Maps current slide positions to slides of the original deck.
        screen: The last observation.
    """

    screen: Screen

    def __init__(self, deck: Deck, *, by_titles: bool = False) -> None:
        self.deck = deck
        self.by_titles = by_titles
        self.roll = SlideRoll(len(deck.slides))

    def act(self, action: Action) -> Play[Screen]:
        """Execute one action.

        Raises:
            MacroError: If the environment refuses it.
        """
        self.screen = yield action
        if self.screen.refused:
            raise MacroError(f"the action {action!r} was refused: {self.screen.refused}")
        return self.screen

    def key(self, keys: str, times: int = 1) -> Play[Screen]:
        """Press a key combination `times` times."""
        while times > 0:
            yield from self.act(actions.key(keys, min(times, AMOUNT_MAX)))
            times -= AMOUNT_MAX
        return self.screen

    def type(self, text: str) -> Play[Screen]:
        """Type a text, in several actions if it is long."""
        for start in range(0, len(text), TEXT_MAX):
            yield from self.act(actions.type_text(text[start : start + TEXT_MAX]))
        return self.screen

    def click(
        self, node: NodeJson, kind: str = "click", across: float = 0.5, keys: str = ""
    ) -> Play[Screen]:
        """Perform a pointer action on a node of the last observation.

        Args:
            node: The node.
            kind: Kind of action.
            across: Horizontal position as a fraction of the node's width; vertically the center.
            keys: Modifiers to hold.
        """
        number = int(node["element"]) if across == 0.5 else 0
        place = None if number else self._point(node, across)
        return (yield from self.act(Action(kind, element=number, xy=place, keys=keys)))

    def scroll(self, node: NodeJson, amount: int) -> Play[Screen]:
        """Turn the wheel over a node; positive is down."""
        number = int(node["element"])
        place = None if number else self._point(node)
        return (yield from self.act(actions.scroll(amount, number, place)))

    def await_(self, look: Callable[[Screen], Found | None], what: str) -> Play[Found]:
        """Return the result of `look`, waiting briefly until there is one.

        Args:
            look: Returns None (or False) until the expected result is on the screen.
            what: The expected result, for the message.

        Raises:
            MacroError: If there is no result in time.
        """
        for wait in (None, *_WAITS_SEC):
            if wait is not None:
                yield from self.act(actions.wait(wait))
            found = look(self.screen)
            if found is not None and found is not False:
                return found
        raise MacroError(f"expected {what}, but it did not come; {self._seen()}")

    def put_down(self) -> Play[None]:
        """End a text edit, so that keys apply to the slide.

        Raises:
            MacroError: If a dialog is open, since it does not belong to this macro.
        """
        if (dialog := self.screen.dialog()) is not None:
            raise MacroError(f"expected no open dialog, found {dialog['name']!r}")
        for _ in range(2):
            if self.screen.editing:
                yield from self.key("Escape")
        if self.screen.editing:
            raise MacroError("expected the text edit to end with Escape, but it is still open")

    def _point(self, node: NodeJson, across: float = 0.5) -> tuple[float, float]:
        left, top, width, height = node["box"]
        x = (left + across * width) / self.screen.size_px[0]
        y = (top + height / 2) / self.screen.size_px[1]
        return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)

    def _seen(self) -> str:
        dialog = self.screen.dialog()
        where = f"slide {self.screen.slide} of {self.screen.slide_count} is shown"
        return where if dialog is None else f"{where}, with the dialog {dialog['name']!r} open"
