from typing import Any

import pytest

pytestmark = pytest.mark.slow

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


def _animate(*names: str, sec: float = 0.5, delay: float = 0.0, subtype: int = 0) -> Any:
    """Let shapes of slide 5 fly in, all with the same timing."""

    def edit(lab: Any, deck: Any) -> None:
        slide = deck.slides[4]
        ids = [lab.shape_named(deck, 5, name).shape_id for name in names]
        lab.set_animations(slide, [("entr", 2, "clickEffect", each) for each in ids])
        for node in slide._element.iter(f"{_P}cTn"):
            if node.get("presetID"):
                node.set("presetSubtype", str(subtype))
                node.find(f"{_P}stCondLst/{_P}cond").set("delay", str(round(delay * 1000)))
            elif node.get("dur"):
                node.set("dur", str(round(sec * 1000)))

    return edit


def _built(*names: str) -> Any:
    """Let shapes fly in paragraph by paragraph."""

    def edit(lab: Any, deck: Any) -> None:
        _animate(*names)(lab, deck)
        timing = deck.slides[4]._element.find(f"{_P}timing")
        build_list = timing.makeelement(f"{_P}bldLst")
        for name in names:
            spid = str(lab.shape_named(deck, 5, name).shape_id)
            values = {"spid": spid, "grpId": "0", "build": "p"}
            build_list.append(build_list.makeelement(f"{_P}bldP", values))
        timing.append(build_list)
        for node in timing.iter(f"{_P}cTn"):
            if node.get("presetID"):
                node.set("grpId", "0")

    return edit


C = {"slide": 5, "shape": "C", "effect": "fly_in"}
TIMES = C | {"duration_sec": 2, "delay_sec": 1}
FROM_LEFT = C | {"direction": "from_left"}
BUILT = {"slide": 5, "shape": "Remark", "effect": "fly_in", "build": "paragraph"}
FOUR = {"slide": 5, "count": 4}

CASES = [
    ("animation_timing", TIMES, _animate("C", sec=2, delay=1), 1, 1),
    ("animation_timing", TIMES, _animate("C", sec=2, delay=0), 0.5, 0.95),
    ("animation_timing", TIMES, _animate("B", sec=2, delay=1), 0, 0),
    ("animation_timing", FROM_LEFT, _animate("C", subtype=8), 1, 1),
    ("animation_timing", FROM_LEFT, _animate("C", subtype=4), 0, 0),
    ("animation_timing", BUILT, _built("Remark"), 1, 1),
    ("animation_timing", BUILT, _animate("Remark"), 0, 0),
    ("animation_count", FOUR, _animate("A", "B", "C", "Remark"), 1, 1),
    ("animation_count", FOUR, _animate("A", "B", "C"), 0.2, 0.5),
    ("animation_count", FOUR, _animate("A"), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)
