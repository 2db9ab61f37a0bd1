"""`Driver`: executes the actions of a macro and tracks the state of the deck."""

from collections.abc import Callable, Generator
from typing import TypeVar

from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.decks import Deck
from pptarena.envs import actions
from pptarena.envs.action_space import AMOUNT_MAX, TEXT_MAX
from pptarena.envs.actions import Action
from pptarena.errors import MacroError

__all__ = ["Driver", "Steps"]

Result = TypeVar("Result")
Steps = Generator[Action, Screen, Result]
"""A generator that yields actions, receives the screen after each, and returns a result."""

# Seconds to wait before each retry of a lookup; waiting 0 seconds still costs a step.
_WAITS_SEC = (0, 1, 1)


class SlideTracker:
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
        """Record that a slide, or a copy of the slide at a position, was inserted after it."""
        self._origins.insert(after, self.origin(after) if copy else None)

    def move(self, position: int, to: int) -> None:
        """Record that a slide was moved."""
        self._require(position)
        self._require(to)
        self._origins.insert(to - 1, self._origins.pop(position - 1))

    def _require(self, position: int) -> None:
        if not 1 <= position <= len(self._origins):
            raise MacroError(
                f"expected a slide from 1 to {len(self._origins)} in the current order, "
                f"got {position}"
            )


class Driver:
    """Executes actions and observes their effects.

    Args:
        deck: The original deck of the episode.
        by_titles: Whether to go to a slide by the title of its thumbnail where it has one.

    Attributes:
        deck: The original deck of the episode.
        by_titles: Whether to go to a slide by the title of its thumbnail.
        slide_tracker: Maps current slide positions to slides of the original deck.
        screen: The last observation.
    """

    screen: Screen

    def __init__(self, deck: Deck, *, by_titles: bool = False) -> None:
        self.deck = deck
        self.by_titles = by_titles
        self.slide_tracker = SlideTracker(len(deck.slides))

    def act(self, action: Action) -> Steps[Screen]:
        """Execute one action.

        Raises:
            MacroError: If the environment refuses it.
        """
        self.screen = yield action
        if self.screen.action_error:
            raise MacroError(f"the action {action!r} was refused: {self.screen.action_error}")
        return self.screen

    def key(self, keys: str, times: int = 1) -> Steps[Screen]:
        """Press a key combination `times` times."""
        while times > 0:
            yield from self.act(actions.key(keys, min(times, AMOUNT_MAX)))
            times -= AMOUNT_MAX
        return self.screen

    def type(self, text: str) -> Steps[Screen]:
        """Type a text, in several actions if it is long."""
        for start in range(0, len(text), TEXT_MAX):
            yield from self.act(actions.type_text(text[start : start + TEXT_MAX]))
        return self.screen

    def click(
        self, node: NodeJson, kind: str = "click", across: float = 0.5, keys: str = ""
    ) -> Steps[Screen]:
        """Perform a pointer action on a node of the last observation.

        Args:
            node: The node.
            kind: Kind of action.
            across: Horizontal position as a fraction of the node's width; vertically the center.
            keys: Modifiers to hold.
        """
        element = int(node["element"]) if across == 0.5 else 0
        xy = None if element else self._point(node, across)
        return (yield from self.act(Action(kind, element=element, xy=xy, keys=keys)))

    def scroll(self, node: NodeJson, amount: int) -> Steps[Screen]:
        """Turn the wheel over a node; positive is down."""
        element = int(node["element"])
        xy = None if element else self._point(node)
        return (yield from self.act(actions.scroll(amount, element, xy)))

    def wait_for(self, find: Callable[[Screen], Result | None], description: str) -> Steps[Result]:
        """Return the result of `find`, waiting briefly until there is one.

        Args:
            find: Returns None (or False) until the expected result is on the screen.
            description: The expected result, for the message.

        Raises:
            MacroError: If the result does not appear in time.
        """
        for wait_sec in (None, *_WAITS_SEC):
            if wait_sec is not None:
                yield from self.act(actions.wait(wait_sec))
            result = find(self.screen)
            if result is not None and result is not False:
                return result
        raise MacroError(f"timed out waiting for {description}; {self._screen_summary()}")

    def end_text_edit(self) -> Steps[None]:
        """End a text edit, so that keys apply to the slide.

        Raises:
            MacroError: If a dialog is open; a macro closes its own dialogs.
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

    def _screen_summary(self) -> str:
        dialog = self.screen.dialog()
        summary = f"slide {self.screen.slide} of {self.screen.slide_count} is shown"
        return summary if dialog is None else f"{summary}, with the dialog {dialog['name']!r} open"
