"""Build the target deck of a generated task with typed calls of the document environment.

`GoalAgent` writes the changed parts of the file in one program, which models cannot learn from.
`CallingGoalAgent` makes the same edits with the calls that a model would use.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from pptx.oxml.ns import qn

from pptarena.decks import read_deck
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, DeckError, TaskError
from pptarena.tasks import Task
from pptarena.tasks.grow.draft import Edit
from pptarena.tasks.grow.edits import element_of, opened
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operators.shapes import empty_place
from pptarena.tasks.grow.rebuilding import edits_of
from pptarena.tasks.grow.slots import COLORS

__all__ = ["CALLED_OPERATORS", "CallingGoalAgent", "goal_calls"]

_EMU_PER_CM = 360_000
_OUTLINES = MappingProxyType({"rect": "rectangle", "rightArrow": "right_arrow"})
_STARTS = MappingProxyType(
    {"clickEffect": "click", "afterEffect": "after_previous", "withEffect": "with_previous"}
)

_Arguments = dict[str, Any]


@dataclass(frozen=True)
class _Target:
    """An edit on a deck, with the ids used in calls."""

    presentation: Any
    edit: Edit

    @property
    def site(self) -> Site:
        return self.edit.site

    def __getitem__(self, name: str) -> Any:
        return self.edit.params[name]

    @property
    def color(self) -> str:
        return f"#{COLORS[self['color']]}"

    def slide_id(self, number: int) -> int:
        return int(self.presentation.slides._sldIdLst[number - 1].get("id"))

    def shape_id(self, index: int | None) -> int:
        element = element_of(self.presentation, self.site, index)
        return int(next(element.iter(qn("p:cNvPr"))).get("id"))


def goal_calls(task: Task) -> list[ToolCall]:
    """Return the typed calls that make the edits of a generated task.

    Raises:
        AgentError: If the task is not generated, or an edit has no typed call.
    """
    if not task.grown:
        raise AgentError(f"{task.id}: expected a generated task; use --agent goal for others")
    try:
        deck = task.deck_bytes()
        ground = Ground("", sha256(deck).hexdigest(), deck, read_deck(deck))
        presentation = opened(deck)
        edits = edits_of(task.grown, ground)
        return [_call(_Target(presentation, edit)) for edit in edits]
    except (DeckError, TaskError, LookupError, StopIteration) as error:
        raise AgentError(f"{task.id}: {error!r}") from error


class CallingGoalAgent:
    """Makes the edits of generated tasks with typed calls, then calls `done`.

    Args:
        tasks: The tasks to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            AgentError: If an edit has no typed call.
        """
        self._calls = [*goal_calls(self._tasks[info["task_id"]]), ToolCall.of("done")]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call.

        Raises:
            AgentError: If the previous call was refused; the message has the reason.
        """
        if info["action_error"]:
            raise AgentError(f"the call was refused: {info['action_error']}")
        return self._calls.pop(0)


def _call(target: _Target) -> ToolCall:
    name = target.edit.operator.name
    if name not in _CALLS:
        raise AgentError(f"no typed call for the operator {name!r}")
    tool, arguments = _CALLS[name]
    where: _Arguments = {}
    if target.site.slide_index is not None and tool != "add_slide":
        where["slide"] = target.slide_id(target.site.number)
    if target.site.shape_index is not None and tool != "add_connector":
        where["shape"] = target.shape_id(target.site.shape_index)
    return ToolCall(tool, where | arguments(target))


def _paragraph(target: _Target) -> _Arguments:
    lines = [each.text for each in target.site.shape.paragraphs]
    return {"text": target["text"], "paragraph": lines.index(target["line"]) + 1}


def _row(target: _Target) -> _Arguments:
    table = target.site.shape.table
    assert table is not None
    labels = [row[0].text for row in table.rows]
    return {"position": labels.index(target.site.detail["label"]) + 1}


def _last_row(target: _Target) -> _Arguments:
    table = target.site.shape.table
    assert table is not None
    return {"cells": target["cells"].split(" | "), "position": len(table.rows) + 1}


def _size(target: _Target) -> _Arguments:
    box, width = target.site.shape.box, target["width_cm"]
    return {"width_cm": width, "height_cm": round(width * box.height / box.width, 2)}


def _new_shape(target: _Target) -> _Arguments:
    numbers = [round(each / _EMU_PER_CM, 1) for each in empty_place(target.site)]
    place = dict(zip(("left_cm", "top_cm", "width_cm", "height_cm"), numbers, strict=True))
    return {"text": target["text"], **place}


def _constant(**arguments: Any) -> Callable[[_Target], _Arguments]:
    return lambda target: arguments


