"""What a paragraph consists of, and what each piece of it says."""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.package.names import MC, A
from pptarena.decks.read.equations import A14_MATH, equation_text

__all__ = ["run_elements", "run_text"]

_TEXT, _RUN, _BREAK, _FIELD = (f"{A}{name}" for name in ("t", "r", "br", "fld"))
_ALTERNATIVES = f"{MC}AlternateContent"


def run_elements(paragraph: _Element) -> Iterator[_Element]:
    """Yield what a paragraph, or a branch of alternatives in it, consists of.

    Of alternatives these are the elements of the first branch with any text: of an equation, the
    equation and not the picture of it.
    """
    for child in paragraph:
        if child.tag == _ALTERNATIVES:
            branches = (list(run_elements(branch)) for branch in child)
            yield from next((each for each in branches if any(map(run_text, each))), ())
        else:
            yield child


def run_text(element: _Element) -> str:
    """Return what a run, a break, a field or an equation says; empty for other elements."""
    tag = element.tag
    if tag == _RUN:
        return element.findtext(_TEXT) or ""
    if tag == _BREAK:
        return "\v"
    if tag == _FIELD:
        kind = element.get("type") or ""
        # What a field shows depends on where and when it is shown.
        for known in ("slidenum", "datetime"):
            if kind.startswith(known):
                return f"[{known}]"
        return element.findtext(_TEXT) or ""
    return equation_text(element) if tag == A14_MATH else ""
