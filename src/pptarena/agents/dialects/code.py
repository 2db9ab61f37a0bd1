"""Parse Python code of models without executing it: known functions with literal values."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pptarena.errors import DialectError

__all__ = ["CodeCall", "Tag", "code_blocks", "read_calls", "text_outside_code"]

_MAX_CHARS = 20_000
_MAX_VALUES = 50
_FENCE = "```"
_TAG = re.compile(r"tag_(\d{1,4})")
_IMPORTS = frozenset({"pyautogui", "time", "pyperclip"})


@dataclass(frozen=True, slots=True)
class Tag:
    """The variable ``tag_<number>``: the position of an element."""

    number: int


@dataclass(frozen=True, slots=True)
class CodeCall:
    """One call: the dotted name of a function and its literal arguments."""

    name: str
    positional: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def arguments(self, *names: str) -> dict[str, Any]:
        """Return all arguments by name; `names` are those of the positional arguments.

        Raises:
            DialectError: If there are too many arguments, or a duplicate.
        """
        if len(self.positional) > len(names):
            raise DialectError(
                f"expected at most {len(names)} arguments of {self.name}, "
                f"got {len(self.positional)}"
            )
        by_position = dict(zip(names, self.positional, strict=False))
        if duplicates := set(by_position) & set(self.named):
            raise DialectError(f"{self.name} got {', '.join(sorted(duplicates))} twice")
        return {**by_position, **self.named}


def code_blocks(text: str) -> list[tuple[str, str]]:
    """Return the fenced blocks of a text as language and content; all of the text if it has none.

    A fence must be on a separate line, because texts within the code may contain one. A single word
    between two fences on one line is accepted too.
    """
    blocks: list[tuple[str, list[str]]] = []
    in_block = False
    for line in text.split("\n"):
        stripped = line.strip()
        word = stripped.strip("` ")
        if in_block and stripped == _FENCE:
            in_block = False
        elif in_block:
            blocks[-1][1].append(line)
        elif stripped.startswith(_FENCE) and stripped.endswith(_FENCE) and word.isupper():
            blocks.append(("", [word]))
        elif stripped.startswith(_FENCE):
            in_block = True
            blocks.append((word.lower(), []))
    return [(name, "\n".join(lines)) for name, lines in blocks] or [("", text.strip())]


def text_outside_code(text: str) -> str:
    """Return a text without its fenced blocks and headings; empty if it has no block."""
    lines, in_block, has_block = [], False, False
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith(_FENCE):
            in_block, has_block = not in_block and not stripped.strip("` ").isupper(), True
        elif not in_block and not stripped.startswith("#"):
            lines.append(stripped)
    return "\n".join(filter(None, lines)) if has_block else ""


def read_calls(code: str) -> list[CodeCall]:
    """Return the calls of a piece of code, in order.

    Only expression statements that are calls are accepted, with numbers, texts, lists of these,
    None, True, False and ``tag_<number>`` as arguments. Imports of pyautogui and time are ignored.
    Everything else is refused, including loops, variables, attributes and arithmetic.

    Raises:
        DialectError: If there is anything else, or the code is not valid Python.
    """
    if len(code) > _MAX_CHARS:
        raise DialectError(f"expected code of at most {_MAX_CHARS} characters, got {len(code)}")
    try:
        body = ast.parse(code).body
        return [call for statement in body for call in _statement(statement)]
    except SyntaxError as error:
        raise DialectError(
            f"the code is not valid Python: {error.msg} (line {error.lineno})"
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise DialectError(f"the code cannot be read: {type(error).__name__}") from error


def _statement(statement: ast.stmt) -> Iterator[CodeCall]:
    match statement:
        case ast.Import(names=names) if {alias.name for alias in names} <= _IMPORTS:
            return
        case ast.Expr(value=ast.Call() as call):
            yield _call(call)
        case ast.Expr(value=ast.Name(id=name)) if name.isupper():  # WAIT, DONE, FAIL
            yield CodeCall(name)
        case ast.Expr(value=ast.Constant(value=str())):
            return  # a docstring used as a comment
        case _:
            kind = type(statement).__name__
            raise DialectError(
                f"expected only calls such as pyautogui.click(x, y), got {kind} "
                f"in line {statement.lineno}"
            )


def _call(call: ast.Call) -> CodeCall:
    named: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise DialectError("expected named arguments, got **")
        named[keyword.arg] = _value(keyword.value)
    return CodeCall(_name(call.func), tuple(_value(argument) for argument in call.args), named)


def _name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 4:
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise DialectError("expected the name of a function, got an expression")
    return ".".join([node.id, *reversed(parts)])


def _value(node: ast.expr, depth: int = 0) -> Any:
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if (
            depth < 2 and len(elements) <= _MAX_VALUES
        ):
            return [_value(element, depth + 1) for element in elements]
        case ast.Name(id=name) if match := _TAG.fullmatch(name):
            return Tag(int(match[1]))
        case ast.Starred(value=ast.Name(id=name)) if match := _TAG.fullmatch(name):
            return Tag(int(match[1]))
    raise DialectError(f"expected numbers and texts as arguments, got {type(node).__name__}")
