"""Decks with random damage: facts or a `DeckError`, and facts that agree with themselves."""

import io
import random
import re
import zipfile
from typing import Any

import pytest

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


def _damaged(data: bytes, chance: random.Random) -> bytes:
    """Return a deck with damage to its bytes, or to the XML of some of its parts."""
    if chance.random() < 0.2:
        broken = bytearray(data)
        for _ in range(chance.choice((1, 3, 20))):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        return bytes(broken)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    names = [name for name in parts if name.endswith((".xml", ".rels"))]
    for name in chance.choices(names, k=chance.choice((1, 2, 4))):
        parts[name] = _damaged_part(parts[name], parts[chance.choice(names)], chance)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts.items():
            new.writestr(name, content)
    return made.getvalue()


def _damaged_part(xml: bytes, other: bytes, chance: random.Random) -> bytes:
    leaves = [found.span() for found in _LEAF.finditer(xml)]
    values = xml.split(b'"')
    kind = chance.choice(("value", "value", "tag", "leaf", "copy", "swap"))
    if kind == "value" and len(values) > 2:
        at = 2 * chance.randrange(len(values) // 2) + 1
        return b'"'.join([*values[:at], chance.choice(_VALUES).encode(), *values[at + 1 :]])
    if kind == "tag":
        start, end = chance.choice([found.span() for found in _TAG.finditer(xml)] or [(0, 0)])
        return xml[:start] + xml[end:]
    if kind == "swap" or len(leaves) < 2:
        return other
    (start, end), (_, place) = chance.sample(leaves, 2)
    return xml[:place] + xml[start:end] + xml[place:] if kind == "copy" else xml[:start] + xml[end:]


@pytest.mark.parametrize("seed", range(DECKS))
def test_only_deck_errors_come_out(lab: Any, seed: int) -> None:
    chance = random.Random(seed)
    leaves = [{"name": name, "check": name, "args": args} for name, args in _CHECKS]
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": leaves}})
    for _ in range(RUNS):
        data = _damaged(lab.base, chance)
        try:
            deck = read_deck(data)
        except DeckError:
            continue
        assert diff_decks(deck, read_deck(data)) == ()
        diff_decks(deck, lab.original)
        diff_decks(lab.original, deck)
        found = score(rubric, lab.original, deck).score
        assert found is None or 0 <= found <= 1
