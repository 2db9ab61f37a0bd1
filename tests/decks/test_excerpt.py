import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from lxml.etree import _Element
from pptx import Presentation
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.edits import Spot, shape_elements, without_ink, without_shape
from pptarena.decks.excerpt import Pages
from pptarena.tasks import get_task

TASKS = ("meridian-hide-backup", "resistance-cell-picture")


def saved(deck: Any) -> bytes:
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def opened(task: str) -> Any:
    return Presentation(io.BytesIO(get_task(task).deck_bytes()))


@each_case("task", TASKS)
def test_an_excerpt_is_a_deck_of_these_slides(task: str) -> None:
    data = get_task(task).deck_bytes()
    whole = read_deck(data)
    part = read_deck(Pages(data).excerpt([(4, None), (1, None), (4, None)]))
    assert [slide.title for slide in part.slides] == [whole.slides[i].title for i in (4, 1, 4)]
    for slide, index in zip(part.slides, (4, 1, 4), strict=True):
        assert [s.box for s in slide.shapes] == [s.box for s in whole.slides[index].shapes]


@pytest.mark.slow
@each_case("task", TASKS)
def test_a_key_changes_with_the_look_of_its_slide_alone(task: str) -> None:
    before = Pages(saved(opened(task)))
    deck = opened(task)
    deck.slides[2].shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "new"
    deck.slides[3].notes_slide.notes_text_frame.text = "said, not shown"
    now = Pages(saved(deck))
    count = len(before.parts)
    assert [i for i in range(count) if before.key(i) != now.key(i)] == [2]


def test_a_moved_slide_keeps_its_key() -> None:
    before, deck = Pages(saved(opened(TASKS[0]))), opened(TASKS[0])
    slides = deck.slides._sldIdLst
    slides.insert(9, slides[2])
    now = Pages(saved(deck))
    assert sorted(map(before.key, range(17))) == sorted(map(now.key, range(17)))
    assert before.key(2) == now.key(8)


def test_a_theme_changes_all_keys() -> None:
    before, deck = Pages(saved(opened(TASKS[0]))), opened(TASKS[0])
    shape = next(s for s in deck.slide_masters[0].shapes)
    shape.left += 100_000
    now = Pages(saved(deck))
    assert all(before.key(i) != now.key(i) for i in range(17))


@each_case("task", TASKS)
def test_elements_are_those_of_the_facts(task: str) -> None:
    data = get_task(task).deck_bytes()
    facts = read_deck(data)
    names: list[list[str]] = []

    def note(root: _Element) -> None:
        found = (next(e for e in each.iter() if str(e.tag).endswith("}cNvPr"))
                 for each in shape_elements(root))  # fmt: skip
        names.append([str(each.get("name") or "") for each in found])

    Pages(data).excerpt([(i, note) for i in range(len(facts.slides))])
    assert names == [[shape.name for shape in slide.shapes] for slide in facts.slides]


def test_edits_leave_out_what_they_are_told_to() -> None:
    data = get_task(TASKS[0]).deck_bytes()
    before = read_deck(data).slides[6]
    title = before.title_shape
    assert title is not None
    gone, clear = read_deck(
        Pages(data).excerpt(
            [(6, without_shape(title.index)), (6, without_ink([Spot(title.index, None, 0, 0, 5)]))]
        )
    ).slides
    assert len(gone.shapes) == len(before.shapes) - 1
    assert clear.title == before.title
    assert all(run.style.opacity_pct == 0 for run in clear.shapes[title.index].paragraphs[0].runs)


def replaced(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return out.getvalue()


def axes_named(one: bytes, other: bytes) -> bytes:
    """Return a deck whose charts' axes have these ids, where LibreOffice makes up new ones."""

    def named(name: str, part: bytes) -> bytes:
        if not name.startswith("ppt/charts/chart"):
            return part
        ids = list(dict.fromkeys(re.findall(rb'<c:axId val="(\d+)"', part)))
        for id, new in zip(ids, (one, other), strict=False):
            part = re.sub(rb'(<c:(?:axId|crossAx) val=")%b"' % id, rb"\g<1>%b" % new + b'"', part)
        return part

    return replaced(get_task(TASKS[0]).deck_bytes(), named)


def test_a_key_does_not_depend_on_the_ids_of_axes() -> None:
    before, now = Pages(axes_named(b"111", b"222")), Pages(axes_named(b"73928471", b"5"))
    assert [before.key(i) for i in range(17)] == [now.key(i) for i in range(17)]


def test_a_key_changes_when_two_axes_become_one() -> None:
    before, now = Pages(axes_named(b"111", b"222")), Pages(axes_named(b"111", b"111"))
    assert [i for i in range(17) if before.key(i) != now.key(i)]


def test_the_list_of_all_layouts_does_not_change_a_key() -> None:
    def shortened(name: str, part: bytes) -> bytes:
        if not name.startswith("ppt/slideMasters/slideMaster"):
            return part
        shorter, times = re.subn(rb"<p:sldLayoutId [^>]*/>", b"", part, count=1)
        assert times == 1
        return shorter

    data = get_task(TASKS[0]).deck_bytes()
    before = Pages(replaced(data, lambda _name, part: part))  # packed alike
    now = Pages(replaced(data, shortened))
    assert [before.key(i) for i in range(17)] == [now.key(i) for i in range(17)]
