"""Rewards: deck facts and diffs, rubrics of checks, and scores; pure functions of two decks."""

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_decks
from pptarena.rewards.checks import check_names
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.rubric import Rubric, RubricNode, load_rubric
from pptarena.rewards.scope.scope import Scope, load_scope
from pptarena.rewards.scoring import ScoredNode, score

__all__ = [
    "Change",
    "Deck",
    "Rubric",
    "RubricNode",
    "Scope",
    "ScoredNode",
    "check_names",
    "diff_decks",
    "load_rubric",
    "load_scope",
    "read_deck",
    "scope_of",
    "score",
]
