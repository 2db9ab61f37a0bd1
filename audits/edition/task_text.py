"""Rewriting a task's file: instruction, answers, rubric, scope, macros."""

from collections.abc import Iterator, Mapping
from typing import Any

from pptarena.audits.edition.substitution import Substitution

__all__ = ["rewritten_task", "task_texts"]

_FIXED = frozenset((
    "canary", "check", "deck", "difficulty", "edit_types", "files", "gold", "id", "level", "macro",
    "sha256",
))  # fmt: skip
# Edits of the packaged deck; the gold decks of the edition stand in for them.
_LEFT_OUT = "solution"
_NUMBERS = frozenset(("value", "values"))


def rewritten_task(value: Any, by: Substitution, key: str = "") -> Any:
    """Return what a task file holds, with all words and figures replaced.

    Args:
        value: The object in it, or a part of one.
        by: What stands instead of what.
        key: The key that the value belongs to.
    """
    if key in _FIXED:
        return value
    if isinstance(value, Mapping):
        kept = {name: each for name, each in value.items() if name != _LEFT_OUT}
        return {by.text(name): rewritten_task(each, by, name) for name, each in kept.items()}
    if isinstance(value, list):
        return [rewritten_task(each, by, key) for each in value]
    if isinstance(value, str):
        return by.text(value)
    if key in _NUMBERS and isinstance(value, int | float) and not isinstance(value, bool):
        new = by.number(str(value))
        return value if new == str(value) else type(value)(new)
    return value


def task_texts(value: Any, key: str = "") -> Iterator[str]:
    """Yield all texts of a task file that `rewritten_task` rewrites."""
    if key in _FIXED or key == _LEFT_OUT:
        return
    if isinstance(value, Mapping):
        for name, each in value.items():
            if name != _LEFT_OUT:
                yield name
            yield from task_texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from task_texts(each, key)
    elif isinstance(value, str):
        yield value