def _params(**names: str) -> Callable[[_Target], _Arguments]:
    """Return a function that reads call arguments from the edit's parameters."""
    return lambda target: {key: target[name] for key, name in names.items()}


_Call = tuple[str, Callable[[_Target], _Arguments]]
_TEXT_CALLS: Mapping[str, _Call] = {
    "set-title": ("set_text", _params(text="text")),
    "set-box-text": ("set_text", _params(text="text")),
    "fill-placeholder": ("set_text", _params(text="text")),
    "change-line": ("set_text", _paragraph),
    "replace-word": ("replace_text", _params(old="old", new="new")),
    "bold-text": ("set_run_format", _constant(bold=True)),
    "italic-text": ("set_run_format", _constant(italic=True)),
    "underline-text": ("set_run_format", _constant(underline=True)),
    "font-size": ("set_run_format", _params(size_pt="size")),
    "font-color": ("set_run_format", lambda target: {"color": target.color}),
    "font-face": ("set_run_format", _params(font="font")),
    "align-text": ("set_paragraph_format", _params(align="align")),
    "line-spacing": (
        "set_paragraph_format",
        lambda target: {"line_spacing": target["percent"] / 100},
    ),
    "set-notes": ("set_notes", _params(text="text")),
    "set-cell": ("set_cell", lambda target: {**target.site.detail, "text": target["text"]}),
    "delete-row": ("delete_row", _row),
    "add-row": ("add_row", _last_row),
    "chart-title": ("set_chart_title", _params(text="text")),
    "describe-picture": ("set_alt_text", _params(text="text")),
    "describe-shape": ("set_alt_text", _params(text="text")),
    "link-text": ("set_link", _params(address="url")),
    "link-to-slide": ("set_link", lambda target: {"to_slide": target.slide_id(target["to"])}),
}
_SLIDE_CALLS: Mapping[str, _Call] = {
    "hide-slide": ("hide_slide", _constant()),
    "show-slide": ("hide_slide", _constant(hidden=False)),
    "delete-slide": ("delete_slide", _constant()),
    "duplicate-slide": ("duplicate_slide", _constant()),
    "move-slide": ("move_slide", _params(position="to")),
    "insert-layout-slide": (
        "add_slide",
        lambda target: {"layout": target["layout"], "position": target.site.number + 1},
    ),
    "change-layout": ("set_layout", _params(layout="layout")),
    "slide-background": ("set_background", lambda target: {"color": target.color}),
    "theme-accent": (
        "set_theme_color",
        lambda target: {"slot": target["slot"], "color": target.color},
    ),
    "set-transition": ("set_transition", _params(kind="kind")),
    "no-transition": ("set_transition", _constant(kind="none")),
    "auto-advance": ("set_advance", _params(seconds="seconds")),
    "no-animations": ("remove_animations", _constant()),
    "animate-shape": (
        "add_animation",
        lambda target: {"effect": target["effect"], "start": _STARTS[target["trigger"]]},
    ),
}
_SHAPE_CALLS: Mapping[str, _Call] = {
    **dict.fromkeys(
        ("delete-shape", "delete-picture", "delete-media", "delete-placeholder"),
        ("delete_shape", _constant()),
    ),
    "delete-line-shape": ("delete_shape", _constant()),
    "resize-picture": ("move_shape", _size),
    "crop-picture": ("crop_picture", lambda target: {target["side"]: target["percent"] / 100}),
    "move-media": ("move_shape", _params(left_cm="left_cm")),
    "place-shape": ("move_shape", _params(left_cm="left_cm", top_cm="top_cm")),
    "rotate-shape": ("move_shape", _params(rotation_deg="degrees")),
    "order-shape": ("reorder_shape", _params(to="to")),
    "fill-shape": ("set_fill", lambda target: {"color": target.color}),
    "unfill-shape": ("set_fill", _constant(color=None)),
    **dict.fromkeys(
        ("outline-shape", "line-color"),
        ("set_line", lambda target: {"color": target.color, "width_pt": target["width"]}),
    ),
    "join-shapes": (
        "add_connector",
        lambda target: {
            "start": target.shape_id(target.site.shape_index),
            "end": target.shape_id(target.site.other_index),
        },
    ),
    "add-shape": (
        "add_shape",
        lambda target: {
            "outline": _OUTLINES.get(target["kind"], target["kind"]),
            **_new_shape(target),
        },
    ),
    "add-text-box": ("add_text_box", _new_shape),
}
_CALLS: Mapping[str, _Call] = MappingProxyType({**_TEXT_CALLS, **_SLIDE_CALLS, **_SHAPE_CALLS})

CALLED_OPERATORS: Final = tuple(_CALLS)
"""The operators whose edits are a single typed call."""
