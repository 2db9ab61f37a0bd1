"""Cleanup tasks: a deck is damaged first, and the task is to restore it.

A cleanup task uses its own deck, which its suite must include.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from pptarena.decks import Shape
from pptarena.edits import Solution
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, always, leaf
from pptarena.tasks.generator.operators.common import (
    make_edit,
    param,
    shape_targets,
    single_edit,
    slide_targets,
)

__all__ = ["CLEANUPS", "Cleanup"]

_MIN_CHARACTERS = 6
_ANGLES = (5, 7, 9, 12, 348, 352)


@dataclass(frozen=True)
class Cleanup:
    """A way to damage a deck, and the operator that restores it.

    Attributes:
        targets: Yields the targets that can be damaged.
        damage: Returns the edits that damage a target.
        restore: Returns the operator that restores a target, given the target before the damage.
    """

    targets: Callable[[DeckContext], Iterator[Target]]
    damage: Callable[[Target, Random], Solution]
    restore: Callable[[Target], Operator]


def _single_target(
    index: int | None, shape: int | None
) -> Callable[[DeckContext], Iterator[Target]]:
    def targets(context: DeckContext) -> Iterator[Target]:
        yield Target(context, index, shape)

    return targets


def _is_long_title(shape: Shape) -> bool:
    is_title = shape.placeholder in ("title", "ctrTitle") and len(shape.paragraphs) == 1
    return is_title and len(shape.paragraphs[0].runs) == 1 and bool(_misspellable_words(shape.text))


def _misspellable_words(text: str) -> list[str]:
    words = [w for w in text.split() if len(w) >= _MIN_CHARACTERS and w.isalpha()]
    return [w for w in words if _swap_middle_characters(w) != w]


def _swap_middle_characters(word: str) -> str:
    middle = len(word) // 2
    return word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :]


def _misspell(target: Target, rng: Random) -> Solution:
    word = rng.choice(_misspellable_words(target.shape.text))
    misspelled = target.shape.text.replace(word, _swap_middle_characters(word), 1)
    return [make_edit(target, "set_text", text=misspelled)]


def _restore_title(before: Target) -> Operator:
    title = before.shape.text

    return Operator(
        "mend-title",
        "text",
        "shape",
        _single_target(before.slide_index, before.shape_index),
        single_edit("set_text", text=param("title")),
        lambda target, params: [leaf("title_is", slide=target.slide_number, text=params["title"])],
        ("text",),
        (
            "correct the spelling mistake in {it}",
            "find the misspelled word in {it} and correct it",
            "fix the typo in {it}",
            "fix the word with two swapped letters in {it}",
            "fix the spelling of {it}",
        ),
        (
            "the misspelled word in {it} should be corrected",
            "{it} should be spelled correctly again",
        ),
        lambda target, rng: {"title": title},
        playable=always,
        level=2,
    )


def _is_upright(shape: Shape) -> bool:
    is_movable = shape.kind in ("picture", "text_box", "shape") and not shape.placeholder
    return is_movable and shape.box.rotation_deg == 0


def _tilt(target: Target, rng: Random) -> Solution:
    return [make_edit(target, "move_shape", rotation_deg=rng.choice(_ANGLES))]


def _restore_tilt(before: Target) -> Operator:
    return Operator(
        "mend-tilt",
        "arrangement",
        "shape",
        _single_target(before.slide_index, before.shape_index),
        single_edit("move_shape", rotation_deg=0),
        lambda target, params: [leaf("shape_rotation", **target.args, degrees=0)],
        ("geometry",),
        (
            "straighten {it}",
            "rotate {it} back to upright",
            "take the tilt out of {it}",
            "make {it} level again",
            "undo the tilt of {it}",
        ),
        ("{it} should be upright", "{it} should not be tilted any more"),
        playable=always,
        scope=lambda target, params: {"properties": ["rotation", "place", "extent"]},
        level=2,
    )


def _duplicate(target: Target, rng: Random) -> Solution:
    return [make_edit(target, "duplicate_slide", without=["notes"])]


def _restore_duplicate(before: Target) -> Operator:
    return Operator(
        "mend-double",
        "slides",
        "slide",
        _single_target(before.slide_number, None),
        single_edit("delete_slide"),
        lambda target, params: [leaf("slide_deleted", slide=target.slide_number)],
        ("slides",),
        (
            "delete {it}, which only repeats the one before it",
            "remove {it}, an unnecessary copy of the slide before it",
            "take out {it}: it appears twice in a row",
            "get rid of {it}, a duplicate of the one before it",
            "drop {it}, since it is the same as the one before",
        ),
        (
            "{it} should be removed, since it is a duplicate of the one before",
            "{it} should be deleted because it is just a copy of the one before",
        ),
        playable=always,
        deck_wide=True,
        level=2,
    )


CLEANUPS = {
    "mend-title": Cleanup(shape_targets(_is_long_title), _misspell, _restore_title),
    "mend-tilt": Cleanup(shape_targets(_is_upright), _tilt, _restore_tilt),
    "mend-double": Cleanup(slide_targets(), _duplicate, _restore_duplicate),
}
"""Cleanup tasks by name."""
