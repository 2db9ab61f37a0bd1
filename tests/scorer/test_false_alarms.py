"""Honest edits on many decks, drawn by seed: the render check must not object to any.

Each case makes one edit within its scope. The edited text must be readable, and nothing outside the
scope may count as lost.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from pptx.dml.color import RGBColor
from pptx.util import Pt
from tests.scorer.audit_decks import own_decks

from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.errors import DeckError
from pptarena.rewards import Scope, read_deck
from pptarena.rewards.looks import Looked, Looks
from pptarena.rewards.scope.outside import changes_outside
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

TASKS = ("meridian-hide-backup", "resistance-cell-picture")
COUNT = 60
_Edit = Callable[[random.Random, Any], str]


@pytest.mark.image
@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_the_render_check_objects_to_no_honest_edit() -> None:
    draw = random.Random(0)
    decks = {name: get_task(name).deck_bytes() for name in TASKS} | dict(own_decks())
    tried, alarms = 0, {}
    with Office(640, cached_results=0) as office:
        for number in range(COUNT):
            name = draw.choice(sorted(decks))
            found = _case(draw, decks[name], office)
            if found is not None:
                edit, wrong = found
                tried += 1
                if wrong:
                    alarms[f"{number}: {name}: {edit}"] = wrong
    assert tried > COUNT / 2
    assert alarms == {}


def _case(chosen: random.Random, data: bytes, maker: Office) -> tuple[str, str] | None:
    """Return an edit and what was wrongly reported; None if the deck has nothing to edit."""
    try:
        deck = open_presentation(data)
        before = save_presentation(deck)
        facts = read_deck(before)
    except DeckError:
        return None
    edit = chosen.choice(_EDITS)(chosen, deck) if facts.slides else ""
    if not edit:
        return None
    out = save_presentation(deck)
    match = match_decks(facts, read_deck(out))
    outside = changes_outside(match, Scope("all", new_slides=True))
    looks = Looks(maker, before, out)
    return edit, _wrong(looks.look(match, diff_matched(match), outside))


def _wrong(looked: Looked) -> str:
    parts = [looked.failed] if looked.failed else []
    parts += [f"{share:.0%} of shape {s} of slide {i + 1}" for (i, s), share in looked.lost.items()]
    parts += [f"{share:.0%} of slide {index + 1}" for index, share in looked.changed.items()]
    parts += [each.reason for found in looked.unseen.values() for each in found]
    return ", ".join(parts)


def _text(chosen: random.Random, deck: Any) -> Any:
    found = [
        (shape, paragraph)
        for slide in deck.slides
        for shape in slide.shapes
        if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
        if len(paragraph.runs) == 1 and len(paragraph.text.strip()) > 3
    ]
    return chosen.choice(found) if found else (None, None)


def _reword(chosen: random.Random, deck: Any) -> str:
    _, paragraph = _text(chosen, deck)
    if paragraph is None:
        return ""
    words = paragraph.runs[0].text.split()
    chosen.shuffle(words)
    paragraph.runs[0].text = " ".join(words)
    return "words in another order"


def _restyle(chosen: random.Random, deck: Any) -> str:
    _, paragraph = _text(chosen, deck)
    if paragraph is None:
        return ""
    font = paragraph.runs[0].font
    font.bold, font.italic, font.underline = (chosen.random() < 0.5 for _ in range(3))
    return "other type"


def _size(chosen: random.Random, deck: Any) -> str:
    _, paragraph = _text(chosen, deck)
    if paragraph is None:
        return ""
    size_pt = chosen.choice((12, 14, 18, 24, 28))
    paragraph.runs[0].font.size = Pt(size_pt)
    return f"{size_pt} pt"


def _box(chosen: random.Random, deck: Any) -> str:
    slide = chosen.choice(list(deck.slides))
    left, top = deck.slide_width // 20, deck.slide_height * 17 // 20
    box = slide.shapes.add_textbox(left, top, deck.slide_width // 3, deck.slide_height // 12)
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]
    box.text_frame.text = "Remark"
    box.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor.from_string("000000")  # type: ignore[no-untyped-call]
    return "" if _is_taken(slide, box) else "a text box in a free place"


def _is_taken(slide: Any, box: Any) -> bool:
    return any(
        other.left is not None and other.shape_id != box.shape_id
        and other.left < box.left + box.width and box.left < other.left + other.width
        and other.top < box.top + box.height and box.top < other.top + other.height
        for other in slide.shapes
    )  # fmt: skip


def _reorder(chosen: random.Random, deck: Any) -> str:
    slides = deck.slides._sldIdLst
    if len(slides) < 3:
        return ""
    old, new = chosen.sample(range(len(slides)), 2)
    slides.insert(new, slides[old])
    return f"slide {old + 1} moved"


def _notes(chosen: random.Random, deck: Any) -> str:
    chosen.choice(list(deck.slides)).notes_slide.notes_text_frame.text = "To be said."
    return "speaker notes"


_EDITS: tuple[_Edit, ...] = (_reword, _restyle, _size, _box, _reorder, _notes)
