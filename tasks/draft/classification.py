"""Edit types, level and difficulty of a drafted task."""

from collections.abc import Sequence

from pptarena.rewards.gold.plan import Group, Part

__all__ = ["difficulty_of", "edit_types_of", "level_of", "steps_of"]

_TYPE_BY_ASPECT = {
    "text": "text",
    "formatting": "text",
    "style": "shapes",
    "geometry": "arrangement",
    "shapes": "shapes",
    "pictures": "images",
    "tables": "tables",
    "charts": "charts",
    "diagrams": "diagrams",
    "alt_text": "accessibility",
    "hyperlinks": "hyperlinks",
    "notes": "slides",
    "comments": "accessibility",
    "layout": "layouts",
    "background": "themes",
    "transition": "transitions",
    "animation": "animations",
    "visibility": "slides",
    "slides": "slides",
    "order": "slides",
    "sections": "slides",
    "properties": "slides",
    "master": "masters",
    "other": "slides",
}
"""Edit type of each aspect of a deck."""

_ARRANGEMENT_KINDS = frozenset(("grouped", "ungrouped", "stacking"))
_TYPE_BY_SHAPE_KIND = {"table": "tables", "chart": "charts", "picture": "images", "media": "media"}
# Steps of a skilled user for one change: navigate, select, act.
_STEPS_BY_ASPECT = {
    "text": 4, "notes": 4, "tables": 4, "alt_text": 5, "formatting": 4, "style": 5, "geometry": 5,
    "visibility": 3, "slides": 3, "order": 4, "transition": 5, "animation": 8, "layout": 3,
    "background": 6, "hyperlinks": 6, "shapes": 6, "pictures": 6, "charts": 9, "diagrams": 8,
    "comments": 4, "master": 10, "sections": 4, "properties": 5, "other": 6,
}  # fmt: skip
_STEPS_FOR_ADDED_SLIDE = 8
_STEPS_PER_FURTHER_CHANGE = 1
_MAX_EASY_STEPS, _MAX_MEDIUM_STEPS = 5, 10  # steps, as in `pptarena.tasks.task.DIFFICULTIES`
_MIN_BUDGET = 15
_BUDGET_FACTOR = 4  # factor on the steps of a skilled user


def edit_types_of(groups: Sequence[Group]) -> tuple[str, ...]:
    """Return the edit types of changes, the most frequent first."""
    counts: dict[str, int] = {}
    for group in groups:
        name = _type(group.parts[0])
        counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts, key=lambda name: -counts[name]))


def steps_of(groups: Sequence[Group]) -> int:
    """Estimate the number of steps of a skilled user."""
    return sum(_steps(group) for group in groups)


def difficulty_of(steps: int) -> tuple[str, int]:
    """Return the difficulty of a task with that many steps, and a generous step budget."""
    name = (
        "easy" if steps <= _MAX_EASY_STEPS else "medium" if steps <= _MAX_MEDIUM_STEPS else "hard"
    )
    return name, max(_MIN_BUDGET, 5 * -(-_BUDGET_FACTOR * steps // 5))


def level_of(groups: Sequence[Group]) -> str:
    """Return the level: one operation, or several in the application."""
    return "L1" if len(groups) == 1 else "L2"


def _type(part: Part) -> str:
    if part.kind in _ARRANGEMENT_KINDS:
        return "arrangement"
    first = part.changes[0]
    if first.kind.startswith("theme_"):
        return "themes"
    if part.kind in ("shape_added", "shape_removed"):
        brief = first.value_after if part.kind == "shape_added" else first.value_before
        return _TYPE_BY_SHAPE_KIND.get(getattr(brief, "kind", ""), "shapes")
    is_table = any(change.what.startswith(("row ", "column ")) for change in part.changes)
    return "tables" if is_table else _TYPE_BY_ASPECT[part.aspect]


def _steps(group: Group) -> int:
    part = group.parts[0]
    first_change_steps = (
        _STEPS_FOR_ADDED_SLIDE if part.kind == "slide_added" else _STEPS_BY_ASPECT[part.aspect]
    )
    return first_change_steps + _STEPS_PER_FURTHER_CHANGE * (
        sum(len(p.changes) for p in group.parts) - 1
    )
