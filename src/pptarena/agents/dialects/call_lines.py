"""Calls as lines of text, ``set_text(slide=256, shape=2, text="Hello")``.

The syntax is that of Python calls with literal keyword arguments. Small models know it from code,
and it takes about half the tokens of JSON. Lines are parsed, never executed.
"""

import ast
import json
from collections.abc import Mapping
from typing import Any

from pptarena.agents.dialects.values import short_repr
from pptarena.errors import DialectError

__all__ = ["parse_lines", "render_line"]

_JSON_NAMES = {"true": True, "false": False, "null": None}
_FENCE = "```"


def render_line(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as one line."""
    return f"{name}({', '.join(f'{key}={_literal(value)}' for key, value in arguments.items())})"


def parse_lines(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return name and arguments of every line that is a call; other lines are reasoning.

    Raises:
        DialectError: If no line is a call; the message describes the last line that resembles one.
    """
    calls: list[tuple[str, dict[str, Any]]] = []
    problem = (
        f'expected a line such as done() or name(argument="value"), got {short_repr(text[:80])}'
    )
    for line in text.split("\n"):
        stripped = line.strip().strip("`")
        if not stripped or stripped.startswith(_FENCE):
            continue
        try:
            node = ast.parse(stripped, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if not isinstance(node, ast.Call):
            continue
        try:
            calls.append(_call(node))
        except DialectError as error:
            problem = str(error)
    if not calls:
        raise DialectError(problem)
    return calls


def _call(node: ast.Call) -> tuple[str, dict[str, Any]]:
    if not isinstance(node.func, ast.Name):
        raise DialectError("expected the plain name of a tool before the parenthesis")
    name = node.func.id
    if node.args:
        raise DialectError(f"{name}: expected arguments by name, such as slide=256")
    arguments: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise DialectError(f"{name}: expected every argument once, by its name")
        arguments[keyword.arg] = _value(name, keyword.arg, keyword.value)
    return name, arguments


def _value(name: str, argument: str, node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in _JSON_NAMES:
        return _JSON_NAMES[node.id]
    try:
        value = ast.literal_eval(node)
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise DialectError(f"{name}: expected a plain value for {argument}") from error
    return value


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and value.is_integer():
        return repr(value)
    return json.dumps(value, ensure_ascii=False)
