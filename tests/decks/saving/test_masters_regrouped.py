"""LibreOffice regroups layouts under masters when slides are added or deleted."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor

from pptarena.decks.package_writer import write_package
from pptarena.rewards import Change, diff_decks, read_deck
from pptarena.tasks.deck_files import read_deck_file
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.image

DECKS = ("meridian", "resistance")
Edit = Callable[[Any], object]


def _edited(deck: bytes, edit: Edit) -> bytes:
    presentation = Presentation(BytesIO(deck))
    edit(presentation)
    return write_package(presentation)


def _saved_changes(deck: str, *edits: Edit) -> list[Change]:
    """Return the changes between a deck and its edited copy, both saved by LibreOffice twice."""
    saver = Office()
    before = saver.save(read_deck_file(deck))
    after = before
    for edit in edits:
        after = _edited(after, edit)
    first, second = saver.save_all([before, after])
    assert isinstance(first, bytes)
    assert isinstance(second, bytes)
    return list(diff_decks(read_deck(first), read_deck(second)))


def _insert_second_slide(layout: str) -> Edit:
    def edit(presentation: Any) -> None:
        layouts = [each for m in presentation.slide_masters for each in m.slide_layouts]
        slide_layout = next(each for each in layouts if each.name == layout)
        presentation.slides.add_slide(slide_layout)
        ids = presentation.slides._sldIdLst
        entry = ids[-1]
        ids.remove(entry)
        ids.insert(1, entry)

    return edit


def _delete(number: int) -> Edit:
    def edit(presentation: Any) -> None:
        entry = presentation.slides._sldIdLst[number - 1]
        presentation.part.drop_rel(entry.rId)
        presentation.slides._sldIdLst.remove(entry)

    return edit


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("layout", ["Title Slide", "Title and Content", "Section Header"])
def test_new_slide_is_the_only_change(deck: str, layout: str) -> None:
    changes = _saved_changes(deck, _insert_second_slide(layout))
    assert [change.kind for change in changes] == ["slide_added"], [c.text for c in changes]


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("number", [1, 2, 5])
def test_deleted_slide_is_the_only_change(deck: str, number: int) -> None:
    changes = _saved_changes(deck, _delete(number))
    assert [change.kind for change in changes] == ["slide_removed"], [c.text for c in changes]


def _blue_masters(presentation: Any) -> None:
    color: Any = RGBColor
    for master in presentation.slide_masters:
        fill = master.background.fill
        fill.solid()
        fill.fore_color.rgb = color(0, 0, 255)


@pytest.mark.parametrize("deck", DECKS)
def test_master_edit_is_reported(deck: str) -> None:
    changes = _saved_changes(deck, _insert_second_slide("Title Slide"), _blue_masters)
    kinds = {change.kind for change in changes}
    assert "slide_added" in kinds
    master_kinds = {"master_changed", "master_background_changed", "background_changed"}
    assert kinds & master_kinds, [c.text for c in changes]
