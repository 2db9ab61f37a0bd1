"""Position relations: the required position of an object on its slide or relative to another."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from pptarena.benchmarks.pptc.pptx_match.objects import UnknownObjectError, find_objects
from pptarena.decks import Box, Deck, Slide

__all__ = ["PositionRelation", "RelationOutcome", "check_relation", "directions"]

_SLIDE_WORD = "slide"
# The original treats every deck as 4:3.
_QUIRK_SIZE: Final = (9_144_000, 6_858_000)

# Every pair may have to be checked.
_MAX_OBJECTS = 300

_WORDS = {
    "left": "left", "right": "right",
    "top": "top", "above": "top", "upper": "top", "over": "top",
    "bottom": "bottom", "below": "bottom", "lower": "bottom", "under": "bottom",
    "center": "center", "centre": "center", "middle": "center",
}  # fmt: skip
_FILLERS = {"corner", "side", "of", "the", "and", "to", "in", "on", "at", "part"}


@dataclass(frozen=True, slots=True)
class PositionRelation:
    """A relation, written in the benchmark as ``## slide, object, object or slide, relation``.

    Attributes:
        slide: Position of the slide, from 0.
        subject: Name of the object with a required position, such as ``picture``.
        other: Name of the object that it is relative to, or ``slide``.
        relation: Direction such as ``left``, ``below`` or ``top corner``.
    """

    slide: int
    subject: str
    other: str
    relation: str

    def __str__(self) -> str:
        return f"{self.slide}, {self.subject}, {self.other}, {self.relation}"


@dataclass(frozen=True, slots=True)
class RelationOutcome:
    """Whether a relation holds.

    Attributes:
        relation: The relation.
        status: ``unjudged`` if a name is unknown or the label violates the relation too.
        reason: Explanation in one sentence.
    """

    relation: PositionRelation
    status: Literal["holds", "violated", "unjudged"]
    reason: str


def directions(relation: str, *, quirks: bool = False) -> frozenset[str] | None:
    """Return the directions in a relation: a subset of left, right, top, bottom and center.

    Args:
        relation: Text such as ``left top`` or ``bottom corner``; a corner's other direction is
            free.
        quirks: Search for the five words anywhere, ignore synonyms and accept any text.

    Returns:
        None if the text contains an unknown word or no direction.
    """
    text = relation.lower()
    if quirks:
        return frozenset(word for word in set(_WORDS.values()) if word in text)
    words = re.findall(r"[^\W\d_]+", text)
    if any(word not in _WORDS and word not in _FILLERS for word in words):
        return None
    return frozenset(_WORDS[word] for word in words if word in _WORDS) or None


def check_relation(
    deck: Deck, relation: PositionRelation, *, quirks: bool = False
) -> RelationOutcome:
    """Return whether a relation holds in a deck.

    If a name refers to several objects of the slide, one matching pair is enough; `quirks` checks
    only the first object of each name.

    Args:
        deck: The deck.
        relation: The relation.
        quirks: Judge like the original: every slide is 4:3, an unknown relation holds, and an
            unknown object violates it.
    """
    required = directions(relation.relation, quirks=quirks)
    if required is None:
        return RelationOutcome(relation, "unjudged", f"'{relation.relation}' names no direction")
    if relation.slide >= len(deck.slides):
        count = len(deck.slides)
        return RelationOutcome(
            relation, "violated", f"there is no slide {relation.slide}, only {count}"
        )
    slide = deck.slides[relation.slide]
    try:
        pairs = _pairs(slide, relation, quirks)
    except UnknownObjectError as error:
        return RelationOutcome(relation, "violated" if quirks else "unjudged", str(error))
    except LookupError as error:
        return RelationOutcome(relation, "violated", str(error.args[0]))
    size = _QUIRK_SIZE if quirks else (deck.width_emu, deck.height_emu)
    if any(_holds(subject, other, required, size) for subject, other in pairs):
        return RelationOutcome(relation, "holds", f"the {relation.subject} is there: {relation}")
    return RelationOutcome(
        relation, "violated", f"the {relation.subject} is not {_phrase(relation, required)}"
    )


def _phrase(relation: PositionRelation, required: frozenset[str]) -> str:
    side = " ".join(
        word for word in ("top", "bottom", "left", "right", "center") if word in required
    )
    if relation.other.lower() == _SLIDE_WORD:
        return f"at the {side} of slide {relation.slide}"
    return f"at the {side} of the {relation.other} on slide {relation.slide}"


def _pairs(
    slide: Slide, relation: PositionRelation, quirks: bool
) -> Iterable[tuple[Box, Box | None]]:
    subjects = find_objects(slide, relation.subject, quirks=quirks)
    if not subjects:
        raise LookupError(f"slide {relation.slide} has no {relation.subject}")
    if relation.other.lower() == _SLIDE_WORD:
        return [(subject.box, None) for subject in subjects]
    others = find_objects(slide, relation.other, quirks=quirks)
    if max(len(subjects), len(others)) > _MAX_OBJECTS:
        raise LookupError(f"slide {relation.slide} has more than {_MAX_OBJECTS} objects of a type")
    pairs = [(a.box, b.box) for a in subjects for b in others if quirks or a.index != b.index]
    if not pairs:
        raise LookupError(f"slide {relation.slide} has no other {relation.other}")
    return pairs


def _holds(
    subject: Box, other: Box | None, required: frozenset[str], size: tuple[int, int]
) -> bool:
    holds_by_direction = (
        _against_slide(subject, size) if other is None else _against_object(subject, other)
    )
    return all(holds_by_direction[direction] for direction in required)


def _against_slide(box: Box, size: tuple[int, int]) -> dict[str, bool]:
    center_x, center_y = size[0] / 2, size[1] / 2
    return {
        "left": box.right < center_x,
        "right": box.left > center_x,
        "top": box.bottom < center_y,
        "bottom": box.top > center_y,
        "center": box.left < center_x < box.right and box.top < center_y < box.bottom,
    }


def _against_object(box: Box, other: Box) -> dict[str, bool]:
    is_within_x = other.left <= box.left + box.width / 2 <= other.right
    is_within_y = other.top <= box.top + box.height / 2 <= other.bottom
    return {
        "left": box.right < other.left,
        "right": box.left > other.right,
        "top": box.bottom < other.top,
        "bottom": box.top > other.bottom,
        "center": is_within_x and is_within_y,
    }
