"""What a kind of small goal is made of, for any slide that can be named by its title."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pptarena.errors import TaskError
from pptarena.rewards import read_deck
from pptarena.rewards.deck import Slide
from pptarena.tasks.deck_files import read_deck_file

__all__ = ["SHOWN_SLIDES", "Template", "titled_slides"]

SHOWN_SLIDES = 7
"""How many slides LibreOffice's slide list shows at 1280 x 720."""

_THUMBNAILS: Final[dict[str, Any]] = {"role": "document frame", "name": "Slides View"}


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of goal.

    Attributes:
        edit_type: What kind of edit it is.
        instruction: With ``{title}`` for the slide's title.
        check: Name of the check.
        args: Its arguments beside the slide, by the slide.
        scope: What may be touched beside the slide itself.
        steps: The actions that lead there once the slide is shown, by the slide.
        fits: Whether a slide can have this goal.
    """

    edit_type: str
    instruction: str
    check: str
    args: Callable[[Slide], dict[str, Any]]
    scope: dict[str, Any]
    steps: Callable[[Slide], list[dict[str, Any]]]
    fits: Callable[[Slide], bool] = lambda slide: True

    @property
    def new_slides(self) -> int:
        """How many slides the goal adds."""
        return int(self.scope.get("new_slides", 0))

    def words(self, slide: Slide) -> str:
        """Return the instruction for a slide."""
        return self.instruction.format(title=slide.title)

    def goal(self, name: str, slide: Slide) -> dict[str, Any]:
        """Return the leaf of a rubric."""
        return {"name": name, "check": self.check, "args": self.args(slide)}

    def actions(self, slide: Slide) -> list[dict[str, Any]]:
        """Return the demonstration: the slide is shown, then changed."""
        target = {"role": "panel", "name": slide.title, "within": _THUMBNAILS}
        return [{"kind": "click", "target": target}, *self.steps(slide)]


@cache
def titled_slides(deck: str) -> tuple[Slide, ...]:
    """Return the slides that the slide list shows at once and that a title names.

    Raises:
        TaskError: If the package has no deck of that name, or there is no such slide.
    """
    slides = read_deck(read_deck_file(deck)).slides[:SHOWN_SLIDES]
    titles = [slide.title for slide in slides]
    found = tuple(slide for slide in slides if slide.title and titles.count(slide.title) == 1)
    if not found:
        raise TaskError(f"deck: expected slides with titles of their own, {deck!r} has none")
    return found
