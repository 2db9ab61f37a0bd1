"""Decks by data: the frozen files are what is made; texts with contradictions are refused."""

import io
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER
from pptx.util import Cm

from pptarena.errors import DeckError
from pptarena.rewards import read_deck
from pptarena.tasks.deck_files import read_deck_file
from tools.decks.build import build, names
from tools.decks.consistency import contradictions
from tools.decks.deck_text import DeckText, read_deck_text, text_file
from tools.decks.kit import KIT_LAYOUTS
from tools.decks.looks import LOOKS
from tools.decks.mess import MESS, make_mess
from tools.decks.render import render
from tools.decks.scenes import SCENES, draw_scene

pytestmark = pytest.mark.slow

NAMES = names()
CLEANING = [f"Tanzif {number}" for number in range(1, 5)]
PICTURE = MSO_SHAPE_TYPE.PICTURE
TEXT = """
title: Garden
author: Nobody
look: vivid
facts: {beds: [Beds, Total, Number]}
slides:
  - {layout: title, title: Garden, body: [["{beds} beds"]]}
  - {layout: content, title: Agenda, body: [[Beds, ">all of them", Paths]]}
  - {layout: section, title: Beds, body: [[a]]}
  - layout: only
    title: All beds
    blocks:
      - table:
          {name: Beds, box: [2, 4, 9, 4], total: true,
           rows: [[Sort, Number], [Roses, "3"], [Beans, "1,004"], [Total, "1,007"]]}
  - {layout: section, title: Paths, body: [[b]]}
"""


text_of = cache(lambda name: read_deck_text(text_file(name)))
rendered = cache(lambda name: render(text_of(name)))  # for tests that do not change it


def garden(tmp_path: Path, old: str = "", new: str = "") -> DeckText:
    assert old in TEXT
    file = tmp_path / "garden.yaml"
    file.write_text(TEXT.replace(old, new) if old else TEXT, "utf-8")
    return read_deck_text(file)


@pytest.mark.parametrize("name", NAMES)
def test_the_frozen_deck_is_what_is_made(name: str, tmp_path: Path) -> None:
    made, record = build(name, tmp_path)
    assert made.read_bytes() == read_deck_file(name)
    assert record.read_text() == text_file(name).with_name(record.name).read_text()
    assert made.stat().st_size < 300_000


@pytest.mark.parametrize("name", NAMES)
def test_every_mess_is_there_and_was_not_there_before(name: str) -> None:
    # `test_the_frozen_deck_is_what_is_made` makes this record.
    done = json.loads(text_file(name).with_name(f"{name}.mess.json").read_text())
    assert [one["kind"] for one in done] == list(text_of(name).mess)
    assert len({(one["slide"], one["shape"]) for one in done}) == len(done)
    assert all(one["before"] != one["after"] for one in done)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_lies_off_the_slides(name: str) -> None:
    deck: Any = rendered(name)
    for number, slide in enumerate(deck.slides, start=1):
        for shape in slide.shapes:
            assert shape.left >= 0, (number, shape.name)
            assert shape.top >= 0, (number, shape.name)
            assert shape.left + shape.width <= deck.slide_width + Cm(0.1), (number, shape.name)
            assert shape.top + shape.height <= deck.slide_height + Cm(0.1), (number, shape.name)


def test_a_text_that_fits_together_is_rendered_with_its_facts(tmp_path: Path) -> None:
    text = garden(tmp_path)
    assert contradictions(text) == []
    deck: Any = render(text)
    assert deck.slides[0].placeholders[1].text == "1,007 beds"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Paths]]}", "Ponds]]}", r"the agenda names \['Beds', 'Ponds'\], the chapters are"),
        ("title: Agenda", "title: Contents", "expected one slide 'Agenda', got 0"),
        ('"1,007"', '"1,008"', "column 'Number' adds up to 1007, not 1008"),
        ('[Roses, "3"]', "[Roses, few]", "'Number' has a cell that is no number"),
        ("title: All beds", "title: Beds", "two slides have the title 'Beds'"),
        ("{beds} beds", "{ponds} ponds", "slide 1: no fact stands for the braces"),
    ],
)
def test_contradictions_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    (found,) = contradictions(garden(tmp_path, old, new))
    assert re.search(message, found), found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("author: Nobody", "writer: Nobody", r"garden\.yaml: author missing"),
        ("layout: only", "layout: lonely", "slide 4: expected a layout of title, content"),
        (
            "- {layout: section, title: Paths, body: [[b]]}",
            "- {layout: only, title: Sofa, blocks: [{sofa: {}}]}",
            "slide 5: expected a block of one key of table",
        ),
        ("name: Beds, box", "box", "facts/beds: expected a cell"),
        ("[Beds, Total, Number]", "[Beds, Sum, Number]", "facts/beds: expected a cell"),
        ("title: All beds", "title: All beds\n    colour: red", "slide 4: expected some of"),
    ],
)
def test_malformed_texts_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DeckError, match=message):
        garden(tmp_path, old, new)


