"""Import cases of UIUC's PPTArena as task files with their decks."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pptarena.benchmarks.outcome import Outcome, RefusedError, outcomes
from pptarena.benchmarks.task_folder import TaskFolder, make_task_id
from pptarena.benchmarks.user_copy import UserCopy, read_text_field
from pptarena.decks import read_deck
from pptarena.errors import TaskError
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.tasks.draft.classification import difficulty_of, edit_types_of, level_of, steps_of

__all__ = ["PAIRS", "SUBSET", "import_cases"]

PAIRS: Final = ("src/evaluation_pairs_refined.json", "evaluation_pairs_refined.json")
"""Possible locations of the list of cases in a copy."""

SUBSET: Final = "agent_bench/subset25.json"
"""Location of the names of the hard subset in a copy."""

_SOURCE = "PPTArena (UIUC), github.com/michaelofengenden/PPTArena"
# Substrings of the benchmark's sixteen edit types; the first match wins.
_TYPES = {
    "smartart": "diagrams", "diagram": "diagrams", "audio": "media", "video": "media",
    "image": "images", "picture": "images", "table": "tables", "chart": "charts",
    "master": "masters", "layout": "layouts", "theme": "themes", "background": "themes",
    "align": "arrangement", "z-order": "arrangement", "animation": "animations",
    "transition": "transitions", "hyperlink": "hyperlinks", "accessib": "accessibility",
    "comment": "accessibility", "slide": "slides", "section": "slides", "footer": "slides",
    "shape": "shapes", "text": "text", "typograph": "text",
}  # fmt: skip


def import_cases(path: Path, out: Path, *, subset: bool = False) -> Iterator[Outcome]:
    """Write the cases of a user's copy as a task folder; yield the outcome of each.

    Args:
        path: The copy, with the list of cases and the decks that it names.
        out: Output folder; created if it does not exist.
        subset: Whether to import only the hard subset.

    Raises:
        TaskError: If the list is missing or malformed.
    """
    copy = UserCopy(path)
    cases = _cases(copy)
    hard = _subset(copy) if subset or copy.has(SUBSET) else set()
    if subset:
        cases = [(name, case) for name, case in cases if name in hard]
        if not cases:
            raise TaskError(f"{SUBSET}: expected names of cases, none is in the list")
    folder = TaskFolder(out)
    yield from outcomes(
        (name, partial(_import, case, copy, folder, name in hard)) for name, case in cases
    )


def _cases(copy: UserCopy) -> list[tuple[str, Any]]:
    path = next((case for case in PAIRS if copy.has(case)), None)
    if path is None:
        raise TaskError(f"{copy.root}: expected {' or '.join(PAIRS)} in it, found neither")
    cases = copy.json(path)
    if not isinstance(cases, list) or not cases:
        raise TaskError(f"{path}: expected a list of cases, got {str(cases)[:60]!r}")
    return [(_name(case, number), case) for number, case in enumerate(cases, start=1)]


def _name(case: Any, number: int) -> str:
    name = case.get("name") if isinstance(case, dict) else None
    return name.strip()[:200] if isinstance(name, str) and name.strip() else f"case {number}"


def _subset(copy: UserCopy) -> set[str]:
    names = copy.json(SUBSET)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise TaskError(f"{SUBSET}: expected a list of names, got {str(names)[:60]!r}")
    return {name.strip() for name in names}


def _import(case: Any, copy: UserCopy, folder: TaskFolder, hard: bool) -> str:
    name, prompt = read_text_field(case, "name"), read_text_field(case, "prompt")
    original = copy.deck(case.get("original"), "original")
    gold = copy.deck(case.get("ground_truth"), "ground_truth")
    plan = plan_of(read_deck(original), read_deck(gold))
    groups = plan.groups
    if not groups:
        raise RefusedError("the ground truth changes nothing", name)
    difficulty, max_steps = difficulty_of(steps_of(groups))
    task = {
        "id": make_task_id("uiuc", name),
        "instruction": prompt,
        "difficulty": difficulty,
        "level": level_of(groups),
        "edit_types": _edit_types(case.get("edit_type")) or list(edit_types_of(groups)),
        "max_steps": max_steps,
        "rubric": _rubric(prompt, read_text_field(case, "style_target", "")),
        "source": f"{_SOURCE}: {name}",
        "labels": _labels(case, plan, hard),
    }
    deck_name = PurePosixPath(str(case["original"])).name
    return folder.write(task, original, deck_name, gold=gold)


def _rubric(prompt: str, style: str) -> dict[str, Any]:
    """Return the rubric: similarity to the ground truth, plus the dual judge.

    The judge affects at most 0.3 of the score, and nothing if no judge is configured.
    """
    args = {"instruction": prompt} | ({"style": style} if style else {})
    return {
        "version": 1,
        "strategy": "weighted",
        "root": {
            "name": "the case is done",
            "children": [
                {"name": "as in the ground truth", "check": "gold_match"},
                {
                    "name": "instruction followed, and looks",
                    "critical": False,
                    "check": "edit_judge",
                    "args": args,
                },
            ],
        },
    }


def _labels(case: Any, plan: GoldPlan, hard: bool) -> dict[str, list[str]]:
    """Return the benchmark's own groups of a case, with the extent of its ground truth."""
    changed_slides = {change.slide_now or change.slide for change in plan.changes} - {None}
    counts = {"operations": [str(len(plan.groups))], "slides": [str(len(changed_slides))]}
    groups = {
        name.replace("_", " "): _texts(case.get(name))
        for name in ("category", "edit_type", "difficulty")
    }
    return {name: values for name, values in groups.items() if values} | {
        **counts,
        **({"subset": ["hard"]} if hard else {}),
    }


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text.strip()[:200] for text in values if isinstance(text, str) and text.strip()]


def _edit_types(labels: Any) -> list[str]:
    """Return our names of the benchmark's edit types; unknown types are skipped."""
    names = labels if isinstance(labels, list) else [labels]
    edit_types = []
    for name in names:
        normalized = name.casefold() if isinstance(name, str) else ""
        edit_type = next((_TYPES[pattern] for pattern in _TYPES if pattern in normalized), None)
        if edit_type is not None and edit_type not in edit_types:
            edit_types.append(edit_type)
    return edit_types
