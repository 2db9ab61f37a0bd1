"""Splits: decks, operators, compositions and wordings held out from training.

Stable hashes decide, so an item is held out in every run. No task combines two held-out items, so
each split measures exactly one property.
"""

import hashlib

__all__ = [
    "SPLITS",
    "is_held_out_composition",
    "is_held_out_deck",
    "is_held_out_operator",
    "is_held_out_template",
]

SPLITS = ("train", "test-deck", "test-operator", "test-composition", "test-words")
"""Names of the splits."""

_SHARES = {"deck": 6, "operator": 9, "composition": 5, "words": 6}


def is_held_out_deck(sha256: str) -> bool:
    """Return whether a deck is held out, by the hash of its file."""
    return _is_held_out("deck", sha256)


def is_held_out_operator(name: str) -> bool:
    """Return whether an operator is held out."""
    return _is_held_out("operator", name)


def is_held_out_composition(composition: str) -> bool:
    """Return whether a composition is held out.

    Args:
        composition: The composition as text, such as ``then(bold-text,...)``.
    """
    return _is_held_out("composition", composition)


def is_held_out_template(operator: str, template: str) -> bool:
    """Return whether a template of an operator is held out."""
    return _is_held_out("words", f"{operator}/{template}")


def _is_held_out(kind: str, name: str) -> bool:
    digest = hashlib.sha256(f"{kind}/{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % _SHARES[kind] == 0
