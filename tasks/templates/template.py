"""What a kind of small goal is made of, for any slide that can be named by its title."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from pptarena.decks import Slide
from pptarena.errors import TaskError
from pptarena.rewards import Rubric, Scope, load_rubric, load_scope, read_deck
from pptarena.tasks.deck_files import read_deck_file

__all__ = ["SHOWN_SLIDES", "Template", "rubric_of", "scope_of", "titled_slides"]

SHOWN_SLIDES = 7
"""How many slides LibreOffice's slide list shows at 1280 x 720."""

_PER_CHANGE = 0.5
# What applications leave out when they copy a slide; LibreOffice brings a layout of its own along.
_OF_COPIES = ["notes", "transition", "layout"]
_THUMBNAILS: Final[dict[str, Any]] = {"role": "document frame", "name": "Slides View"}


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of goal.

    Attributes:
        edit_type: What kind of edit it is.
        instruction: With ``{title}`` for the slide's title.
        check: Name of the check.
        args: Its arguments beside the slide, by the slide.
        part: What of the slide may be touched, as a part of a scope.
        steps: The actions that lead there once the slide is shown, by the slide.
        macro: The macro that leads there, without the slide.
        fits: Whether a slide can have this goal.
        new_slides: How many slides the goal adds.
        copies: Whether these are copies of the slide.
    """

    edit_type: str
    instruction: str
    check: str
    args: Callable[[Slide], dict[str, Any]]
    part: dict[str, Any]
    steps: Callable[[Slide], list[dict[str, Any]]]
    macro: dict[str, Any]
    fits: Callable[[Slide], bool] = lambda slide: True
    new_slides: int = 0
    copies: bool = False

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

    def macros(self, slide: Slide, shift: int = 0) -> list[dict[str, Any]]:
        """Return the macros: one, for a slide that stands so many places further down by now."""
        place = "after" if self.macro["macro"] == "insert_slide" else "slide"
        return [{**self.macro, place: slide.index + 1 + shift}]


def rubric_of(name: str, *halves: tuple[str, Template, Slide]) -> Rubric:
    """Return the rubric of goals, each of a name, and of nothing else."""
    rest = {"name": "nothing else changed", "critical": False, "check": "nothing_else_changed"}
    goals = [template.goal(goal, slide) for goal, template, slide in halves]
    children = [*goals, {**rest, "args": {"per_change": _PER_CHANGE}}]
    return load_rubric({"version": 1, "root": {"name": name, "children": children}})


def scope_of(*halves: tuple[str, Template, Slide]) -> Scope:
    """Return what goals may touch, and no more."""
    scope: dict[str, Any] = {
        "parts": [{"slides": [slide.index + 1], **each.part} for _, each, slide in halves],
        "new_slides": sum(each.new_slides for _, each, _ in halves),
    }
    for _, template, slide in halves:
        if template.copies:
            scope |= {"copy_of": slide.index + 1, "copy_aspects": _OF_COPIES}
    return load_scope(scope)


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
