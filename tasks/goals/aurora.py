"""The goals of the suite ``office`` on the deck ``aurora``."""

from collections.abc import Callable, Mapping
from typing import Any

from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    delete_slide,
    rewrite_cell,
    set_body_line,
    set_title,
    set_transition,
    shape_named,
    slide_at,
)
from pptarena.tasks.goals.media import add_media, replace_image
from pptarena.tasks.task_files import packaged_file

__all__ = ["AURORA_GOALS"]


def _team_photo(deck: Any) -> None:
    replace_image(shape_named(deck, 17, "Team photo"), packaged_file("aurora/team.png"))


def _desk_film(deck: Any) -> None:
    old = shape_named(deck, 10, "Placeholder 1")
    box = (old.left, old.top, old.width, old.height)
    old._element.getparent().remove(old._element)
    add_media(slide_at(deck, 10), "demo.avi", packaged_file("aurora/demo.avi"), box)


def _intro_sound(deck: Any) -> None:
    side = Cm(2.5)
    box = (deck.slide_width - side - Cm(1), deck.slide_height - side - Cm(1), side, side)
    add_media(slide_at(deck, 1), "intro.wav", packaged_file("aurora/intro.wav"), box)


def _grey_dawn(deck: Any) -> None:
    blip = shape_named(deck, 4, "Dawn")._element.blipFill.blip
    blip.append(blip.makeelement(qn("a:grayscl"), {}))


def _square_hero(deck: Any) -> None:
    photo = shape_named(deck, 7, "Hero")
    cut = (1 - photo.height / photo.width * (1 - photo.crop_left - photo.crop_right)) / 2
    photo.crop_left = photo.crop_right = cut
    photo.left, photo.width = photo.left + (photo.width - photo.height) // 2, photo.height


def _eight_seconds(deck: Any) -> None:
    for slide in deck.slides:
        old = slide._element.find(qn("p:transition"))
        if old is not None:
            old.getparent().remove(old)
        set_transition(slide, "fade")
        slide._element.find(qn("p:transition")).set("advTm", "8000")


def _cheaper(deck: Any) -> None:
    rewrite_cell(deck, 13, "Prices", 2, 2, "€139")
    set_title(deck, 18, "From €139, from 1 December")


def _theme_teal(deck: Any) -> None:
    part = deck.slide_masters[0].part.part_related_by(_THEME)
    part._blob = part.blob.replace(b"C4552D", b"1F7A8C")


def _light_titles(deck: Any) -> None:
    styles = deck.slide_masters[0]._element.find(qn("p:txStyles"))
    (style,) = styles.find(qn("p:titleStyle")).iter(qn("a:defRPr"))
    style.set("b", "0")


def _press_version(deck: Any) -> None:
    line = slide_at(deck, 1).placeholders[1].text_frame.paragraphs[1]
    line.runs[0].text = "Press preview, 11 November 2026"
    slide_at(deck, 14)._element.set("show", "0")
    for number in (3, 6, 12, 16):
        transition = slide_at(deck, number)._element.find(qn("p:transition"))
        transition.getparent().remove(transition)
    delete_slide(deck, 11)


_THEME = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"

AURORA_GOALS: Mapping[str, Callable[[Any], None]] = {
    "aurora-cheaper": _cheaper,
    "aurora-desk-film": _desk_film,
    "aurora-eight-seconds": _eight_seconds,
    "aurora-grey-dawn": _grey_dawn,
    "aurora-intro-sound": _intro_sound,
    "aurora-light-titles": _light_titles,
    "aurora-press-version": _press_version,
    "aurora-second-thoughts": lambda deck: set_body_line(deck, 15, 3, "The waiting list is closed"),
    "aurora-square-hero": _square_hero,
    "aurora-team-photo": _team_photo,
    "aurora-theme-teal": _theme_teal,
}
"""What carries out each task, as in ``office``; of tasks of several turns, the first."""
