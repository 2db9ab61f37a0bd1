"""Solutions of the small training tasks, from their macros."""

from typing import Any

from pptarena.edits import Solution
from pptarena.tasks.macros import MacroCall
from pptarena.tasks.task import Task

__all__ = ["small_steps"]

_SUITES = ("first-steps-", "two-steps-")
_EDITS: dict[str, dict[str, Any]] = {
    "delete_shape": {"edit": "delete_shape"},
    "delete_slide": {"edit": "delete_slide"},
    "duplicate_slide": {"edit": "duplicate_slide", "without": ["notes"]},
    "format_text": {"edit": "set_run_format"},
    "paragraph_align": {"edit": "set_paragraph_format"},
}
"""Edits by the macro that has the same arguments."""


def small_steps(task: Task) -> Solution:
    """Return the edits that solve a small training task; empty for other tasks.

    Its macros specify the complete solution in order.
    """
    # A task read from a file has a place, and its id may be anything.
    if task.place or not task.id.startswith(_SUITES):
        return ()
    found = [_edit(call) for call in task.macros]
    return [each for each in found if each] if all(found) else ()


def _edit(call: MacroCall) -> dict[str, Any] | None:
    if call.name == "insert_slide":
        return {"edit": "add_slide", "position": call.arguments["after"] + 1}
    return {**_EDITS[call.name], **call.arguments} if call.name in _EDITS else None
