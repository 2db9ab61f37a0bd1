from copy import deepcopy
from typing import Any

import pytest
from lxml import etree
from pptx.util import Inches

pytestmark = pytest.mark.slow

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def _resize(width: float, height: float) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        deck.slide_width, deck.slide_height = Inches(width), Inches(height)

    return edit


def _property(name: str, text: str) -> Any:
    return lambda lab, deck: setattr(deck.core_properties, name, text)


def _loop(**settings: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for rel in deck.part.rels.values():
            if rel.reltype.endswith("/presProps"):
                root = etree.fromstring(rel.target_part.blob)
                for old in root.findall(f"{{{_P}}}showPr"):
                    root.remove(old)
                show = etree.Element(f"{{{_P}}}showPr")
                for name, value in settings.items():
                    show.set(name, value)
                root.insert(0, show)
                rel.target_part._blob = etree.tostring(root)

    return edit


def _footers(*slides: int, text: str = "Acme 2026", number: bool = True) -> Any:
    """Copy footer and number from the layout to slides."""

    def edit(lab: Any, deck: Any) -> None:
        for at in slides:
            slide = deck.slides[at - 1]
            for shape in slide.slide_layout.placeholders:
                kind = shape.placeholder_format.type
                if "FOOTER" in str(kind) or (number and "SLIDE_NUMBER" in str(kind)):
                    copy = deepcopy(shape._element)
                    slide.shapes._spTree.append(copy)
                    if "FOOTER" in str(kind):
                        slide.shapes[-1].text_frame.text = text

    return edit


WIDE = {"width_emu": 12_192_000, "height_emu": 6_858_000}
TITLE = {"property": "title", "text": "Annual report"}
LOOP = {"setting": "loop", "value": "yes"}
FOOT = {"slides": [1, 2], "text": "Acme 2026", "number": True}

CASES = [
    ("slide_size_is", WIDE, _resize(13.333, 7.5), 1, 1),
    ("slide_size_is", {"width_emu": 12_192_000}, _resize(12, 7.5), 0.2, 0.9),
    ("slide_size_is", {"ratio": 16 / 9}, _resize(10, 5.625), 1, 1),
    ("slide_size_is", {"ratio": 16 / 9}, _resize(7.5, 10), 0, 0),
    ("document_property_is", TITLE, _property("title", "Annual Report"), 1, 1),
    ("document_property_is", TITLE, _property("title", "Annual"), 0.4, 0.9),
    ("document_property_is", TITLE, _property("subject", "Annual report"), 0, 0),
    ("show_setting_is", LOOP, _loop(loop="1"), 1, 1),
    ("show_setting_is", LOOP, _loop(useTimings="0"), 0, 0),
    ("footer_is", FOOT, _footers(1, 2), 1, 1),
    ("footer_is", FOOT, _footers(1), 0.5, 0.5),
    ("footer_is", FOOT, _footers(1, 2, number=False), 0.5, 0.5),
    ("footer_is", FOOT | {"number": None}, _footers(1, 2, text="Nothing"), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)
