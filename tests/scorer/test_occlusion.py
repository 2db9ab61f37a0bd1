"""Target decks with covered or unreadable content must not score.

Each seeded case retitles a slide as the task asks, then conceals the title or the other slides. The
expected score follows from the construction: 0 if the title is concealed, at most 0.2 if the rest
of the deck is.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.rewards import read_deck, score
from pptarena.rewards.render_check import RenderCheck
from pptarena.tasks import get_task
from pptarena.tasks.goals.registry import turn_edits
from pptarena.tasks.targets import target_decks
from pptarena.vm_images.office import Office

TASK, _SLIDE = "meridian-retitle-products", 6
TOLERANCE = 0.1
COUNT = 40
_Box = tuple[int, int, int, int]
_Cover = Callable[[random.Random, Any, _Box], str]


@pytest.mark.image
@pytest.mark.nightly
def test_covered_decks_score_no_more_than_their_visible_work() -> None:
    rng = random.Random(0)
    task = get_task(TASK)
    before = task.deck_bytes()
    facts = read_deck(before)
    targets = target_decks(task)
    too_high = {}
    with Office(640, cached_results=0) as office:
        for number in range(COUNT):
            deck = open_presentation(before)
            for edit in turn_edits(task):
                edit(deck)
            name, max_score = (_obscure_title, _cover_title, _cover_rest)[number % 3](rng, deck)
            after = save_presentation(deck)
            render_check = RenderCheck(office, before, after)
            decks = facts, read_deck(after)
            result = score(
                task.rubric, *decks, task.scope, render_check=render_check, targets=targets
            ).score
            if result is None or result > max_score + TOLERANCE:
                too_high[f"{number}: {name}"] = result
    assert too_high == {}


def _cover_title(rng: random.Random, deck: Any) -> tuple[str, float]:
    slide = deck.slides[_SLIDE]
    title = slide.shapes.title
    margin = rng.randrange(0, 200_000)
    box = (
        title.left - margin, title.top - margin,
        title.width + 2 * margin, title.height + 2 * margin,
    )  # fmt: skip
    return f"title under {rng.choice(_COVERS)(rng, slide, box)}", 0.0


def _cover_rest(rng: random.Random, deck: Any) -> tuple[str, float]:
    cover = rng.choice(_COVERS)
    name = ""
    for index, slide in enumerate(deck.slides):
        if index != _SLIDE:
            name = cover(rng, slide, (0, 0, deck.slide_width, deck.slide_height))
    return f"all other slides under {name}", 0.2


def _obscure_title(rng: random.Random, deck: Any) -> tuple[str, float]:
    title = deck.slides[_SLIDE].shapes.title
    paragraph = title.text_frame.paragraphs[0]
    run = paragraph.runs[0]
    body = title.text_frame._txBody.bodyPr
    kind = rng.randrange(7)
    if kind == 0:
        size_pt = rng.uniform(1.0, 4.0)
        run.font.size = Pt(size_pt)
        return f"title of {size_pt:.1f} pt", 0.0
    if kind == 1:
        shade = bytes(part + rng.randrange(8) for part in (0x2C, 0x3E, 0x50)).hex()
        run.font.color.rgb = RGBColor.from_string(shade)  # type: ignore[no-untyped-call]
        return "title in nearly its background color", 0.0
    if kind == 2:
        run._r.get_or_add_rPr().set("spc", str(rng.randrange(12_000, 40_000)))
        return "title with wide character spacing", 0.0
    if kind == 3:
        paragraph.line_spacing = rng.uniform(20, 60)
        return "title pushed out by line spacing", 0.0
    if kind == 4:
        for _ in range(rng.randrange(25, 60)):
            paragraph._p.insert(0, paragraph._p.makeelement(f"{{{_DRAWING_NS}}}br"))
        return "title pushed out by line breaks", 0.0
    if kind == 5:
        run._r.get_or_add_rPr().set("baseline", str(-rng.randrange(3_000_000, 9_000_000)))
        return "title far below its line", 0.0
    body.set("tIns", str(rng.randrange(9_000_000, 30_000_000)))
    return "title pushed out by the frame's inset", 0.0


_DRAWING_NS = "http://schemas.openxmlformats.org/drawingml/2006/main"
_WHITE = RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]


def _line(_: random.Random, slide: Any, box: _Box) -> str:
    left, top, width, height = box
    line = slide.shapes.add_connector(1, left, top + height // 2, left + width, top + height // 2)
    line.line.width, line.line.color.rgb = Emu(height), _WHITE
    return "a thick line"


def _outline(_: random.Random, slide: Any, box: _Box) -> str:
    left, top, width, height = box
    shape = slide.shapes.add_shape(1, left, top + height * 2 // 5, width, height // 5)
    shape.fill.background()
    shape.line.color.rgb, shape.line.width = _WHITE, Emu(height)
    return "a thick outline"


def _frame(_: random.Random, slide: Any, box: _Box) -> str:
    shape = slide.shapes.add_shape(158, *box)
    shape.adjustments[0] = 0.5
    return _filled(shape, "a frame without a hole")


def _table(_: random.Random, slide: Any, box: _Box) -> str:
    table = slide.shapes.add_table(1, 2, *box).table
    table.columns[0].width, table.columns[1].width = Emu(box[2] - 9_000), Emu(9_000)
    table.cell(0, 0).fill.solid()
    table.cell(0, 0).fill.fore_color.rgb = _WHITE
    table.cell(0, 1).fill.background()
    return "a table"


def _veil(rng: random.Random, slide: Any, box: _Box) -> str:
    shape = slide.shapes.add_shape(1, *box)
    name = _filled(shape, "a veil")
    opacity = rng.randrange(86, 90)
    color = shape.fill._xPr.find(f"{{{_DRAWING_NS}}}solidFill")[0]
    alpha = color.makeelement(f"{{{_DRAWING_NS}}}alpha")
    alpha.set("val", str(opacity * 1000))
    color.append(alpha)
    return f"{name} of {opacity} %"


def _pattern(_: random.Random, slide: Any, box: _Box) -> str:
    shape = slide.shapes.add_shape(1, *box)
    shape.fill.patterned()
    return "a pattern"


def _filled(shape: Any, name: str) -> str:
    shape.fill.solid()
    shape.fill.fore_color.rgb = _WHITE
    shape.line.fill.background()
    return name


_COVERS: tuple[_Cover, ...] = (_line, _outline, _frame, _table, _veil, _pattern)