def test_an_unknown_look_or_mess_is_refused(tmp_path: Path) -> None:
    text = garden(tmp_path)
    with pytest.raises(DeckError, match=f"expected a look of {', '.join(LOOKS)}, got 'plain'"):
        render(replace(text, look="plain"))
    deck = render(text)
    with pytest.raises(DeckError, match=f"expected a mess of {', '.join(MESS)}, got 'chaos'"):
        make_mess(deck, ["chaos"], 0)
    with pytest.raises(DeckError, match="no shape is left for the mess 'broken_link'"):
        make_mess(deck, ["broken_link"], 0)


def test_an_agenda_may_have_another_title(tmp_path: Path) -> None:
    own = ("title: Agenda", "title: Contents")
    text = replace(garden(tmp_path, *own), agenda="Contents")
    assert contradictions(text) == []


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_master_for_each_look_with_its_layouts(name: str) -> None:
    text = text_of(name)
    deck: Any = rendered(name)
    kit = LOOKS[text.look].kit
    assert len(deck.slide_masters) == 1 + len(text.looks)
    wanted = 5 + (len(KIT_LAYOUTS) if kit else 0)
    assert all(len(master.slide_layouts) == wanted for master in deck.slide_masters)
    names = [layout.name for master in deck.slide_masters for layout in master.slide_layouts]
    assert len(set(names)) == len(names)
    used = {slide.slide_layout.name for slide in deck.slides}
    # LibreOffice keeps only layouts that slides use, so a kit has a sample of each.
    assert not kit or used == set(names)


def test_slides_of_a_further_look_have_its_theme() -> None:
    text = text_of("negev")
    deck: Any = rendered("negev")
    last = deck.slides[-1].slide_layout
    assert last.name == "Annex Title and Content"
    assert last.slide_master is not deck.slides[0].slide_layout.slide_master
    with pytest.raises(DeckError, match="expected a look of"):
        render(replace(text, looks={"annex": "plain"}))


def test_arabic_runs_from_right_to_left_and_chains_are_mirrored() -> None:
    deck: Any = rendered("negev")
    turned = {
        paragraph.text
        for slide in deck.slides
        for shape in slide.shapes
        if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
        if paragraph._p.pPr is not None and paragraph._p.pPr.get("rtl") == "1"
    }
    assert "الماء" in turned
    assert "Water" not in turned
    lefts = [shape.left for shape in deck.slides[18].shapes if shape.name in CLEANING]
    assert lefts == sorted(lefts, reverse=True)


@pytest.mark.parametrize("name", ["thesis", "field"])
def test_every_layout_has_date_footer_and_number_and_ordinary_slides_show_them(name: str) -> None:
    text = text_of(name)
    deck: Any = rendered(name)
    wanted = {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER}
    for layout in deck.slide_layouts:
        assert wanted <= {each.placeholder_format.type for each in layout.placeholders}
    for slide, told in zip(deck.slides, text.slides, strict=True):
        shown = {
            each.placeholder_format.type: each.text_frame.text
            for each in slide.placeholders
            if each.placeholder_format.type in wanted
        }
        bare = told.layout in ("title", "section", "blank")
        assert set(shown) == (set() if bare else wanted)
        assert bare or shown[PP_PLACEHOLDER.FOOTER] == text.footer["text"]
        assert bare or shown[PP_PLACEHOLDER.DATE] == text.footer["date"]


def test_figures_are_numbered_where_they_stand_and_where_they_are_mentioned() -> None:
    deck: Any = rendered("thesis")
    captions = [
        shape.text_frame.text
        for slide in deck.slides
        for shape in slide.shapes
        if shape.name.startswith("Caption ")
    ]
    assert [line.split(":")[0] for line in captions] == [f"Figure {n}" for n in range(1, 14)]
    said = deck.slides[11].placeholders[1].text_frame.text
    assert said.startswith("Depth and climate change together: Figure 3")
    for slide in deck.slides:
        by_name = {shape.name: shape for shape in slide.shapes}
        for name, caption in by_name.items():
            if name.startswith("Caption "):
                figure = by_name[name.removeprefix("Caption ")]
                assert caption.top >= figure.top + figure.height


