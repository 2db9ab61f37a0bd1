"""Target decks of tasks, produced by editing the file; used by proofs and attacks."""

from pptarena.tasks.goals.registry import goal_deck, goal_decks, has_goal

__all__ = ["goal_deck", "goal_decks", "has_goal"]
