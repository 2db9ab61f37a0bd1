"""Decks written by programs must pass, except for broken ones."""

import os
from pathlib import Path

import pytest

from pptarena.decks.validity import validate_deck

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SHARED = Path(os.environ.get("PPTARENA_SHARED", ROOT.parent / "shared")) / "data" / "decks"
OURS = sorted(file for name in ("tasks", "tools", "src") for file in (ROOT / name).rglob("*.pptx"))
OTHERS = sorted(SHARED.rglob("*.pptx"))

# What is wrong with decks that were broken on purpose, or by the program that wrote them.
BROKEN = {
    "powerpoint_malformed_pictures.pptx": ("'blipFill' is missing", "'rIdMissing999'"),
    "build_effective_agents.pptx": ("Unexpected element 'pPr' found",),
    "missing_rels_item.pptx": ("expected one relationship of kind 'slideMaster', found 0",),
}


@pytest.mark.parametrize("deck", OURS, ids=lambda each: each.name)
def test_our_own_decks_are_valid(deck: Path) -> None:
    assert validate_deck(deck) == ()


@pytest.mark.skipif(not OTHERS, reason="no decks of others here")
def test_decks_of_others_are_valid_or_known_to_be_broken() -> None:
    for deck in OTHERS:
        found = validate_deck(deck)
        wanted = BROKEN.get(deck.name, ())
        assert len(found) == len(wanted), (deck.name, found)
        for problem, reason in zip(found, wanted, strict=True):
            assert reason in problem.reason
