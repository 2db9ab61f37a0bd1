"""Find the elements of a paragraph with text, and read their text."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from lxml.etree import _Element

from pptarena.decks.package.compatibility import selected_branch
from pptarena.decks.package.names import MC, A, M, find_path, local_name, true_attribute
from pptarena.decks.read.context import Theme
from pptarena.decks.read.text_values import RunValues, run_values

__all__ = ["A14_MATH", "equation_text", "equation_values", "line_text", "run_elements", "run_text"]

_TEXT, _RUN, _BREAK, _FIELD = (f"{A}{name}" for name in ("t", "r", "br", "fld"))
_ALTERNATIVES = f"{MC}AlternateContent"


def run_elements(paragraph: _Element) -> Iterator[_Element]:
    """Yield the elements of a paragraph, resolving alternative content.

    Alternative content yields the branch that PowerPoint reads: for an equation, the equation
    instead of its picture. If that branch has no text, the fallback is used.
    """
    for child in paragraph:
        if child.tag == _ALTERNATIVES:
            texts = (list(run_elements(branch)) for branch in _branches(child))
            yield from next((each for each in texts if any(map(run_text, each))), ())
        else:
            yield child


def _branches(alternatives: _Element) -> Iterator[_Element]:
    selected, fallback = selected_branch(alternatives), alternatives.find(f"{MC}Fallback")
    if selected is not None:
        yield selected
    if fallback is not None and fallback is not selected:
        yield fallback


def run_text(element: _Element) -> str:
    """Return the text of a run, a break, a field or an equation; empty for other elements."""
    tag = element.tag
    if tag == _RUN:
        return element.findtext(_TEXT) or ""
    if tag == _BREAK:
        return "\v"
    if tag == _FIELD:
        kind = element.get("type") or ""
        # The content of these fields depends on the slide and the date.
        for field_type in ("slidenum", "datetime"):
            if kind.startswith(field_type):
                return f"[{field_type}]"
        return element.findtext(_TEXT) or ""
    return equation_text(element) if tag == A14_MATH else ""


def line_text(paragraph: _Element, line_break: str = "\v") -> str:
    """Return the text of an ``a:p``; automatic fields are represented by their type."""
    return "".join(map(run_text, run_elements(paragraph))).replace("\v", line_break)


A14_MATH: Final = "{http://schemas.microsoft.com/office/drawing/2010/main}m"

_MAX_DEPTH = 80  # elements; deeper content is read as plain text
_FRACTIONS: Final[Mapping[str, str]] = {"noBar": "¦", "lin": "∕", "skw": "⁄"}  # noqa: RUF001
_SCRIPTS: Final[Mapping[str, str]] = {"sub": "_", "sup": "^"}


def equation_text(element: _Element) -> str:
    """Return the linear text of an element such as ``a14:m`` or ``m:oMath``."""
    return _linear(element, 0)


def equation_values(element: _Element, colors: Mapping[str, str], theme: Theme) -> RunValues:
    """Return the run values of an equation: those of its first run.

    If its runs differ, or use an alphabet such as double-struck, ``detail`` is a digest of them.
    """
    first: RunValues = {}
    styles: set[str] = set()
    for run in element.iter(f"{M}r"):
        properties = run.find(f"{A}rPr")
        own: RunValues = {} if properties is None else run_values(properties, colors, theme)
        alphabet = [
            f"{local_name(each)}={each.get(f'{M}val') or ''}" for each in run.iterfind(f"{M}rPr/*")
        ]
        first = first if styles else own
        styles.add(f"{sorted(own.items())} {sorted(alphabet)}")
    if len(styles) > 1 or any(not each.endswith(" []") for each in styles):
        digest = hashlib.sha256(repr(sorted(styles)).encode()).hexdigest()
        return {**first, "detail": f"equation {digest[:16]}"}
    return first


def _linear(element: _Element, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return "".join(each.text or "" for each in element.iter(f"{M}t"))
    if element.tag == f"{M}t":
        return element.text or ""
    formatter = _FORMATTERS.get(str(element.tag))
    if formatter is not None:
        return formatter(element, depth + 1)
    parts = [_linear(each, depth + 1) for each in element if not local_name(each).endswith("Pr")]
    # Each equation of a paragraph is on a line of its own.
    return ("\v" if element.tag == f"{M}oMathPara" else "").join(parts)


def _part(element: _Element, name: str, depth: int) -> str:
    part = element.find(f"{M}{name}")
    return "" if part is None else _linear(part, depth + 1)


def _operand(element: _Element, name: str, depth: int) -> str:
    text = _part(element, name, depth)
    return text if len(text) == 1 else f"({text})"


def _property(element: _Element, name: str) -> _Element | None:
    """Return a property of a structure, such as ``chr`` of ``m:naryPr``."""
    return find_path(element, f"{M}{local_name(element)}Pr", f"{M}{name}")


def _setting(element: _Element, name: str, default: str = "") -> str:
    element_property = _property(element, name)
    return default if element_property is None else element_property.get(f"{M}val", default)


def _is_hidden(element: _Element, name: str) -> bool:
    element_property = _property(element, name)
    return element_property is not None and true_attribute(element_property, f"{M}val") is not False


def _scripts(element: _Element, depth: int) -> str:
    text = ""
    for name, operator in _SCRIPTS.items():
        if element.find(f"{M}{name}") is not None and not _is_hidden(element, f"{name}Hide"):
            text += operator + _operand(element, name, depth)
    return text


def _radical(element: _Element, depth: int) -> str:
    degree = "" if _is_hidden(element, "degHide") else _part(element, "deg", depth)
    return f"√({degree}{'&' if degree else ''}{_part(element, 'e', depth)})"


def _delimited(element: _Element, depth: int) -> str:
    content = _join_elements(element, _setting(element, "sepChr", "|"), depth)
    return f"{_setting(element, 'begChr', '(')}{content}{_setting(element, 'endChr', ')')}"


def _join_elements(element: _Element, separator: str, depth: int) -> str:
    return separator.join(_linear(each, depth + 1) for each in element.findall(f"{M}e"))


def _rows(element: _Element, depth: int) -> str:
    return "@".join(_join_elements(row, "&", depth + 1) for row in element.findall(f"{M}mr"))


def _is_above(element: _Element) -> bool:
    return _setting(element, "pos") == "top"


_BY_NAME: Final[Mapping[str, Callable[[_Element, int], str]]] = {
    "f": lambda e, depth: _FRACTIONS.get(_setting(e, "type"), "/").join(
        _operand(e, name, depth) for name in ("num", "den")
    ),
    **dict.fromkeys(
        ("sSub", "sSup", "sSubSup"),
        lambda e, depth: _operand(e, "e", depth) + _scripts(e, depth),
    ),
    "sPre": lambda e, depth: f"({_scripts(e, depth)}){_operand(e, 'e', depth)}",
    "rad": _radical,
    "d": _delimited,
    "nary": lambda e, depth: (
        f"{_setting(e, 'chr', '∫')}{_scripts(e, depth)}▒{_operand(e, 'e', depth)}"
    ),
    "func": lambda e, depth: f"{_part(e, 'fName', depth)} {_part(e, 'e', depth)}",
    "limLow": lambda e, depth: f"{_operand(e, 'e', depth)}┬{_operand(e, 'lim', depth)}",
    "limUpp": lambda e, depth: f"{_operand(e, 'e', depth)}┴{_operand(e, 'lim', depth)}",
    "acc": lambda e, depth: _operand(e, "e", depth) + _setting(e, "chr", "\u0302"),
    "bar": lambda e, depth: f"{'¯' if _is_above(e) else '▁'}({_part(e, 'e', depth)})",
    "groupChr": lambda e, depth: (
        f"{_setting(e, 'chr', '⏟')}{'┴' if _is_above(e) else ''}({_part(e, 'e', depth)})"
    ),
    "borderBox": lambda e, depth: f"▭({_part(e, 'e', depth)})",
    "m": lambda e, depth: f"■({_rows(e, depth)})",
    "eqArr": lambda e, depth: f"█({_join_elements(e, '@', depth)})",
}
_FORMATTERS: Final = {f"{M}{name}": form for name, form in _BY_NAME.items()}
