import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from lxml.etree import _Element
from pptx import Presentation
from pptx.util import Inches
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.excerpt import Pages
from pptarena.decks.package_writer import write_package
from pptarena.decks.slide_variants import (
    TextRange,
    shape_elements,
    with_transparent_text,
    without_shape,
)
from pptarena.tasks import get_task

TASKS = ("meridian-hide-backup", "resistance-cell-picture")


def open_task_deck(task: str) -> Any:
    return Presentation(io.BytesIO(get_task(task).deck_bytes()))


@pytest.mark.slow
@each_case("task", TASKS)
def test_excerpt_contains_the_requested_slides(task: str) -> None:
    data = get_task(task).deck_bytes()
    deck = read_deck(data)
    excerpt = read_deck(Pages(data).excerpt([(4, None), (1, None), (4, None)]))
    assert [slide.title for slide in excerpt.slides] == [deck.slides[i].title for i in (4, 1, 4)]
    for slide, index in zip(excerpt.slides, (4, 1, 4), strict=True):
        assert [s.box for s in slide.shapes] == [s.box for s in deck.slides[index].shapes]


@pytest.mark.slow
@each_case("task", TASKS)
def test_key_depends_only_on_the_rendering_of_its_slide(task: str) -> None:
    before = Pages(write_package(open_task_deck(task)))
    deck = open_task_deck(task)
    deck.slides[2].shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "new"
    deck.slides[3].notes_slide.notes_text_frame.text = "spoken, not shown"
    after = Pages(write_package(deck))
    count = len(before.parts)
    assert [i for i in range(count) if before.key(i) != after.key(i)] == [2]


def test_moved_slide_keeps_its_key() -> None:
    before, deck = Pages(write_package(open_task_deck(TASKS[0]))), open_task_deck(TASKS[0])
    slides = deck.slides._sldIdLst
    slides.insert(9, slides[2])
    after = Pages(write_package(deck))
    assert sorted(map(before.key, range(17))) == sorted(map(after.key, range(17)))
    assert before.key(2) == after.key(8)


def test_master_edit_changes_all_keys() -> None:
    before, deck = Pages(write_package(open_task_deck(TASKS[0]))), open_task_deck(TASKS[0])
    shape = next(s for s in deck.slide_masters[0].shapes)
    shape.left += 100_000
    after = Pages(write_package(deck))
    assert all(before.key(i) != after.key(i) for i in range(17))


@each_case("task", TASKS)
def test_shape_elements_match_the_facts(task: str) -> None:
    data = get_task(task).deck_bytes()
    facts = read_deck(data)
    names: list[list[str]] = []

    def record_names(root: _Element) -> None:
        properties = (next(e for e in each.iter() if str(e.tag).endswith("}cNvPr"))
                 for each in shape_elements(root))  # fmt: skip
        names.append([str(each.get("name") or "") for each in properties])

    Pages(data).excerpt([(i, record_names) for i in range(len(facts.slides))])
    assert names == [[shape.name for shape in slide.shapes] for slide in facts.slides]


def test_edits_remove_a_shape_or_make_text_transparent() -> None:
    data = get_task(TASKS[0]).deck_bytes()
    before = read_deck(data).slides[6]
    title = before.title_shape
    assert title is not None
    without_title, with_clear_title = read_deck(
        Pages(data).excerpt(
            [
                (6, without_shape(title.index)),
                (6, with_transparent_text([TextRange(title.index, None, 0, 0, 5)])),
            ]
        )
    ).slides
    assert len(without_title.shapes) == len(before.shapes) - 1
    assert with_clear_title.title == before.title
    assert all(
        run.style.opacity_pct == 0
        for run in with_clear_title.shapes[title.index].paragraphs[0].runs
    )


def edit_parts(data: bytes, edit: Callable[[str, bytes], bytes]) -> bytes:
    return pack({name: edit(name, part) for name, part in unpack(data).items()})


def with_axis_ids(first: bytes, second: bytes) -> bytes:
    """Return a deck whose chart axes have these ids; LibreOffice assigns new ones at each save."""

    def edit(name: str, part: bytes) -> bytes:
        if not name.startswith("ppt/charts/chart"):
            return part
        ids = list(dict.fromkeys(re.findall(rb'<c:axId val="(\d+)"', part)))
        for id, new in zip(ids, (first, second), strict=False):
            part = re.sub(rb'(<c:(?:axId|crossAx) val=")%b"' % id, rb"\g<1>%b" % new + b'"', part)
        return part

    return edit_parts(get_task(TASKS[0]).deck_bytes(), edit)


def test_key_depends_on_shared_axes_but_not_on_axis_ids() -> None:
    decks = (
        with_axis_ids(*ids) for ids in ((b"111", b"222"), (b"73928471", b"5"), (b"111", b"111"))
    )
    keys, renumbered, shared = ([pages.key(i) for i in range(17)] for pages in map(Pages, decks))
    assert keys == renumbered
    assert keys != shared


def test_key_does_not_depend_on_the_layout_list() -> None:
    def shortened(name: str, part: bytes) -> bytes:
        if not name.startswith("ppt/slideMasters/slideMaster"):
            return part
        shorter, times = re.subn(rb"<p:sldLayoutId [^>]*/>", b"", part, count=1)
        assert times == 1
        return shorter

    data = get_task(TASKS[0]).deck_bytes()
    before = Pages(edit_parts(data, lambda _name, part: part))  # packed alike
    after = Pages(edit_parts(data, shortened))
    assert [before.key(i) for i in range(17)] == [after.key(i) for i in range(17)]