SOURCES = """
  - {layout: content, title: Sources, body: [["[1] Nobody: Beds. 2001", "[2] Nobody: Paths. 2002"]]}
"""


@pytest.mark.parametrize(
    ("said", "listed", "message"),
    [
        ("[1, 2]", "", ""),
        ("[1]", "", r"\[2\]: cited or listed, but not both"),
        ("[1, 2] and [3]", "", r"\[3\]: cited or listed, but not both"),
        ("[1, 2]", "[2] Nobody: Paths. 2002", r"the sources are numbered \[1, 3\]"),
    ],
)
def test_sources_are_numbered_listed_and_cited(
    tmp_path: Path, said: str, listed: str, message: str
) -> None:
    text = TEXT.replace("look: vivid", "look: vivid\nsources: [Sources]") + SOURCES
    text = text.replace("all of them", f"all of them {said}")
    if listed:
        text = text.replace(listed, listed.replace("[2]", "[3]"))
    file = tmp_path / "garden.yaml"
    file.write_text(text, "utf-8")
    found = contradictions(read_deck_text(file))
    assert bool(found) == bool(message)
    assert not message or re.search(message, found[0]), found


def test_pictures_tables_and_charts_stand_in_the_places_of_their_layouts() -> None:
    deck: Any = rendered("field")
    kinds = (PP_PLACEHOLDER.PICTURE, PP_PLACEHOLDER.TABLE, PP_PLACEHOLDER.CHART)
    for number, kind in zip((9, 10, 11), kinds, strict=True):
        (filled,) = (
            each
            for each in deck.slides[number - 1].placeholders
            if each.placeholder_format.type == kind
        )
        assert not filled.has_text_frame


def test_labels_may_run_downwards_and_pictures_may_be_stretched() -> None:
    deck: Any = rendered("kanto")
    down = next(shape for shape in deck.slides[3].shapes if shape.name == "速報")
    assert down.text_frame._txBody.bodyPr.get("vert") == "eaVert"
    bun, loaf = (shape for shape in deck.slides[14].shapes if shape.shape_type == PICTURE)
    assert (bun.width, bun.height) == (Cm(12), Cm(6))
    assert (loaf.width, loaf.height) == (Cm(12), Cm(9))


def test_scenes_are_drawn_and_differ() -> None:
    drawn = {draw_scene(name).tobytes() for name in SCENES}
    assert len(drawn) == len(SCENES)
    with pytest.raises(DeckError, match=r"expected a scene of .*bun, .*, got 'sea'"):
        draw_scene("sea")


def test_mess_of_whole_slides_is_where_the_record_says() -> None:
    deck: Any = render(text_of("townhall"))
    count = len(deck.slides)
    done = make_mess(deck, ["misspelling", "odd_title", "leftover", "duplicate"], 3)
    wrong, odd, left, twice = done
    assert len(deck.slides) == count + 1
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert titles.count(titles[twice.slide - 1]) == 2
    assert twice.slide not in {wrong.slide, odd.slide, left.slide}
    words = " ".join(shape.text for shape in deck.slides[wrong.slide - 1].placeholders)
    assert wrong.after in words
    title = deck.slides[odd.slide - 1].shapes.title.text_frame.paragraphs[0].runs[0]
    assert title.font.name == "Liberation Serif"
    beside = [shape for shape in deck.slides[left.slide - 1].shapes if shape.left > Cm(28)]
    assert [f"{shape.name}: {shape.text_frame.text}" for shape in beside] == [left.after]


def test_comments_are_there_with_their_authors() -> None:
    said = [
        (number, comment.author, comment.text)
        for number, slide in enumerate(read_deck(read_deck_file("townhall")).slides, start=1)
        for comment in slide.comments
    ]
    assert (6, "Maria", "Say which dealers.") in said
    assert [author for _, author, _ in said].count("Jens") == 2
    assert len(said) == 5


def test_the_seed_decides_where_the_mess_is() -> None:
    text = text_of(NAMES[0])
    one, two, other = (make_mess(render(text), list(text.mess), seed) for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_a_presentation_opens_again() -> None:
    made = io.BytesIO(read_deck_file(NAMES[0]))
    text = text_of(NAMES[0])
    titles = [slide.shapes.title.text for slide in Presentation(made).slides]
    assert titles == [slide.title for slide in text.slides]
