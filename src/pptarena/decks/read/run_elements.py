"""Find the elements of a paragraph with text, and read their text."""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.package.compatibility import selected_branch
from pptarena.decks.package.names import MC, A
from pptarena.decks.read.equations import A14_MATH, equation_text

__all__ = ["run_elements", "run_text"]

_TEXT, _RUN, _BREAK, _FIELD = (f"{A}{name}" for name in ("t", "r", "br", "fld"))
_ALTERNATIVES = f"{MC}AlternateContent"


def run_elements(paragraph: _Element) -> Iterator[_Element]:
    """Yield the elements of a paragraph, resolving alternative content.

    Alternative content yields the branch that PowerPoint reads: for an equation, the equation
    instead of its picture. If that branch has no text, the fallback is used.
    """
    for child in paragraph:
        if child.tag == _ALTERNATIVES:
            found = (list(run_elements(branch)) for branch in _branches(child))
            yield from next((each for each in found if any(map(run_text, each))), ())
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
        for known in ("slidenum", "datetime"):
            if kind.startswith(known):
                return f"[{known}]"
        return element.findtext(_TEXT) or ""
    return equation_text(element) if tag == A14_MATH else ""
