"""Cleanup tasks: a deck is damaged first, and the task is to restore it.

A cleanup task uses its own deck, which its suite must include.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from pptarena.decks import Shape
from pptarena.edits import Solution
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, always, leaf
from pptarena.tasks.grow.operators.common import (
    as_edit,
    of_shapes,
    of_slides,
    param,
    sets,
)

__all__ = ["REPAIRS", "Repair"]

_LEAST_LETTERS = 6
_ANGLES = (5, 7, 9, 12, 348, 352)


@dataclass(frozen=True)
class Repair:
    """A way to damage a deck, and the operator that restores it.

    Attributes:
        `sites`: Yields the sites that can be damaged.
        `spoil`: Returns the edits that damage a site.
        `mend`: Returns the operator that restores a site, given the site before the damage.
    """

    sites: Callable[[Ground], Iterator[Site]]
    spoil: Callable[[Site, Random], Solution]
    mend: Callable[[Site], Operator]


def _only(index: int | None, shape: int | None) -> Callable[[Ground], Iterator[Site]]:
    def sites(ground: Ground) -> Iterator[Site]:
        yield Site(ground, index, shape)

    return sites


def _long_title(shape: Shape) -> bool:
    is_title = shape.placeholder in ("title", "ctrTitle") and len(shape.paragraphs) == 1
    return is_title and len(shape.paragraphs[0].runs) == 1 and bool(_long_words(shape.text))


def _long_words(text: str) -> list[str]:
    words = [w for w in text.split() if len(w) >= _LEAST_LETTERS and w.isalpha()]
    return [w for w in words if _misspelt(w) != w]


def _misspelt(word: str) -> str:
    middle = len(word) // 2
    return word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :]


def _misspell(site: Site, rng: Random) -> Solution:
    word = rng.choice(_long_words(site.shape.text))
    wrong = site.shape.text.replace(word, _misspelt(word), 1)
    return [as_edit(site, "set_text", text=wrong)]


def _mend_title(before: Site) -> Operator:
    title = before.shape.text

    return Operator(
        "mend-title",
        "text",
        "shape",
        _only(before.slide_index, before.shape_index),
        sets("set_text", text=param("title")),
        lambda site, params: [leaf("title_is", slide=site.number, text=params["title"])],
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
        lambda site, rng: {"title": title},
        playable=always,
        level=2,
    )


def _upright(shape: Shape) -> bool:
    free = shape.kind in ("picture", "text_box", "shape") and not shape.placeholder
    return free and shape.box.rotation_deg == 0


def _tilt(site: Site, rng: Random) -> Solution:
    return [as_edit(site, "move_shape", rotation_deg=rng.choice(_ANGLES))]


def _mend_tilt(before: Site) -> Operator:
    return Operator(
        "mend-tilt",
        "arrangement",
        "shape",
        _only(before.slide_index, before.shape_index),
        sets("move_shape", rotation_deg=0),
        lambda site, params: [leaf("shape_rotation", **site.args, degrees=0)],
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
        scope=lambda site, params: {"properties": ["rotation", "place", "extent"]},
        level=2,
    )


def _double(site: Site, rng: Random) -> Solution:
    return [as_edit(site, "duplicate_slide", without=["notes"])]


def _mend_double(before: Site) -> Operator:
    return Operator(
        "mend-double",
        "slides",
        "slide",
        _only(before.number, None),
        sets("delete_slide"),
        lambda site, params: [leaf("slide_deleted", slide=site.number)],
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
        whole=True,
        level=2,
    )


REPAIRS = {
    "mend-title": Repair(of_shapes(_long_title), _misspell, _mend_title),
    "mend-tilt": Repair(of_shapes(_upright), _tilt, _mend_tilt),
    "mend-double": Repair(of_slides(), _double, _mend_double),
}
"""Cleanup tasks by name."""
