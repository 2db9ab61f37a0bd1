"""Demonstrations and scenes: actions on controls that are addressed by role and name."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.problems import Problems
from pptarena.tasks.fields import Fields

__all__ = ["SCENE_KINDS", "STEP_KINDS", "DemoStep", "Target", "load_demonstration", "load_scene"]

Target = Mapping[str, Any]
"""Selects a control of the accessibility tree.

``role``: AT-SPI role name; ``name``: accessible name (at least one of them is required); ``nth``:
0-based position among the matches, in tree order; ``within``: the target of an ancestor.
"""

POINTER_STEP_KINDS = (
    "move",
    "click",
    "double_click",
    "triple_click",
    "right_click",
    "middle_click",
    "mouse_down",
    "mouse_up",
    "drag",
    "scroll",
)

STEP_KINDS = (
    *POINTER_STEP_KINDS,
    "key",
    "type",
    "copy_text",
    "copy_image",
    "paste",
    "switch_window",
    "wait",
    "ask",
    "done",
    "fail",
)
"""Action kinds allowed in a demonstration; ``done`` is appended after the last step.

In a multi-turn task ``done`` also ends each turn except the last.
"""

_NOT_IN_SCENES = ("ask", "done", "fail")
SCENE_KINDS = (*(kind for kind in STEP_KINDS if kind not in _NOT_IN_SCENES), "open_program")
"""Action kinds allowed in a scene."""

_TEXT_KINDS = ("type", "copy_text", "switch_window", "ask", "open_program")


@dataclass(frozen=True, slots=True)
class DemoStep:
    """One action of a demonstration.

    Attributes:
        kind: One of `STEP_KINDS`, or of `SCENE_KINDS` in a scene.
        target: The control of a pointer action.
        end_target: The control where a drag ends.
        keys: ``key``: the key combination; pointer kinds: modifiers held down.
        text: Text for ``type`` and ``copy_text``; title of a window for ``switch_window``; the
            question of ``ask``; name of a program for ``open_program``.
        amount: ``scroll``: wheel clicks, positive is down; ``key``: repeats; ``wait``: seconds.
        at, end_at: Points in the boxes of `target` and `end_target`, from (0, 0) at the top left to
            (1, 1); None aims at the center.
    """

    kind: str
    target: Target | None = None
    end_target: Target | None = None
    keys: str = ""
    text: str = ""
    amount: int = 0
    at: tuple[float, float] | None = None
    end_at: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the step as in task files, without fields at their default."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "", 0)}


def load_demonstration(value: Sequence[Any], location: str) -> tuple[DemoStep, ...]:
    """Read the steps of a demonstration from JSON.

    Raises:
        TaskError: If some steps are malformed; each problem begins with its location.
    """
    return _steps(value, location, STEP_KINDS)


def load_scene(value: Sequence[Any], location: str) -> tuple[DemoStep, ...]:
    """Read the steps of a scene from JSON: what is done before an episode begins.

    Raises:
        TaskError: If some steps are malformed; each problem begins with its location.
    """
    return _steps(value, location, SCENE_KINDS)


def _steps(value: Sequence[Any], location: str, kinds: tuple[str, ...]) -> tuple[DemoStep, ...]:
    problems = Problems(TaskError)
    steps = problems.read_each(value, lambda index, step: _step(step, f"{location}/{index}", kinds))
    problems.finish()
    return steps


def _step(value: Any, location: str, kinds: tuple[str, ...]) -> DemoStep:
    fields, problems = Fields(value, location), Problems(TaskError)
    read = problems.read
    step = DemoStep(
        kind=read(lambda: fields.choice("kind", kinds)),
        target=read(lambda: _target(fields.optional("target"), fields.location("target"))),
        end_target=read(
            lambda: _target(fields.optional("end_target"), fields.location("end_target"))
        ),
        keys=read(lambda: fields.take("keys", str, "")),
        text=read(lambda: fields.take("text", str, "")),
        amount=read(lambda: fields.take("amount", int, 0)),
        at=read(lambda: _point(fields, "at")),
        end_at=read(lambda: _point(fields, "end_at")),
    )
    read(fields.finish)
    problems.finish()
    if (step.target is not None) != (step.kind in (*POINTER_STEP_KINDS, "copy_image")):
        verb = "needs" if step.target is None else "takes no"
        raise TaskError(f"{location}: a step of kind {step.kind!r} {verb} target")
    if (step.end_target is not None) != (step.kind == "drag"):
        raise TaskError(f"{location}: end_target and kind 'drag' go together")
    for name, target in (("at", step.target), ("end_at", step.end_target)):
        if getattr(step, name) is not None and (target is None or step.kind == "copy_image"):
            raise TaskError(f"{location}: {name} is a point in a target, and the step has none")
    for name, kinds in (("keys", ("key",)), ("text", _TEXT_KINDS)):
        if step.kind in kinds and not getattr(step, name):
            raise TaskError(f"{location}: a step of kind {step.kind!r} needs {name}")
    return step


def _point(fields: Fields, name: str) -> tuple[float, float] | None:
    if not fields.has(name):
        return None
    value = fields.list(name)
    numbers = [each for each in value if isinstance(each, int | float) and 0 <= each <= 1]
    if len(value) != 2 or len(numbers) != 2:
        raise TaskError(
            f"{fields.location(name)}: expected two numbers in [0, 1], got {value!r:.80}"
        )
    return float(value[0]), float(value[1])


def _target(value: Any, location: str) -> Target | None:
    if value is None:
        return None
    fields = Fields(value, location)
    target: dict[str, Any] = {
        name: fields.take(name, str) for name in ("role", "name") if name in value
    }
    if not target:
        raise TaskError(f"{location}: expected a role or a name")
    nth = fields.take("nth", int, 0)
    if nth < 0:
        raise TaskError(f"{fields.location('nth')}: expected 0 or more, got {nth}")
    within = _target(fields.optional("within"), fields.location("within"))
    fields.finish()
    return target | ({"nth": nth} if nth else {}) | ({"within": within} if within else {})
