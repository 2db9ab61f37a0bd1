"""Position relations: where an object must be on its slide, or beside another object."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from pptarena.benchmarks.pptc.pptx_match.objects import UnknownObjectError, find_objects
from pptarena.decks import Box, Deck, Slide

__all__ = ["PositionRelation", "RelationOutcome", "check_relation", "directions"]

_SLIDE_WORD = "slide"
# The original takes every deck for a 4:3 one.
_QUIRK_SIZE: Final = (9_144_000, 6_858_000)

# Every pair may have to be looked at.
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
    """What the benchmark writes as ``## slide, object, object or slide, relation``.

    Attributes:
        slide: Position of the slide, from 0.
        subject: Word for the object that must be somewhere, such as ``picture``.
        other: Word for the object that it must be beside, or ``slide``.
        relation: Such as ``left``, ``below`` or ``top corner``.
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
        status: ``unjudged`` if nobody can tell: its words are unknown, or the label, too, breaks
            it.
        reason: Why, in one sentence.
    """

    relation: PositionRelation
    status: Literal["holds", "violated", "unjudged"]
    reason: str


def directions(relation: str, *, quirks: bool = False) -> frozenset[str] | None:
    """Return the directions that a relation names: of left, right, top, bottom and center.

    Args:
        relation: Such as ``left top`` or ``bottom corner``; a corner's other direction is free.
        quirks: Look for the five words anywhere, know no others, and find no fault.

    Returns:
        None if it holds a word that is not known, or no direction at all.
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

    Where a word means several objects of the slide, one pair that fits is enough; `quirks`
    looks only at the first object of each word.

    Args:
        deck: The deck.
        relation: The relation.
        quirks: Judge as the original does: every slide is 4:3, a relation that is not known
            holds, and an object that is not known breaks it.
    """
    wanted = directions(relation.relation, quirks=quirks)
    if wanted is None:
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
    if any(_holds(subject, other, wanted, size) for subject, other in pairs):
        return RelationOutcome(relation, "holds", f"the {relation.subject} is there: {relation}")
    return RelationOutcome(
        relation, "violated", f"the {relation.subject} is not {_phrase(relation, wanted)}"
    )


def _phrase(relation: PositionRelation, wanted: frozenset[str]) -> str:
    where = " ".join(
        word for word in ("top", "bottom", "left", "right", "center") if word in wanted
    )
    if relation.other.lower() == _SLIDE_WORD:
        return f"at the {where} of slide {relation.slide}"
    return f"at the {where} of the {relation.other} on slide {relation.slide}"


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
        raise LookupError(f"slide {relation.slide} has more than {_MAX_OBJECTS} objects of a kind")
    pairs = [(a.box, b.box) for a in subjects for b in others if quirks or a.index != b.index]
    if not pairs:
        raise LookupError(f"slide {relation.slide} has no {relation.other} beside it")
    return pairs


def _holds(subject: Box, other: Box | None, wanted: frozenset[str], size: tuple[int, int]) -> bool:
    sides = _against_slide(subject, size) if other is None else _against_object(subject, other)
    return all(sides[direction] for direction in wanted)


def _against_slide(box: Box, size: tuple[int, int]) -> dict[str, bool]:
    middle, waist = size[0] / 2, size[1] / 2
    return {
        "left": box.right < middle,
        "right": box.left > middle,
        "top": box.bottom < waist,
        "bottom": box.top > waist,
        "center": box.left < middle < box.right and box.top < waist < box.bottom,
    }


def _against_object(box: Box, other: Box) -> dict[str, bool]:
    across = other.left <= box.left + box.width / 2 <= other.right
    down = other.top <= box.top + box.height / 2 <= other.bottom
    return {
        "left": box.right < other.left,
        "right": box.left > other.right,
        "top": box.bottom < other.top,
        "bottom": box.top > other.bottom,
        "center": across and down,
    }
