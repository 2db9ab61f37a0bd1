"""Generate tasks on any deck: operators, wording, composition and proof."""

from pptarena.tasks.grow.grower import DeckGrower, Grown
from pptarena.tasks.grow.growing import DeckFile, Harvest, Kinds, grow_tasks
from pptarena.tasks.grow.operators import OPERATORS
from pptarena.tasks.grow.splits import SPLITS

__all__ = [
    "OPERATORS",
    "SPLITS",
    "DeckFile",
    "DeckGrower",
    "Grown",
    "Harvest",
    "Kinds",
    "grow_tasks",
]
