"""Gold decks: their changes, the progress of a deck toward them, and the scope they imply."""

from pptarena.rewards.gold.plan import GoldPlan, Group, Part, Progress, plan_of
from pptarena.rewards.gold.scope_of import scope_of

__all__ = ["GoldPlan", "Group", "Part", "Progress", "plan_of", "scope_of"]
