"""Decks written by programs are valid, except for known broken ones."""

import os
from pathlib import Path

import pytest

from pptarena.decks.validity import validate_deck

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SHARED = Path(os.environ.get("PPTARENA_SHARED", ROOT.parent / "shared")) / "data" / "decks"
OWN_DECKS = sorted(
    file for name in ("tasks", "tools", "src") for file in (ROOT / name).rglob("*.pptx")
)
SHARED_DECKS = sorted(SHARED.rglob("*.pptx"))

# Problems of decks that were broken on purpose or by the program that wrote them.
KNOWN_PROBLEMS = {
    "powerpoint_malformed_pictures.pptx": ("'blipFill' is missing", "'rIdMissing999'"),
    "build_effective_agents.pptx": ("Unexpected element 'pPr' found",),
    "missing_rels_item.pptx": ("expected one relationship of kind 'slideMaster', found 0",),
}


@pytest.mark.parametrize("deck", OWN_DECKS, ids=lambda each: each.name)
def test_own_decks_are_valid(deck: Path) -> None:
    assert validate_deck(deck) == ()


@pytest.mark.skipif(not SHARED_DECKS, reason="no shared decks")
def test_shared_decks_have_only_known_problems() -> None:
    for deck in SHARED_DECKS:
        problems = validate_deck(deck)
        expected = KNOWN_PROBLEMS.get(deck.name, ())
        assert len(problems) == len(expected), (deck.name, problems)
        for problem, reason in zip(problems, expected, strict=True):
            assert reason in problem.reason
