"""The goals of the suite ``turns``."""

from collections.abc import Callable, Mapping
from typing import Any

from pptx.oxml.ns import qn

from pptarena.tasks.goals.editing import set_title, slide_at

__all__ = ["TURNS_GOALS", "TURNS_LATER"]

_PRODUCTS, _PRODUCTS_TITLE = 7, "Tents are now our largest line"
_BACKUP = 17


def _retitle(deck: Any) -> None:
    set_title(deck, _PRODUCTS, _PRODUCTS_TITLE)


def _retitle_again(deck: Any) -> None:
    set_title(deck, _PRODUCTS, "Tents lead")


def _hide_backup(deck: Any) -> None:
    slide_at(deck, _BACKUP)._element.set("show", "0")


def _rename_tent(deck: Any) -> None:
    for slide in deck.slides:
        for text in slide._element.iter(qn("a:t")):
            text.text = (text.text or "").replace("TrailLite", "TrailLight")


def _lecturer_runs(deck: Any) -> Any:
    return slide_at(deck, 1).placeholders[1].text_frame.paragraphs[1].runs


def _embolden_lecturer(deck: Any) -> None:
    for run in _lecturer_runs(deck):
        run.font.bold = run.font.italic = True


def _underline_lecturer(deck: Any) -> None:
    for run in _lecturer_runs(deck):
        run.font.underline = True


TURNS_GOALS: Mapping[str, Callable[[Any], None]] = {
    "meridian-second-thoughts": _retitle,
    "meridian-tent-and-title": _rename_tent,
    "resistance-lecturer-underlined": _embolden_lecturer,
}
"""What carries out the first turn of each task."""

TURNS_LATER: Mapping[str, tuple[Callable[[Any], None], ...]] = {
    "meridian-second-thoughts": (_hide_backup, _retitle_again),
    "meridian-tent-and-title": (_retitle,),
    "resistance-lecturer-underlined": (_underline_lecturer,),
}
"""What carries out each turn after the first."""
