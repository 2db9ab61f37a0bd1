"""`Call`: one API call, and a parser of call sequences that executes nothing."""

import ast
import math
import warnings
from dataclasses import dataclass

from pptarena.errors import TaskError

__all__ = ["MAX_SEQUENCE_CHARS", "Argument", "Call", "parse_calls", "parse_label"]

MAX_SEQUENCE_CHARS = 20_000

_LITERALS = "expected a text, a number or a list of them"

Argument = str | int | float | tuple["Argument", ...]
"""A literal: lists become tuples, and a bare name becomes its text."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call with literal arguments.

    Attributes:
        name: Name of the API; empty if the call cannot be parsed.
        args: Positional arguments.
        keywords: Named arguments, in order.
        text: Source text of the call.
    """

    name: str
    args: tuple[Argument, ...]
    keywords: tuple[tuple[str, Argument], ...]
    text: str


def parse_calls(text: str) -> tuple[Call, ...]:
    """Parse calls separated by ``;`` or line breaks; nothing is evaluated.

    A bare name as an argument, as in ``set_top(picture, table)``, is read as text.

    Args:
        text: Calls such as ``choose_title();insert_text("Hello")``.

    Raises:
        TaskError: If the text contains anything but calls with literal arguments; the message
            contains the location.
    """
    if len(text) > MAX_SEQUENCE_CHARS:
        raise TaskError(
            f"expected at most {MAX_SEQUENCE_CHARS} characters of calls, got {len(text)}"
        )
    try:
        with warnings.catch_warnings():
            # For example unknown escape sequences, which are still unambiguous.
            warnings.simplefilter("ignore")
            module = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        offset = getattr(error, "offset", None)
        location = f"letter {offset}: " if offset else ""
        raise TaskError(f"{location}expected calls parted by ';', got {_short(text)}") from error
    # `ast` splits lines like files and counts bytes; `ast.get_source_segment` is slow.
    lines = text.strip().replace("\r\n", "\n").replace("\r", "\n").encode().split(b"\n")
    try:
        return tuple(_call(statement, _source_text(statement, lines)) for statement in module.body)
    except RecursionError as error:
        raise TaskError(f"expected literal arguments, got {_short(text)}") from error


_MAX_PARTS_PER_CALL = 20  # separated by semicolons, which a text may contain


def parse_label(text: str) -> tuple[Call, ...]:
    """Parse calls like `parse_calls`, but keep unparsable ones as calls without a name.

    Calls without a name fail when executed. Published labels contain some; the benchmark skips
    them.

    Raises:
        TaskError: If the text is too long.
    """
    if len(text) > MAX_SEQUENCE_CHARS:
        return parse_calls(text)
    try:
        return parse_calls(text)
    except TaskError:
        pass
    parts, calls = text.split(";"), list[Call]()
    while parts:
        for count in range(1, min(len(parts), _MAX_PARTS_PER_CALL) + 1):
            try:
                calls += parse_calls(";".join(parts[:count]))
            except TaskError:
                continue
            del parts[:count]
            break
        else:
            calls.append(Call("", (), (), parts.pop(0).strip()))
    return tuple(calls)


def _source_text(statement: ast.stmt, lines: list[bytes]) -> str:
    """Return the source text of a statement."""
    first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
    rows = lines[first : last + 1]
    rows[-1] = rows[-1][: statement.end_col_offset]
    rows[0] = rows[0][statement.col_offset :]
    return b"\n".join(rows).decode("utf-8", "replace")


def _call(statement: ast.stmt, source: str) -> Call:
    node = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise TaskError(f"expected a call such as choose_title(), got {_short(source)}")
    name = node.func.id
    keywords = []
    for keyword in node.keywords:
        if keyword.arg is None:
            raise TaskError(f"{name}: expected named arguments, got {_short(source)}")
        keywords.append((keyword.arg, _argument(keyword.value, name)))
    args = tuple(_argument(argument, name) for argument in node.args)
    return Call(name, args, tuple(keywords), source)


def _argument(node: ast.expr, name: str) -> Argument:
    if isinstance(node, ast.Constant) and type(node.value) in (str, int):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        if math.isfinite(node.value):
            return node.value
    elif isinstance(node, ast.List | ast.Tuple):
        return tuple(_argument(element, name) for element in node.elts)
    elif isinstance(node, ast.Name):
        return node.id
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _argument(node.operand, name)
        if isinstance(value, int | float):
            return -value if isinstance(node.op, ast.USub) else value
    raise TaskError(f"{name}: {_LITERALS}, got {_short(ast.unparse(node))}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
