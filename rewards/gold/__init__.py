"""Gold decks: what one changes, how much of that another deck has, and which part it touches."""

from pptarena.rewards.gold.parts import Group, Part
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.gold.standing import Standing

__all__ = ["GoldPlan", "Group", "Part", "Standing", "plan_of", "scope_of"]
