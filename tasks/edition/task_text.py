"""Rewrite a task file: instruction, answers, rubric, scope, macros."""

from collections.abc import Iterator, Mapping
from typing import Any

from pptarena.tasks.edition.substitution import Substitution

__all__ = ["rewrite_task", "task_texts"]

_UNCHANGED_KEYS = frozenset((
    "canary", "check", "deck", "difficulty", "edit_types", "files", "gold", "id", "level", "macro",
    "sha256",
))  # fmt: skip
# Edits apply to the packaged deck; an edition has gold decks instead.
_OMITTED_KEY = "solution"
_NUMBERS = frozenset(("value", "values"))


def rewrite_task(value: Any, substitution: Substitution, key: str = "") -> Any:
    """Return the value of a task file with all names and figures replaced.

    Args:
        value: The task file's object, or a part of it.
        substitution: The replacements.
        key: Key of the value.
    """
    if key in _UNCHANGED_KEYS:
        return value
    if isinstance(value, Mapping):
        included = {name: each for name, each in value.items() if name != _OMITTED_KEY}
        return {
            substitution.text(name): rewrite_task(each, substitution, name)
            for name, each in included.items()
        }
    if isinstance(value, list):
        return [rewrite_task(each, substitution, key) for each in value]
    if isinstance(value, str):
        return substitution.text(value)
    if key in _NUMBERS and isinstance(value, int | float) and not isinstance(value, bool):
        new = substitution.number(str(value))
        return value if new == str(value) else type(value)(new)
    return value


def task_texts(value: Any, key: str = "") -> Iterator[str]:
    """Yield all texts of a task file that `rewrite_task` rewrites."""
    if key in _UNCHANGED_KEYS or key == _OMITTED_KEY:
        return
    if isinstance(value, Mapping):
        for name, each in value.items():
            if name != _OMITTED_KEY:
                yield name
            yield from task_texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from task_texts(each, key)
    elif isinstance(value, str):
        yield value
