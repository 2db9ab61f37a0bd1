"""Goals of tasks, reached by editing the file: what proofs and attacks start from."""

from pptarena.tasks.goals.registry import goal_deck, goals_of_turns, has_goal

__all__ = ["goal_deck", "goals_of_turns", "has_goal"]
