"""Other editions of the packaged tasks: the same benchmark with other names, figures and looks.

Deck, gold deck, task and files beside the deck are rewritten by one substitution, drawn from a
seed, and every task is proven before it is kept.
"""

from pptarena.audits.edition.build import Edition, Made, make_edition
from pptarena.audits.edition.deck_names import DeckNames, known_decks, load_names
from pptarena.audits.edition.draw import draw_variant
from pptarena.audits.edition.substitution import Substitution

__all__ = [
    "DeckNames",
    "Edition",
    "Made",
    "Substitution",
    "draw_variant",
    "known_decks",
    "load_names",
    "make_edition",
]
