"""Editions of the packaged tasks: the same benchmark with other names, figures and styles.

Deck, gold deck, task and attachments are rewritten by one substitution, which is drawn from a seed.
Every task is proven before it is kept.
"""

from pptarena.tasks.edition.build import Edition, Made, make_edition
from pptarena.tasks.edition.deck_names import DeckNames, known_decks, load_names
from pptarena.tasks.edition.draw import draw_variant
from pptarena.tasks.edition.substitution import Substitution

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
