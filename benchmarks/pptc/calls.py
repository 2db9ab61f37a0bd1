"""`Call`: one call of an API sequence, and how a sequence is read without running anything."""

import ast
import math
import warnings
from dataclasses import dataclass

from pptarena.errors import TaskError

__all__ = ["MAX_SEQUENCE_CHARS", "Argument", "Call", "parse_calls", "parse_label"]

MAX_SEQUENCE_CHARS = 20_000

_LITERALS = "expected a text, a number or a list of them"

Argument = str | int | float | tuple["Argument", ...]
"""A literal: lists are tuples, and a bare word is its own name."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call with literal arguments.

    Attributes:
        name: Of the API; empty if the call cannot be read.
        args: In order.
        keywords: Arguments given by name, in order.
        text: The call as it was written.
    """

    name: str
    args: tuple[Argument, ...]
    keywords: tuple[tuple[str, Argument], ...]
    text: str


def parse_calls(text: str) -> tuple[Call, ...]:
    """Read calls that are parted by ``;`` or by line breaks; nothing is evaluated.

    A bare word as an argument, such as in ``set_top(picture, table)``, is taken as that text.

    Args:
        text: Such as ``choose_title();insert_text("Hello")``.

    Raises:
        TaskError: If it is anything but calls with literal arguments; it names the place.
    """
    if len(text) > MAX_SEQUENCE_CHARS:
        raise TaskError(f"expected at most {MAX_SEQUENCE_CHARS} letters of calls, got {len(text)}")
    try:
        with warnings.catch_warnings():
            # Such as an unknown escape in a text; the text is still clear.
            warnings.simplefilter("ignore")
            module = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f"letter {place}: " if place else ""
        raise TaskError(f"{where}expected calls parted by ';', got {_short(text)}") from error
    # `ast` parts lines as files do and counts in bytes; its own look-up of a segment is slow.
    lines = text.strip().replace("\r\n", "\n").replace("\r", "\n").encode().split(b"\n")
    try:
        return tuple(_call(statement, _written(statement, lines)) for statement in module.body)
    except RecursionError as error:
        raise TaskError(f"expected literal arguments, got {_short(text)}") from error


_MAX_JOINED = 20  # parts of one call: a semicolon may stand in a text


def parse_label(text: str) -> tuple[Call, ...]:
    """Read calls as `parse_calls` does, but keep those that cannot be read as calls without a name.

    They fail when they are carried out. Published labels hold some; the benchmark passes over them.

    Raises:
        TaskError: If the text is too long.
    """
    if len(text) > MAX_SEQUENCE_CHARS:
        return parse_calls(text)
    try:
        return parse_calls(text)
    except TaskError:
        pass
    parts, found = text.split(";"), list[Call]()
    while parts:
        for count in range(1, min(len(parts), _MAX_JOINED) + 1):
            try:
                found += parse_calls(";".join(parts[:count]))
            except TaskError:
                continue
            del parts[:count]
            break
        else:
            found.append(Call("", (), (), parts.pop(0).strip()))
    return tuple(found)


def _written(statement: ast.stmt, lines: list[bytes]) -> str:
    """Return a statement as it was written."""
    first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
    rows = lines[first : last + 1]
    rows[-1] = rows[-1][: statement.end_col_offset]
    rows[0] = rows[0][statement.col_offset :]
    return b"\n".join(rows).decode("utf-8", "replace")


def _call(statement: ast.stmt, written: str) -> Call:
    node = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise TaskError(f"expected a call such as choose_title(), got {_short(written)}")
    name = node.func.id
    keywords = []
    for keyword in node.keywords:
        if keyword.arg is None:
            raise TaskError(f"{name}: expected named arguments, got {_short(written)}")
        keywords.append((keyword.arg, _argument(keyword.value, name)))
    args = tuple(_argument(each, name) for each in node.args)
    return Call(name, args, tuple(keywords), written)


def _argument(node: ast.expr, name: str) -> Argument:
    if isinstance(node, ast.Constant) and type(node.value) in (str, int):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        if math.isfinite(node.value):
            return node.value
    elif isinstance(node, ast.List | ast.Tuple):
        return tuple(_argument(each, name) for each in node.elts)
    elif isinstance(node, ast.Name):
        return node.id
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _argument(node.operand, name)
        if isinstance(value, int | float):
            return -value if isinstance(node.op, ast.USub) else value
    raise TaskError(f"{name}: {_LITERALS}, got {_short(ast.unparse(node))}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
