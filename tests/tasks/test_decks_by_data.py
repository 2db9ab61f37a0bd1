"""Decks built from data: packaged files are reproducible, contradictory texts are rejected."""

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
from tools.decks.defects import add_defects
from tools.decks.extra_layouts import EXTRA_LAYOUTS
from tools.decks.render import render
from tools.decks.scenes import SCENES, draw_scene
from tools.decks.styles import STYLES

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


load_text = cache(lambda name: read_deck_text(text_file(name)))
rendered = cache(lambda name: render(load_text(name)))  # for tests that only read it


def garden(tmp_path: Path, old: str = "", new: str = "") -> DeckText:
    assert old in TEXT
    file = tmp_path / "garden.yaml"
    file.write_text(TEXT.replace(old, new) if old else TEXT, "utf-8")
    return read_deck_text(file)


@pytest.mark.parametrize("name", NAMES)
def test_packaged_deck_is_reproducible(name: str, tmp_path: Path) -> None:
    file, record = build(name, tmp_path)
    assert file.read_bytes() == read_deck_file(name)
    assert record.read_text() == text_file(name).with_name(record.name).read_text()
    assert file.stat().st_size < 300_000


@pytest.mark.parametrize("name", NAMES)
def test_every_defect_is_recorded_and_changes_the_deck(name: str) -> None:
    defects = json.loads(text_file(name).with_name(f"{name}.mess.json").read_text())
    assert [defect["kind"] for defect in defects] == list(load_text(name).mess)
    assert len({(defect["slide"], defect["shape"]) for defect in defects}) == len(defects)
    assert all(defect["before"] != defect["after"] for defect in defects)


@pytest.mark.parametrize("name", NAMES)
def test_shapes_lie_within_the_slides(name: str) -> None:
    deck: Any = rendered(name)
    for number, slide in enumerate(deck.slides, start=1):
        for shape in slide.shapes:
            assert shape.left >= 0, (number, shape.name)
            assert shape.top >= 0, (number, shape.name)
            assert shape.left + shape.width <= deck.slide_width + Cm(0.1), (number, shape.name)
            assert shape.top + shape.height <= deck.slide_height + Cm(0.1), (number, shape.name)


def test_consistent_text_is_rendered_with_its_facts(tmp_path: Path) -> None:
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
        ('[Roses, "3"]', "[Roses, few]", "'Number' has a cell that is not a number"),
        ("title: All beds", "title: Beds", "two slides have the title 'Beds'"),
        ("{beds} beds", "{ponds} ponds", "slide 1: no fact has the name in braces"),
    ],
)
def test_contradictions_are_reported(tmp_path: Path, old: str, new: str, message: str) -> None:
    (contradiction,) = contradictions(garden(tmp_path, old, new))
    assert re.search(message, contradiction), contradiction


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
        ("name: Beds, box", "box", "facts/beds: expected an existing cell"),
        ("[Beds, Total, Number]", "[Beds, Sum, Number]", "facts/beds: expected an existing cell"),
        ("title: All beds", "title: All beds\n    colour: red", "slide 4: expected some of"),
    ],
)
def test_malformed_texts_are_rejected(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DeckError, match=message):
        garden(tmp_path, old, new)


def test_unknown_styles_and_defects_are_rejected(tmp_path: Path) -> None:
    text = garden(tmp_path)
    with pytest.raises(DeckError, match=f"look: expected one of {', '.join(STYLES)}, got 'plain'"):
        render(replace(text, look="plain"))
    deck = render(text)
    with pytest.raises(DeckError, match=r"mess: expected a kind of .*, got 'chaos'"):
        add_defects(deck, ["chaos"], 0)
    with pytest.raises(DeckError, match="no unused shape is suitable for 'broken_link'"):
        add_defects(deck, ["broken_link"], 0)


def test_agenda_may_have_another_title(tmp_path: Path) -> None:
    own = ("title: Agenda", "title: Contents")
    text = replace(garden(tmp_path, *own), agenda="Contents")
    assert contradictions(text) == []


