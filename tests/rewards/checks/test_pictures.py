import hashlib
import io
from typing import Any


def _add(slide: int, color: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        file = io.BytesIO(lab.picture_bytes(color))
        deck.slides[slide - 1].shapes.add_picture(file, 0, 0, lab.inches(1), lab.inches(1))

    return edit


LOGO = {"slide": 5, "from_slide": 4, "from_shape": "Logo"}

CASES = [
    ("picture_present", LOGO, _add(5, "red"), 1, 1),
    ("picture_present", LOGO, _add(5, "blue"), 0, 0),
    ("picture_present", LOGO, _add(3, "red"), 0, 0),
    ("picture_present", {"slide": 4}, _add(4, "blue"), 1, 1),
    ("picture_present", {"slides": [3, 4]}, _add(4, "blue"), 0.5, 0.5),
]


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def test_picture_is_identified_by_its_digest(lab: Any) -> None:
    digest = hashlib.sha256(lab.picture_bytes("blue")).hexdigest()
    args = {"slide": 5, "sha256": digest.upper()}
    assert lab.check("picture_present", args).score == 0
    assert lab.check("picture_present", args, lambda d: _add(5, "blue")(lab, d)).score == 1


def test_picture_unchanged_checks_file_and_aspect_ratio(lab: Any) -> None:
    def stretch(deck: Any) -> None:
        lab.shape_named(deck, 4, "Logo").height = lab.inches(3)

    def grow(deck: Any) -> None:
        logo = lab.shape_named(deck, 4, "Logo")
        logo.width, logo.height = lab.inches(1), lab.inches(0.5)

    def remove(deck: Any) -> None:
        element = lab.shape_named(deck, 4, "Logo")._element
        element.getparent().remove(element)

    args = {"slide": 4, "shape": "Logo"}
    assert lab.check("picture_unchanged", args).score == 1
    assert lab.check("picture_unchanged", args, grow).score == 1
    assert lab.check("picture_unchanged", args, stretch).score == 0.5
    assert lab.check("picture_unchanged", args, remove).score == 0
