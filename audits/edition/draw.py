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
    """

    file: str
    substitution: Substitution
    turn: int = 0
    fixed_colors: frozenset[str] = frozenset()
    typefaces: Mapping[str, str] = field(default_factory=dict)


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
    typefaces = {old: rng.choice(new) for old, new in names.typefaces.items()}
    file = _rng(names.deck, seed, "file").choice(names.files)
    substitution = Substitution({**words, **figures}, numbers_of(figures))
    return Variant(f"{file}.pptx", substitution, turn, typefaces=typefaces)


def _rng(deck: str, seed: int, kind: str) -> random.Random:
    digest = hashlib.sha256(f"{seed} {deck} {kind}".encode()).digest()
    return random.Random(int.from_bytes(digest))
