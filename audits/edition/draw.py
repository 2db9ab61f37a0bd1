"""Drawing a variant of a deck from a seed: which names, figures and looks it has."""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.audits.edition.deck_names import DeckNames
from pptarena.audits.edition.figures import draw_figures, numbers_of
from pptarena.audits.edition.substitution import Substitution

__all__ = ["Variant", "draw_variant"]

_TURNS = (60, 90, 120, 150, 180, 210, 240, 270, 300)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a deck.

    Attributes:
        file: What its file is called, with ``.pptx``.
        substitution: Its names and figures.
        turn: By how many degrees its colours are turned about the wheel.
        fixed_colors: Those that are not turned, as six hexadecimal digits in capitals.
        typefaces: What stands instead of each typeface.
        pictures: Of each picture that is repainted, by the hash of its file, the box that is
            painted over: left, top, right, bottom in pixels.
        order: For a slide's position, from 1, that of the slide that takes its place.
        moves: The same by the slides' ids.
    """

    file: str
    substitution: Substitution
    turn: int = 0
    fixed_colors: frozenset[str] = frozenset()
    typefaces: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, tuple[int, int, int, int]] = field(default_factory=dict)
    order: Mapping[int, int] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)


def draw_variant(names: DeckNames, seed: int) -> Variant:
    """Return the variant of a deck that belongs to a seed.

    Raises:
        TaskError: If the deck's figures cannot be drawn as its data asks for.
    """
    # Each deck, and each kind of thing, draws by itself: more data for one leaves the others.
    words: dict[str, str] = {}
    rng = _rng(names.deck, seed, "names")
    for choice in names.choices:
        words.update(zip(choice.old, rng.choice(choice.new), strict=True))
    figures: dict[str, str] = {}
    rng = _rng(names.deck, seed, "figures")
    for group in names.figures:
        figures.update(draw_figures(group, rng))
    rng = _rng(names.deck, seed, "look")
    turn = rng.choice(_TURNS) if names.colors else 0
    return Variant(
        file=f"{_rng(names.deck, seed, 'file').choice(names.files)}.pptx",
        substitution=Substitution({**words, **figures}, numbers_of(figures)),
        turn=turn,
        typefaces={old: rng.choice(new) for old, new in names.typefaces.items()},
        pictures=names.pictures,
        order=_order(names, seed),
    )


def _order(names: DeckNames, seed: int) -> dict[int, int]:
    """Return who takes whose place; in no group all stay where they are."""
    rng = _rng(names.deck, seed, "order")
    order: dict[int, int] = {}
    for group in names.order:
        while (drawn := tuple(rng.sample(group, len(group)))) == group:
            pass
        order.update(zip(group, drawn, strict=True))
    return order


def _rng(deck: str, seed: int, kind: str) -> random.Random:
    digest = hashlib.sha256(f"{seed} {deck} {kind}".encode()).digest()
    return random.Random(int.from_bytes(digest))
