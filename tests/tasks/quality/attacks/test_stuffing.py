"""Attacks that push text out of sight, for every anchor and only where they apply."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.text import MSO_ANCHOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches
from tests.conftest import save

from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.quality.attacks import ATTACKS, Material, attack_task
from pptarena.tasks.task_file import parse_task

pytestmark = pytest.mark.slow

_NUMBER = (
    '<a:fld {} id="{{4ACDC551-8A53-AE47-95A7-4A2F0C1FFF1B}}" type="slidenum"><a:t>1</a:t></a:fld>'
)


def _deck(anchor: MSO_ANCHOR, text: str, *, numbered: bool = False) -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(6), Inches(2))
    box.name, box.text_frame.text = "Box", text
    box.text_frame.vertical_anchor = anchor
    if numbered:
        box.text_frame.paragraphs[0]._p.append(parse_xml(_NUMBER.format(nsdecls("a"))))
    return save(deck)


def _reword(text: str) -> Any:
    def edit(deck: Any) -> None:
        deck.slides[0].shapes[0].text_frame.paragraphs[0].runs[0].text = text

    return edit


def _material(anchor: MSO_ANCHOR, text: str, *, numbered: bool = False) -> Material:
    task = parse_task(
        {
            "version": 2,
            "id": "reword",
            "deck": "meridian",  # attacks take the deck from the material
            "difficulty": "easy",
            "edit_types": ["text"],
            "max_steps": 10,
            "instruction": "Reword the box.",
            "rubric": {
                "version": 1,
                "root": {
                    "name": "words",
                    "check": "shape_text_is",
                    "args": {"slide": 1, "shape": "Box", "text": text},
                },
            },
            "scope": {"slides": [1]},
        },
        Path(),
        "own",
        "",
    )
    original = _deck(anchor, "Before" if len(text) > 1 else "b", numbered=numbered)
    return Material(task, original, edit_deck(original, _reword(text)))


def _scores(material: Material, name: str) -> list[float]:
    selected = [each for each in ATTACKS if each.name == f"goal, {name}"]
    assert selected
    return [result.score for result in attack_task(material, attacks=selected)]


@pytest.mark.parametrize("anchor", [MSO_ANCHOR.TOP, MSO_ANCHOR.MIDDLE, MSO_ANCHOR.BOTTOM])
def test_line_breaks_push_text_out_of_any_box(anchor: MSO_ANCHOR) -> None:
    assert _scores(_material(anchor, "After all"), "behind line breaks") == [0.0]


def test_single_letters_are_not_spaced_apart() -> None:
    assert _scores(_material(MSO_ANCHOR.TOP, "a"), "in letters far apart") == []
    assert _scores(_material(MSO_ANCHOR.TOP, "After all"), "in letters far apart") == [0.0]


def test_slide_number_fields_are_not_reversed() -> None:
    name = "in letters that run backwards"
    assert _scores(_material(MSO_ANCHOR.TOP, "After all", numbered=True), name) == []
    assert _scores(_material(MSO_ANCHOR.TOP, "After all"), name) == [0.0]
