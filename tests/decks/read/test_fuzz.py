"""Randomly damaged decks are read consistently or raise `DeckError`."""

import random
import re
from typing import Any

import pytest
from tests.decks.packing import pack, unpack

from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, load_rubric, read_deck, score

pytestmark = pytest.mark.slow

DECKS = 40
RUNS = 6

_VALUES = (
    "", "-1", "0", "1", "nan", "inf", "1e308", "1e999", "9" * 30, "9" * 400, "0x1", "true", "%",
    "50%", "rId1", "../x", "#", "FFFFFF", "GGGGGG", "accent9", "phClr", "١٢", "1.5", "4294967296",
)  # fmt: skip
_TAG = re.compile(rb"<[^>]*>")
_LEAF = re.compile(rb"<[\w:]+[^<>]*/>|<([\w:]+)[^<>/]*>[^<]*</\1>")
_CHECKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("title_is", {"slide": 1, "text": "Annual"}),
    ("text_replaced_everywhere", {"old": "Acme", "new": "Bolt"}),
    ("run_format", {"slide": 1, "bold": True}),
    ("animation_exists", {"slide": 5, "effect": "fade"}),
    ("nothing_else_changed", {}),
)


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """Return a deck with damage to its bytes, or to the XML of some of its parts."""
    if rng.random() < 0.2:
        damaged = bytearray(data)
        for _ in range(rng.choice((1, 3, 20))):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        return bytes(damaged)
    parts = unpack(data)
    names = [name for name in parts if name.endswith((".xml", ".rels"))]
    for name in rng.choices(names, k=rng.choice((1, 2, 4))):
        parts[name] = _damaged_part(parts[name], parts[rng.choice(names)], rng)
    return pack(parts)


def _damaged_part(xml: bytes, other: bytes, rng: random.Random) -> bytes:
    leaves = [match.span() for match in _LEAF.finditer(xml)]
    values = xml.split(b'"')
    kind = rng.choice(("value", "value", "tag", "leaf", "copy", "swap"))
    if kind == "value" and len(values) > 2:
        at = 2 * rng.randrange(len(values) // 2) + 1
        return b'"'.join([*values[:at], rng.choice(_VALUES).encode(), *values[at + 1 :]])
    if kind == "tag":
        start, end = rng.choice([match.span() for match in _TAG.finditer(xml)] or [(0, 0)])
        return xml[:start] + xml[end:]
    if kind == "swap" or len(leaves) < 2:
        return other
    (start, end), (_, target) = rng.sample(leaves, 2)
    return (
        xml[:target] + xml[start:end] + xml[target:] if kind == "copy" else xml[:start] + xml[end:]
    )


@pytest.mark.parametrize("seed", range(DECKS))
def test_damaged_decks_raise_only_deck_errors(lab: Any, seed: int) -> None:
    rng = random.Random(seed)
    leaves = [{"name": name, "check": name, "args": args} for name, args in _CHECKS]
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": leaves}})
    for _ in range(RUNS):
        data = _damaged(lab.base, rng)
        try:
            deck = read_deck(data)
        except DeckError:
            continue
        assert diff_decks(deck, read_deck(data)) == ()
        diff_decks(deck, lab.original)
        diff_decks(lab.original, deck)
        total = score(rubric, lab.original, deck).score
        assert total is None or 0 <= total <= 1