@pytest.mark.parametrize("name", NAMES)
def test_each_style_has_a_master_with_its_layouts(name: str) -> None:
    text = load_text(name)
    deck: Any = rendered(name)
    has_extra_layouts = STYLES[text.look].has_extra_layouts
    assert len(deck.slide_masters) == 1 + len(text.looks)
    expected = 5 + (len(EXTRA_LAYOUTS) if has_extra_layouts else 0)
    assert all(len(master.slide_layouts) == expected for master in deck.slide_masters)
    names = [layout.name for master in deck.slide_masters for layout in master.slide_layouts]
    assert len(set(names)) == len(names)
    used = {slide.slide_layout.name for slide in deck.slides}
    # LibreOffice keeps only layouts that slides use, so a kit has a sample of each.
    assert not has_extra_layouts or used == set(names)


def test_slides_of_an_additional_style_have_its_theme() -> None:
    text = load_text("negev")
    deck: Any = rendered("negev")
    last = deck.slides[-1].slide_layout
    assert last.name == "Annex Title and Content"
    assert last.slide_master is not deck.slides[0].slide_layout.slide_master
    with pytest.raises(DeckError, match="look: expected one of"):
        render(replace(text, looks={"annex": "plain"}))


def test_arabic_text_and_chains_run_from_right_to_left() -> None:
    deck: Any = rendered("negev")
    right_to_left = {
        paragraph.text
        for slide in deck.slides
        for shape in slide.shapes
        if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
        if paragraph._p.pPr is not None and paragraph._p.pPr.get("rtl") == "1"
    }
    assert "الماء" in right_to_left
    assert "Water" not in right_to_left
    lefts = [shape.left for shape in deck.slides[18].shapes if shape.name in CLEANING]
    assert lefts == sorted(lefts, reverse=True)


@pytest.mark.parametrize("name", ["thesis", "field"])
def test_layouts_and_ordinary_slides_have_date_footer_and_number(name: str) -> None:
    text = load_text(name)
    deck: Any = rendered(name)
    required = {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER}
    for layout in deck.slide_layouts:
        assert required <= {each.placeholder_format.type for each in layout.placeholders}
    for slide, fields in zip(deck.slides, text.slides, strict=True):
        visible = {
            each.placeholder_format.type: each.text_frame.text
            for each in slide.placeholders
            if each.placeholder_format.type in required
        }
        bare = fields.layout in ("title", "section", "blank")
        assert set(visible) == (set() if bare else required)
        assert bare or visible[PP_PLACEHOLDER.FOOTER] == text.footer["text"]
        assert bare or visible[PP_PLACEHOLDER.DATE] == text.footer["date"]


def test_figures_are_numbered_in_captions_and_references() -> None:
    deck: Any = rendered("thesis")
    captions = [
        shape.text_frame.text
        for slide in deck.slides
        for shape in slide.shapes
        if shape.name.startswith("Caption ")
    ]
    assert [line.split(":")[0] for line in captions] == [f"Figure {n}" for n in range(1, 14)]
    text = deck.slides[11].placeholders[1].text_frame.text
    assert text.startswith("Depth and climate change together: Figure 3")
    for slide in deck.slides:
        shapes_by_name = {shape.name: shape for shape in slide.shapes}
        for name, caption in shapes_by_name.items():
            if name.startswith("Caption "):
                figure = shapes_by_name[name.removeprefix("Caption ")]
                assert caption.top >= figure.top + figure.height


SOURCES = """
  - {layout: content, title: Sources, body: [["[1] Nobody: Beds. 2001", "[2] Nobody: Paths. 2002"]]}
"""


