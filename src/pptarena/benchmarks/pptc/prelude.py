"""Calls that restore the current slide and the selection on it."""

from typing import Any

from pptarena.benchmarks.pptc.find import SHAPES, find_all, top_of, word_of
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = ["prelude"]

_ONE = ("title", "content")
_BY_INDEX = ("textbox", "picture")
_LAST = ("chart", "table")


def prelude(work: Workspace) -> str:
    """Return calls that restore the current selection on a newly opened deck.

    Labels depend on the selection left by preceding labels. A selection that no call can make, such
    as a star behind another star, is omitted.
    """
    if not len(work.presentation.slides):
        return ""
    chosen = "" if work.current is None else _choice(work)
    return ";".join(filter(None, (f"move_to_slide({work.slide_index})", chosen)))


def _choice(work: Workspace) -> str:
    if hasattr(work.current, "_tc"):
        return _cell(work)
    word = word_of(work.current)
    same = find_all(work.slide, word)
    index = next((at for at, each in enumerate(same) if _is(each, work.current)), None)
    if index is None:
        return ""
    if word in _BY_INDEX:
        return f"choose_{word}({index})"
    if word in _ONE:
        return f"choose_{word}()" if index == 0 else ""
    if index < len(same) - 1:
        return ""
    if word in _LAST:
        return f"choose_{word}()"
    return f"choose_shape('{word}')" if word in SHAPES else ""


def _cell(work: Workspace) -> str:
    table = top_of(work.slide, "table").table
    for row in range(len(table.rows)):
        for column in range(len(table.columns)):
            if table.cell(row, column)._tc is work.current._tc:
                return f"choose_table_cell({row}, {column})"
    return ""


def _is(one: Any, other: Any) -> bool:
    return one._element is other._element
