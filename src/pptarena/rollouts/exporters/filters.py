"""Filters for exports: expressions such as ``score>=0.9,steps<=20,agent=ui-tars*``.

They are parsed, never executed. Clauses are joined by commas, and all must be true; each is a
field, a comparison and a value.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from pptarena.errors import ConfigError
from pptarena.rollouts.episode import EpisodeMeta

__all__ = ["Keep", "parse_filter"]

Keep = Callable[[EpisodeMeta], bool]
"""Returns whether an episode is exported."""

_CLAUSE = re.compile(r"\s*([a-z_]+)\s*(>=|<=|!=|==|=|>|<)\s*(.*?)\s*")
_NUMBERS: Mapping[str, Callable[[EpisodeMeta], float | None]] = {
    "score": lambda meta: meta.score,
    "steps": lambda meta: meta.steps,
    "reward": lambda meta: meta.total_reward,
    "seed": lambda meta: meta.seed,
    "seconds": lambda meta: meta.reset_sec + meta.run_sec,
    "helped": lambda meta: float(bool(meta.help)),
}
_TEXTS: Mapping[str, Callable[[EpisodeMeta], tuple[str, ...]]] = {
    "agent": lambda meta: (meta.agent,),
    "task": lambda meta: (meta.task,),
    "suite": lambda meta: (meta.suite,),
    "difficulty": lambda meta: (meta.difficulty,),
    "edit_type": lambda meta: meta.edit_types,
    "end": lambda meta: (meta.end,),
    "machine": lambda meta: (meta.machine,),
}
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}


def parse_filter(expression: str) -> Keep:
    """Return the filter of an expression; an empty one keeps all episodes.

    Numbers compare by ``>= <= > < = !=``; texts by ``=`` and ``!=``, where ``*`` and ``?`` match
    any characters and one character.

    Raises:
        ConfigError: If the expression is invalid.
    """
    clauses = [_clause(part) for part in expression.split(",")] if expression.strip() else []
    return lambda meta: all(holds(meta) for holds in clauses)


def _clause(part: str) -> Keep:
    match = _CLAUSE.fullmatch(part)
    fields = ", ".join([*_NUMBERS, *_TEXTS])
    if match is None:
        raise ConfigError(f"expected a filter such as score>=0.9,steps<=20, got {part.strip()!r}")
    name, sign, value = match.groups()
    if name in _NUMBERS:
        return _number_clause(name, sign, value)
    if name not in _TEXTS:
        raise ConfigError(f"unknown field {name!r}: a filter has the fields {fields}")
    if sign not in ("=", "==", "!="):
        raise ConfigError(f"{name} is a text, which compares by = or !=, not by {sign}")
    read, is_equality = _TEXTS[name], sign != "!="
    return lambda meta: any(fnmatchcase(text, value) for text in read(meta)) is is_equality


def _number_clause(name: str, sign: str, value: str) -> Keep:
    try:
        bound = float(value)
    except ValueError:
        bound = math.nan
    if math.isnan(bound):
        raise ConfigError(f"{name}: expected a number after {sign}, got {value!r}")
    read, compare = _NUMBERS[name], _COMPARISONS[sign]

    def holds(meta: EpisodeMeta) -> bool:
        field = read(meta)
        return field is not None and compare(field, bound)

    return holds