@pytest.mark.parametrize(
    ("citation", "listed", "message"),
    [
        ("[1, 2]", "", ""),
        ("[1]", "", r"\[2\]: cited or listed, but not both"),
        ("[1, 2] and [3]", "", r"\[3\]: cited or listed, but not both"),
        ("[1, 2]", "[2] Nobody: Paths. 2002", r"the sources are numbered \[1, 3\]"),
    ],
)
def test_sources_must_be_numbered_listed_and_cited(
    tmp_path: Path, citation: str, listed: str, message: str
) -> None:
    text = TEXT.replace("look: vivid", "look: vivid\nsources: [Sources]") + SOURCES
    text = text.replace("all of them", f"all of them {citation}")
    if listed:
        text = text.replace(listed, listed.replace("[2]", "[3]"))
    file = tmp_path / "garden.yaml"
    file.write_text(text, "utf-8")
    problems = contradictions(read_deck_text(file))
    assert bool(problems) == bool(message)
    assert not message or re.search(message, problems[0]), problems


def test_pictures_tables_and_charts_fill_their_placeholders() -> None:
    deck: Any = rendered("field")
    kinds = (PP_PLACEHOLDER.PICTURE, PP_PLACEHOLDER.TABLE, PP_PLACEHOLDER.CHART)
    for number, kind in zip((9, 10, 11), kinds, strict=True):
        (filled,) = (
            each
            for each in deck.slides[number - 1].placeholders
            if each.placeholder_format.type == kind
        )
        assert not filled.has_text_frame


def test_labels_may_be_vertical_and_pictures_stretched() -> None:
    deck: Any = rendered("kanto")
    down = next(shape for shape in deck.slides[3].shapes if shape.name == "速報")
    assert down.text_frame._txBody.bodyPr.get("vert") == "eaVert"
    bun, loaf = (shape for shape in deck.slides[14].shapes if shape.shape_type == PICTURE)
    assert (bun.width, bun.height) == (Cm(12), Cm(6))
    assert (loaf.width, loaf.height) == (Cm(12), Cm(9))


def test_scenes_differ_and_unknown_ones_are_rejected() -> None:
    pictures = {draw_scene(name).tobytes() for name in SCENES}
    assert len(pictures) == len(SCENES)
    with pytest.raises(DeckError, match=r"expected a scene of .*bun, .*, got 'sea'"):
        draw_scene("sea")


def test_slide_defects_match_their_record() -> None:
    deck: Any = render(load_text("townhall"))
    count = len(deck.slides)
    defects = add_defects(deck, ["misspelling", "odd_title", "leftover", "duplicate"], 3)
    misspelling, odd_title, leftover, duplicate = defects
    assert len(deck.slides) == count + 1
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert titles.count(titles[duplicate.slide - 1]) == 2
    assert duplicate.slide not in {misspelling.slide, odd_title.slide, leftover.slide}
    text = " ".join(shape.text for shape in deck.slides[misspelling.slide - 1].placeholders)
    assert misspelling.after in text
    title = deck.slides[odd_title.slide - 1].shapes.title.text_frame.paragraphs[0].runs[0]
    assert title.font.name == "Liberation Serif"
    outside = [shape for shape in deck.slides[leftover.slide - 1].shapes if shape.left > Cm(28)]
    assert [f"{shape.name}: {shape.text_frame.text}" for shape in outside] == [leftover.after]


def test_comments_have_authors() -> None:
    comments = [
        (number, comment.author, comment.text)
        for number, slide in enumerate(read_deck(read_deck_file("townhall")).slides, start=1)
        for comment in slide.comments
    ]
    assert (6, "Maria", "Say which dealers.") in comments
    assert [author for _, author, _ in comments].count("Jens") == 2
    assert len(comments) == 5


def test_seed_determines_the_defects() -> None:
    text = load_text(NAMES[0])
    first, same, other = (add_defects(render(text), list(text.mess), seed) for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_packaged_deck_can_be_opened() -> None:
    deck = Presentation(io.BytesIO(read_deck_file(NAMES[0])))
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert titles == [slide.title for slide in load_text(NAMES[0]).slides]
