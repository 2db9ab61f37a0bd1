"""How many tasks of what sort there are, beside the benchmarks of others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pptarena.tasks.task import DIFFICULTIES, EDIT_TYPES, Task

__all__ = ["UIUC_EDIT_TYPES", "Counts", "count_tasks"]

UIUC_EDIT_TYPES: Mapping[str, int] = {
    **{"text": 29, "charts": 10, "images": 10, "themes": 9, "arrangement": 8, "slides": 8},
    **{"tables": 8, "shapes": 4, "diagrams": 4, "layouts": 3, "accessibility": 2},
    **{"transitions": 1, "hyperlinks": 1, "masters": 1, "media": 1, "animations": 1},
}
"""The hundred public cases of UIUC's PPTArena by their one kind of edit."""


@dataclass(frozen=True)
class Counts:
    """Numbers of tasks.

    Attributes:
        total: All of them.
        difficulties: By difficulty.
        decks: Different decks.
        first: By the edit type that comes first.
        any: By edit type; a task counts in each of its own.
        flags: Of several turns, infeasible, across slides, with macros or a demonstration.
    """

    total: int
    difficulties: Mapping[str, int]
    decks: int
    first: Mapping[str, int]
    any: Mapping[str, int]
    flags: Mapping[str, int]


def count_tasks(tasks: Sequence[Task]) -> Counts:
    """Count tasks. One is across slides if its scope, or that of a turn, allows more than one."""
    return Counts(
        total=len(tasks),
        difficulties={d: sum(task.difficulty == d for task in tasks) for d in DIFFICULTIES},
        decks=len({task.file_name for task in tasks}),
        first={kind: sum(task.edit_types[:1] == (kind,) for task in tasks) for kind in EDIT_TYPES},
        any={kind: sum(kind in task.edit_types for task in tasks) for kind in EDIT_TYPES},
        flags={
            "several turns": sum(bool(task.turns) for task in tasks),
            "infeasible": sum(not task.feasible for task in tasks),
            "across slides": sum(_is_across(task) for task in tasks),
            "with a way": sum(bool(task.macros or task.demonstration) for task in tasks),
        },
    )


def _is_across(task: Task) -> bool:
    slides: set[object] = set()
    for scope in (task.scope, *(turn.scope for turn in task.turns)):
        if scope is None:
            continue
        if scope.new_slides:
            slides |= {"new"}
        for named in (scope.slides, *(part.slides for part in scope.parts)):
            if not isinstance(named, tuple | list):
                return True  # all, or all of a sort
            slides.update(map(str, named))
    return len(slides) > 1
