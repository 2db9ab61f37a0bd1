"""Variants of a deck, sampled from a seed: names, figures and styles."""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.tasks.edition.deck_names import DeckNames
from pptarena.tasks.edition.figures import draw_figures, numbers_of
from pptarena.tasks.edition.substitution import Substitution

__all__ = ["Variant", "draw_variant"]

_HUE_ROTATIONS_DEG = (60, 90, 120, 150, 180, 210, 240, 270, 300)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a deck.

    Attributes:
        file: File name of the deck, with ``.pptx``.
        substitution: Replacements of names and figures.
        hue_rotation_deg: Rotation of hues in degrees.
        fixed_colors: Colors that keep their hue, as six uppercase hexadecimal digits.
        typefaces: Replacement of each typeface.
        pictures: Box to paint over (left, top, right, bottom in pixels), by the SHA-256 of the
            picture file.
        order: For a slide's position, from 1, the position of the slide that replaces it.
        moves: The same as `order`, by slide id.
    """

    file: str
    substitution: Substitution
    hue_rotation_deg: int = 0
    fixed_colors: frozenset[str] = frozenset()
    typefaces: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, tuple[int, int, int, int]] = field(default_factory=dict)
    order: Mapping[int, int] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)


def draw_variant(names: DeckNames, seed: int) -> Variant:
    """Return the variant of a deck for a seed.

    Raises:
        TaskError: If no figures satisfy the constraints of the deck's data.
    """
    # Each deck and aspect has its own generator: adding data to one does not change the others.
    names_by_old: dict[str, str] = {}
    rng = _rng(names.deck, seed, "names")
    for choice in names.choices:
        names_by_old.update(zip(choice.old, rng.choice(choice.new), strict=True))
    figures: dict[str, str] = {}
    rng = _rng(names.deck, seed, "figures")
    for group in names.figures:
        figures.update(draw_figures(group, rng))
    rng = _rng(names.deck, seed, "look")
    hue_rotation_deg = rng.choice(_HUE_ROTATIONS_DEG) if names.colors else 0
    return Variant(
        file=f"{_rng(names.deck, seed, 'file').choice(names.files)}.pptx",
        substitution=Substitution({**names_by_old, **figures}, numbers_of(figures)),
        hue_rotation_deg=hue_rotation_deg,
        typefaces={old: rng.choice(new) for old, new in names.typefaces.items()},
        pictures=names.pictures,
        order=_sample_order(names, seed),
    )


def _sample_order(names: DeckNames, seed: int) -> dict[int, int]:
    """Return the slide order by position; every group is permuted."""
    rng = _rng(names.deck, seed, "order")
    order: dict[int, int] = {}
    for group in names.order:
        while (permuted := tuple(rng.sample(group, len(group)))) == group:
            pass
        order.update(zip(group, permuted, strict=True))
    return order


def _rng(deck: str, seed: int, kind: str) -> random.Random:
    digest = hashlib.sha256(f"{seed} {deck} {kind}".encode()).digest()
    return random.Random(int.from_bytes(digest))
