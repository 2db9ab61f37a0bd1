"""The goals of the later turns of tasks; those of first turns are in the tables of their decks."""

from collections.abc import Callable, Mapping
from typing import Any

from pptarena.tasks.goals.editing import delete_slide, set_title, shape_named, slide_at

__all__ = ["LATER_GOALS"]

Edit = Callable[[Any], None]


def _line(number: int, name: str, line: int, text: str) -> Edit:
    """Return what rewrites a paragraph of a shape, counted from 1."""

    def edit(deck: Any) -> None:
        shape_named(deck, number, name).text_frame.paragraphs[line - 1].runs[0].text = text

    return edit


def _body_line(number: int, line: int, text: str) -> Edit:
    def edit(deck: Any) -> None:
        body = slide_at(deck, number).placeholders[1]
        body.text_frame.paragraphs[line - 1].runs[0].text = text

    return edit


def _title(number: int, text: str) -> Edit:
    return lambda deck: set_title(deck, number, text)


def _notes(number: int, text: str) -> Edit:
    def edit(deck: Any) -> None:
        slide_at(deck, number).notes_slide.notes_text_frame.text = text

    return edit


def _hide(number: int) -> Edit:
    def edit(deck: Any) -> None:
        slide_at(deck, number)._element.set("show", "0")

    return edit


def _delete(number: int) -> Edit:
    return lambda deck: delete_slide(deck, number)


LATER_GOALS: Mapping[str, tuple[Edit, ...]] = {
    "aurora-second-thoughts": (
        _notes(15, "Thank the community team, and Bo by name."),
        _hide(8),
    ),
    "clinic-minutes": (
        _body_line(16, 3, "Train all night shifts by Easter"),
        _notes(12, "The median was 24 days."),
    ),
    "harbor-phone-call": (
        _notes(25, "Die Bäume stehen im Haushalt 2030."),
        _hide(28),
    ),
    "kanto-rehearsal": (
        _notes(9, "新店は東京、神奈川、千葉です。"),
        _hide(18),
    ),
    "ledger-corrections": (
        _line(4, "Tile 3", 1, "762.6"),
        _notes(10, "Erlen was corrected on 20 October."),
    ),
    "negev-trainer-turns": (
        _title(9, "طريق الماء إلى الجذر"),
        _hide(22),
        _notes(19, "عشر دقائق فقط"),
    ),
    "onboard-first-day": (_hide(15), _delete(3)),
    "townhall-head-turns": (
        _delete(10),
        _hide(39),
        _body_line(45, 3, "Speed is eight"),
        _title(6, "What moved our result"),
    ),
}
"""What carries out each turn after the first, one after the other on the same presentation."""
