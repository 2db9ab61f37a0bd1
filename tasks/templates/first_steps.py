"""Goals of two to four actions, to begin training with.

Every template fits any slide that can be named by its title. The suites ``first-steps`` (deck
meridian) and ``first-steps-unseen`` (deck resistance, for what was learned) hold each template on
slides that the slide list shows without scrolling; `first_step` makes one more from a seed.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pptarena.decks import Slide
from pptarena.rewards.scope.scope import PROPERTIES
from pptarena.tasks.demonstration import load_demonstration
from pptarena.tasks.macros import load_macros
from pptarena.tasks.task import Task
from pptarena.tasks.templates.template import Template, rubric_of, scope_of, titled_slides

__all__ = ["FIRST_STEPS", "draw_goal", "first_step", "first_steps"]

MAX_STEPS = 8


def _shape(name: str) -> dict[str, Any]:
    return {"kind": "click", "target": {"role": "panel", "name": name}}


def _title_keys(keys: str) -> Callable[[Slide], list[dict[str, Any]]]:
    # In LibreOffice the titles of both decks are called so. One click selects the shape where it
    # meets no letter and begins to edit the text where it does; two always begin to edit.
    edit = {**_shape("Title 1"), "kind": "double_click"}
    return lambda slide: [edit, *({"kind": "key", "keys": each} for each in ("ctrl+a", keys))]


def _format(edit: str, keys: str, check: str, macro: str, **goal: Any) -> Template:
    # A goal and what may change for it are the same property.
    properties = [name for name in goal if name in PROPERTIES]
    return Template(
        "text",
        edit.format(it='the title of the slide "{title}"'),
        check,
        lambda slide: {"slide": slide.index + 1, "shape": "@title", **goal},
        {"aspects": ["formatting"], "shapes": ["@title"], "properties": properties},
        _title_keys(keys),
        {"macro": macro, "shape": "@title", **goal},
    )


def _picture(slide: Slide) -> str:
    return next((shape.name for shape in slide.shapes if shape.kind == "picture"), "")


def _keys(*keys: str) -> Callable[[Slide], list[dict[str, Any]]]:
    return lambda slide: [{"kind": "key", "keys": each} for each in keys]


FIRST_STEPS: dict[str, Template] = {
    "italic-title": _format(
        "Make {it} italic.", "ctrl+i", "run_format", "format_text", italic=True
    ),
    "underline-title": _format(
        "Underline {it}.", "ctrl+u", "run_format", "format_text", underline=True
    ),
    "center-title": _format(
        "Align {it} center.", "ctrl+e", "paragraph_alignment", "paragraph_align", align="center"
    ),
    "right-title": _format(
        "Align {it} right.", "ctrl+r", "paragraph_alignment", "paragraph_align", align="right"
    ),
    "delete-slide": Template(
        "slides",
        'Delete the slide "{title}".',
        "slide_deleted",
        lambda slide: {"slide": slide.index + 1},
        {"aspects": ["slides"]},
        _keys("Delete"),
        {"macro": "delete_slide"},
    ),
    "duplicate-slide": Template(
        "slides",
        'Duplicate the slide "{title}".',
        "slide_duplicated",
        lambda slide: {"slide": slide.index + 1},
        {"aspects": ["slides"]},
        _keys("ctrl+c", "ctrl+v"),
        {"macro": "duplicate_slide"},
        new_slides=1,
        copies=True,
    ),
    "new-slide": Template(
        "slides",
        'Insert a new slide after the slide "{title}".',
        "slide_added",
        lambda slide: {"after": slide.index + 1, "empty": True},
        {"aspects": ["slides"]},
        _keys("ctrl+m"),
        {"macro": "insert_slide"},
        new_slides=1,
    ),
    "delete-picture": Template(
        "images",
        'Delete the picture on the slide "{title}".',
        "shape_deleted",
        lambda slide: {"slide": slide.index + 1, "shape": "@picture"},
        {"aspects": ["shapes", "animation"], "shapes": ["@picture"]},
        lambda slide: [
            {"kind": "click", "target": {"role": "image", "name": _picture(slide)}},
            {"kind": "key", "keys": "Delete"},
        ],
        {"macro": "delete_shape", "shape": "@picture"},
        lambda slide: bool(_picture(slide)),
    ),
}
"""The templates by name."""


@cache
def first_steps(suite: str, deck: str) -> tuple[Task, ...]:
    """Return every template on every slide of a deck that the slide list shows at once.

    Args:
        suite: Name of the suite they belong to.
        deck: Name of the deck.

    Raises:
        TaskError: If the package has no deck of that name.
    """
    slides = titled_slides(deck)
    return tuple(
        _make(name, template, deck, slide, suite)
        for name, template in FIRST_STEPS.items()
        for slide in slides
        if template.fits(slide)
    )


def first_step(seed: int, deck: str = "meridian") -> Task:
    """Return one of these tasks, drawn by a seed.

    Args:
        seed: Of the generator that draws template and slide; equal seeds give equal tasks.
        deck: Name of the deck.

    Raises:
        TaskError: If the package has no deck of that name.
    """
    name, slide = draw_goal(np.random.default_rng(seed), deck)
    return _make(name, FIRST_STEPS[name], deck, slide, "first-steps")


def draw_goal(random: np.random.Generator, deck: str) -> tuple[str, Slide]:
    """Return the name of a template and a slide of a deck that fits it.

    Raises:
        TaskError: If the package has no deck of that name.
    """
    name = list(FIRST_STEPS)[int(random.integers(len(FIRST_STEPS)))]
    slides = [slide for slide in titled_slides(deck) if FIRST_STEPS[name].fits(slide)]
    return name, slides[int(random.integers(len(slides)))]


def _make(name: str, template: Template, deck: str, slide: Slide, suite: str) -> Task:
    whole = name, template, slide
    return Task(
        id=f"{suite}-{name}-{slide.index + 1}",
        suite=suite,
        difficulty="easy",
        level="L1",
        edit_types=(template.edit_type,),
        deck=deck,
        instruction=template.words(slide),
        max_steps=MAX_STEPS,
        rubric=rubric_of(name, whole),
        scope=scope_of(whole),
        demonstration=load_demonstration(template.actions(slide), "demonstration"),
        macros=load_macros(template.macros(slide)),
    )
