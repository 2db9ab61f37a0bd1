"""Statistics of tasks, with those of other published benchmarks."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pptarena.tasks.solution_macros import has_macros
from pptarena.tasks.task import DIFFICULTIES, EDIT_TYPES, LEVELS, Task

__all__ = ["PUBLISHED", "UIUC_EDIT_TYPES", "Counts", "count_tasks"]

UIUC_EDIT_TYPES: Mapping[str, int] = {
    **{"text": 29, "charts": 10, "images": 10, "themes": 9, "arrangement": 8, "slides": 8},
    **{"tables": 8, "shapes": 4, "diagrams": 4, "layouts": 3, "accessibility": 2},
    **{"transitions": 1, "hyperlinks": 1, "masters": 1, "media": 1, "animations": 1},
}
"""The hundred public cases of UIUC's PPTArena by edit type (one per case)."""

PUBLISHED: Mapping[str, Mapping[str, int]] = {
    "UIUC PPTArena": {"tasks": 100, "decks": 100, "slides": 2125, "across slides": 32},
    "PPT-Eval": {
        **{"tasks": 120, "decks": 12, "slides": 404, "easy": 51, "medium": 39, "hard": 30},
    },
}
"""Published statistics of two other deck-editing benchmarks. UIUC counts the 32 % of its cases
that depend on several slides. PPT-Eval was first called PPTArena."""

_MODEL_CHECKS = ("judge", "visual_judge", "edit_judge")
_DATA = frozenset((".csv", ".ods", ".txt", ".xlsx"))


@dataclass(frozen=True)
class Counts:
    """Statistics of tasks.

    Attributes:
        total: Number of tasks.
        difficulties: Number of tasks by difficulty.
        levels: Number of tasks by capability level.
        decks: Number of distinct decks.
        slides: Number of slides in these decks.
        first: Number of tasks by first edit type.
        any: Number of tasks by edit type; a task counts for each of its types.
        flags: Number of tasks with several turns; infeasible; across slides; open-ended (level L4);
            scored by a model in part; with attachments; with tables or texts of other programs
            among the attachments; with macros or a demonstration.
    """

    total: int
    difficulties: Mapping[str, int]
    levels: Mapping[str, int]
    decks: int
    slides: int
    first: Mapping[str, int]
    any: Mapping[str, int]
    flags: Mapping[str, int]


def count_tasks(tasks: Sequence[Task]) -> Counts:
    """Count tasks.

    A task is across slides if its scope, or a turn's, allows more than one slide.
    """
    decks = {task.file_name: task for task in tasks}
    return Counts(
        total=len(tasks),
        difficulties={d: sum(task.difficulty == d for task in tasks) for d in DIFFICULTIES},
        levels={level: sum(task.level == level for task in tasks) for level in LEVELS},
        decks=len(decks),
        slides=sum(map(_slide_count, decks.values())),
        first={kind: sum(task.edit_types[:1] == (kind,) for task in tasks) for kind in EDIT_TYPES},
        any={kind: sum(kind in task.edit_types for task in tasks) for kind in EDIT_TYPES},
        flags={
            "several turns": sum(bool(task.turns) for task in tasks),
            "infeasible": sum(not task.feasible for task in tasks),
            "across slides": sum(_spans_slides(task) for task in tasks),
            "open-ended": sum(task.level == "L4" for task in tasks),
            "judged by a model in part": sum(map(_is_judged_by_model, tasks)),
            "with files": sum(bool(task.files) for task in tasks),
            "with data of other programs": sum(map(_has_data, tasks)),
            "with a way": sum(has_macros(task) or bool(task.demonstration) for task in tasks),
        },
    )


def _slide_count(task: Task) -> int:
    with zipfile.ZipFile(io.BytesIO(task.deck_bytes())) as package:
        return sum(PurePath(name).match("ppt/slides/*.xml") for name in package.namelist())


def _is_judged_by_model(task: Task) -> bool:
    roots = (task.rubric.root, *(turn.rubric.root for turn in task.turns))
    return any(root.uses(check) for root in roots for check in _MODEL_CHECKS)


def _has_data(task: Task) -> bool:
    return any(PurePath(file.name).suffix in _DATA for file in task.files)


def _spans_slides(task: Task) -> bool:
    slides: set[object] = set()
    for scope in (task.scope, *(turn.scope for turn in task.turns)):
        if scope is None:
            continue
        if scope.new_slides:
            slides |= {"new"}
        for selected in (scope.slides, *(part.slides for part in scope.parts)):
            if not isinstance(selected, tuple | list):
                return True  # all slides, or all of a type
            slides.update(map(str, selected))
    return len(slides) > 1
