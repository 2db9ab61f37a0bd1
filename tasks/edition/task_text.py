"""Rewrite a task file: instruction, answers, rubric, scope, macros."""

from collections.abc import Iterator, Mapping
from typing import Any

from pptarena.tasks.edition.substitution import Substitution

__all__ = ["rewritten_task", "task_texts"]

_FIXED = frozenset((
    "canary", "check", "deck", "difficulty", "edit_types", "files", "gold", "id", "level", "macro",
    "sha256",
))  # fmt: skip
# Edits apply to the packaged deck; an edition has gold decks instead.
_LEFT_OUT = "solution"
_NUMBERS = frozenset(("value", "values"))


def rewritten_task(value: Any, by: Substitution, key: str = "") -> Any:
    """Return the value of a task file with all names and figures replaced.

    Args:
        value: The task file's object, or a part of it.
        by: The replacements.
        key: Key of the value.
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
