"""Equivalences: property values that look the same, with the reasons."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pptarena.decks.equivalence.fitting import same_fitting
from pptarena.decks.equivalence.motion import same_entrance
from pptarena.decks.equivalence.outlines import same_outline
from pptarena.decks.equivalence.pictures import same_picture, same_recolor
from pptarena.decks.equivalence.words import same_words
from pptarena.decks.facts.content import Picture
from pptarena.decks.facts.motion import Transition
from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import Paragraph, plain_text

__all__ = ["EQUIVALENCES", "Equivalence", "equal_for_viewers"]

_TEXTS: Final = frozenset(
    ("text", "notes", "alt_text", "tables", "charts", "diagrams", "comments", "hyperlinks")
)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A rule for values that may differ in the file but look equal to a viewer.

    Attributes:
        name: Short name.
        reason: Why the values look equal.
        kind: Class of the values.
        aspects: Aspects of the differences that the rule applies to.
        what: The property, as in `Difference.what`; empty for any.
        same: Returns whether two values look equal.
    """

    name: str
    reason: str
    kind: type
    aspects: frozenset[str]
    what: str
    same: Callable[[Any, Any], bool]


EQUIVALENCES: Final = (
    Equivalence(
        "text",
        "quotation marks, dashes, blanks, full-width forms, a last full stop and a few invisible "
        "marks depend on keyboard, language and automatic correction",
        str, _TEXTS, "", same_words,
    ),
    Equivalence(
        "recoloring",
        "the grayscale switch, no saturation and a duotone from black to white show the same",
        str, frozenset(("pictures",)), "recolor", same_recolor,
    ),
    Equivalence(
        "picture",
        "a grey file shows what a recolored one does, and a cut file what a cropped one does",
        Picture, frozenset(("pictures",)), "", same_picture,
    ),
    Equivalence(
        "outline",
        "some presets of flow charts draw what basic shapes draw",
        str, frozenset(("style",)), "outline", same_outline,
    ),
    Equivalence(
        "fitting",
        "PowerPoint turns on shrink-on-overflow by itself; it shows nothing while the text fits",
        Shape, frozenset(("formatting",)), "autofit", same_fitting,
    ),
    Equivalence(
        "transition",
        "dialects write times and variants differently; half a second cannot be told apart",
        Transition, frozenset(("transition",)), "", same_entrance,
    ),
)  # fmt: skip


def equal_for_viewers(aspect: str, what: str, first: object, second: object) -> bool:
    """Return whether two values of one property look equal to a viewer.

    Args:
        aspect: Aspect, as in `Difference.aspect`.
        what: Property, as in `Difference.what`.
        first: One value, such as that of the target: a `Difference.value_after`, or the fact that
            contains it: the `Picture` for pictures, the `Shape` for ``autofit``, the `Transition`.
        second: The other value, of the same class; tuples are compared item by item.
    """
    if first == second:
        return True
    if _are_paragraphs(first) and _are_paragraphs(second):
        first, second = plain_text(first), plain_text(second)  # type: ignore[arg-type]
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(
            equal_for_viewers(aspect, what, *pair) for pair in pairs
        )
    return any(
        each.same(first, second)
        for each in EQUIVALENCES
        if aspect in each.aspects
        and each.what in ("", what)
        and isinstance(first, each.kind)
        and isinstance(second, each.kind)
    )


def _are_paragraphs(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and value != ()
        and all(isinstance(each, Paragraph) for each in value)
    )
