"""Recorded actions in other formats; points are fractions of the screen, 0 to 1."""

from pptarena.agents.dialects.base import Screen
from pptarena.agents.dialects.opencua import AgentNet
from pptarena.agents.dialects.pyautogui_reader import quote
from pptarena.agents.dialects.scalecua import ScaleCua
from pptarena.envs.actions import Action
from pptarena.errors import ActionError
from pptarena.rollouts.aim import with_point_targets
from pptarena.rollouts.episode import StepRecord

__all__ = ["call_text", "operation_text", "pyautogui_code"]


def pyautogui_code(step: StepRecord, screen: tuple[int, int]) -> str:
    """Return an action as AgentNet's code (`pptarena.agents.dialects.opencua`).

    Args:
        step: A stored action; a refused action that cannot be expressed becomes a comment.
        screen: Width and height in pixels.
    """
    action = with_point_targets(step.action, step.aim, screen)
    try:
        return AgentNet().code(action, Screen(screen))
    except ActionError:
        return _comment(action)


def call_text(step: StepRecord, screen: tuple[int, int]) -> str:
    """Return an action as ScaleCUA's calls (`pptarena.agents.dialects.scalecua`).

    Args:
        step: A stored action; a refused action that cannot be expressed becomes a comment.
        screen: Width and height in pixels.
    """
    action = with_point_targets(step.action, step.aim, screen)
    try:
        return ScaleCua().code(action, Screen(screen))
    except ActionError:
        return _comment(action)


def operation_text(step: StepRecord) -> str:
    """Describe an action in English: ``Click the button 'Bold'.``, ``Call hide_slide.``."""
    if step.call is not None:
        return f"Call {step.call['tool']}." if "tool" in step.call else "No call."
    action, target = step.action, step.aim.target
    operation = action.kind.replace("_", " ").capitalize()
    if target is not None:
        name = " ".join(str(target["name"]).split())
        return f"{operation} the {target['role']}" + (f" '{name}'." if name else ".")
    if action.kind == "key":
        return f"Press {action.keys}" + (f" {action.amount} times." if action.amount > 1 else ".")
    if action.text:
        return f"{operation} {quote(action.text)}."
    return f"{operation}."


def _comment(action: Action) -> str:
    return f"# {action!r}"
