"""Editions of the packaged tasks: the same benchmark with other names, figures and styles.

Deck, gold deck, task and attachments are rewritten by one substitution sampled from a seed. Only
tasks that can be proven are kept.
"""

from pptarena.tasks.edition.build import EditedTask, Edition, make_edition
from pptarena.tasks.edition.deck_names import DeckNames, load_names, supported_decks
from pptarena.tasks.edition.substitution import Substitution
from pptarena.tasks.edition.variant import draw_variant

__all__ = [
    "DeckNames",
    "EditedTask",
    "Edition",
    "Substitution",
    "draw_variant",
    "load_names",
    "make_edition",
    "supported_decks",
]
