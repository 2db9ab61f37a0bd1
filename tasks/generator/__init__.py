"""Generate tasks on any deck: operators, wording, composition and proof."""

from pptarena.tasks.generator.deck_generator import DeckGenerator, GeneratedBlock
from pptarena.tasks.generator.generation import (
    DeckFile,
    GenerationReport,
    TaskOptions,
    generate_tasks,
)
from pptarena.tasks.generator.operators import OPERATORS
from pptarena.tasks.generator.splits import SPLITS

__all__ = [
    "OPERATORS",
    "SPLITS",
    "DeckFile",
    "DeckGenerator",
    "GeneratedBlock",
    "GenerationReport",
    "TaskOptions",
    "generate_tasks",
]
