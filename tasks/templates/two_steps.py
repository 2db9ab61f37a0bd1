"""Two of the first steps in one instruction, for what comes after them in training.

Each half pays for itself, so that a learner that does one of the two is told so. The suite
``two-steps`` holds some pairs on deck meridian; `two_step` makes one more from a seed.
"""

from functools import cache
from itertools import count

import numpy as np

from pptarena.decks import Slide
from pptarena.tasks.demonstration import load_demonstration
from pptarena.tasks.macros import load_macros
from pptarena.tasks.task import Task
from pptarena.tasks.templates.first_steps import FIRST_STEPS, draw_goal
from pptarena.tasks.templates.template import SHOWN_SLIDES, rubric_of, scope_of

__all__ = ["two_step", "two_steps"]

MAX_STEPS = 16
_PAIRS = 40

_Half = tuple[str, Slide]


@cache
def two_steps(suite: str, deck: str) -> tuple[Task, ...]:
    """Return some pairs of first steps on different slides of a deck, always the same.

    Args:
        suite: Name of the suite they belong to.
        deck: Name of the deck.

    Raises:
        TaskError: If the package has no deck of that name.
    """
    found: dict[str, Task] = {}
    for seed in count():
        task = two_step(seed, deck, suite)
        found.setdefault(task.id, task)
        if len(found) == _PAIRS:
            break
    return tuple(found.values())


def two_step(seed: int, deck: str = "meridian", suite: str = "two-steps") -> Task:
    """Return one of these tasks, drawn by a seed.

    Args:
        seed: Of the generator that draws both halves; equal seeds give equal tasks.
        deck: Name of the deck.
        suite: Name of the suite it belongs to.

    Raises:
        TaskError: If the package has no deck of that name.
    """
    random = np.random.default_rng(seed)
    while True:
        halves = [draw_goal(random, deck) for _ in range(2)]
        if _go_together(*halves):
            return _make(halves, deck, suite)


def _go_together(first: _Half, second: _Half) -> bool:
    """Return whether halves differ, and the first leaves the second one's slide in sight."""
    added = FIRST_STEPS[first[0]].new_slides
    if first[0] == second[0] or first[1] is second[1]:
        return False
    # An empty slide in the place of a deleted one cannot be told from one that was emptied.
    if sum(name.endswith("-slide") for name, _ in (first, second)) == 2:
        return False
    return not added or second[1].index + added < SHOWN_SLIDES


def _make(halves: list[_Half], deck: str, suite: str) -> Task:
    templates = [FIRST_STEPS[name] for name, _ in halves]
    both = [(f"{name} {slide.index + 1}", FIRST_STEPS[name], slide) for name, slide in halves]
    first, second = (FIRST_STEPS[name].words(slide) for name, slide in halves)
    actions = [step for name, slide in halves for step in FIRST_STEPS[name].actions(slide)]
    shifts = (0, _shift(*halves))
    macros = [
        macro
        for (name, slide), shift in zip(halves, shifts, strict=True)
        for macro in FIRST_STEPS[name].macros(slide, shift)
    ]
    names = "-".join(f"{name}-{slide.index + 1}" for name, slide in halves)
    return Task(
        id=f"{suite}-{names}",
        suite=suite,
        difficulty="medium",
        level="L2",
        edit_types=tuple(dict.fromkeys(template.edit_type for template in templates)),
        deck=deck,
        instruction=f"{first} Then {second[0].lower()}{second[1:]}",
        max_steps=MAX_STEPS,
        rubric=rubric_of("both", *both),
        scope=scope_of(*both),
        demonstration=load_demonstration(actions, "demonstration"),
        macros=load_macros(macros),
    )


def _shift(first: _Half, second: _Half) -> int:
    """Return by how many places the first half moves the slide of the second."""
    if second[1].index < first[1].index:
        return 0
    return FIRST_STEPS[first[0]].new_slides - int(first[0] == "delete-slide")
