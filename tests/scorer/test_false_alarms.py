"""The render check accepts random honest edits of many decks.

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
from pptarena.rewards.render_check import RenderCheck, RenderCheckResult
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

TASKS = ("meridian-hide-backup", "resistance-cell-picture")
COUNT = 60
_Edit = Callable[[random.Random, Any], str]


@pytest.mark.image
@pytest.mark.nightly
def test_render_check_accepts_honest_edits() -> None:
    rng = random.Random(0)
    decks = {name: get_task(name).deck_bytes() for name in TASKS} | dict(own_decks())
    attempts, alarms = 0, {}
    with Office(640, cached_results=0) as office:
        for number in range(COUNT):
            name = rng.choice(sorted(decks))
            case = _case(rng, decks[name], office)
            if case is not None:
                edit, complaints = case
                attempts += 1
                if complaints:
                    alarms[f"{number}: {name}: {edit}"] = complaints
    assert attempts > COUNT / 2
    assert alarms == {}


def _case(rng: random.Random, data: bytes, office: Office) -> tuple[str, str] | None:
    """Return an edit and what was wrongly reported; None if the deck has nothing to edit."""
    try:
        deck = open_presentation(data)
        before = save_presentation(deck)
        facts = read_deck(before)
    except DeckError:
        return None
    edit = rng.choice(_EDITS)(rng, deck) if facts.slides else ""
    if not edit:
        return None
    after = save_presentation(deck)
    match = match_decks(facts, read_deck(after))
    outside = out_of_scope_changes(match, Scope("all", new_slides=True))
    render_check = RenderCheck(office, before, after)
    return edit, _complaints(render_check.run(match, diff_matched(match), outside))


def _complaints(result: RenderCheckResult) -> str:
    parts = [result.failure] if result.failure else []
    parts += [
        f"{share:.0%} of shape {s} of slide {i + 1}" for (i, s), share in result.lost_shares.items()
    ]
    parts += [f"{share:.0%} of slide {index + 1}" for index, share in result.changed_shares.items()]
    parts += [each.reason for reasons in result.illegible_texts.values() for each in reasons]
    return ", ".join(parts)


def _random_text(rng: random.Random, deck: Any) -> Any:
    candidates = [
        (shape, paragraph)
        for slide in deck.slides
        for shape in slide.shapes
        if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
        if len(paragraph.runs) == 1 and len(paragraph.text.strip()) > 3
    ]
    return rng.choice(candidates) if candidates else (None, None)


def _reword(rng: random.Random, deck: Any) -> str:
    _, paragraph = _random_text(rng, deck)
    if paragraph is None:
        return ""
    words = paragraph.runs[0].text.split()
    rng.shuffle(words)
    paragraph.runs[0].text = " ".join(words)
    return "shuffled words"


def _restyle(rng: random.Random, deck: Any) -> str:
    _, paragraph = _random_text(rng, deck)
    if paragraph is None:
        return ""
    font = paragraph.runs[0].font
    font.bold, font.italic, font.underline = (rng.random() < 0.5 for _ in range(3))
    return "font style"


def _size(rng: random.Random, deck: Any) -> str:
    _, paragraph = _random_text(rng, deck)
    if paragraph is None:
        return ""
    size_pt = rng.choice((12, 14, 18, 24, 28))
    paragraph.runs[0].font.size = Pt(size_pt)
    return f"{size_pt} pt"


def _box(rng: random.Random, deck: Any) -> str:
    slide = rng.choice(list(deck.slides))
    left, top = deck.slide_width // 20, deck.slide_height * 17 // 20
    box = slide.shapes.add_textbox(left, top, deck.slide_width // 3, deck.slide_height // 12)
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]
    box.text_frame.text = "Remark"
    box.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor.from_string("000000")  # type: ignore[no-untyped-call]
    return "" if _overlaps(slide, box) else "a text box in free space"


def _overlaps(slide: Any, box: Any) -> bool:
    return any(
        other.left is not None and other.shape_id != box.shape_id
        and other.left < box.left + box.width and box.left < other.left + other.width
        and other.top < box.top + box.height and box.top < other.top + other.height
        for other in slide.shapes
    )  # fmt: skip


def _reorder(rng: random.Random, deck: Any) -> str:
    slides = deck.slides._sldIdLst
    if len(slides) < 3:
        return ""
    old, new = rng.sample(range(len(slides)), 2)
    slides.insert(new, slides[old])
    return f"slide {old + 1} moved"


def _notes(rng: random.Random, deck: Any) -> str:
    rng.choice(list(deck.slides)).notes_slide.notes_text_frame.text = "To be said."
    return "speaker notes"


_EDITS: tuple[_Edit, ...] = (_reword, _restyle, _size, _box, _reorder, _notes)
