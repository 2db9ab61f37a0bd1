"""Build ``meridian.pptx``: the quarterly business review of an invented outdoor retailer.

python -m pptarena.tasks.decks.build_meridian [FILE]
"""

import sys
from pathlib import Path

from pptarena.tasks.decks import meridian_operations, meridian_results
from pptarena.tasks.decks.freeze import save_frozen
from pptarena.tasks.decks.house import open_template
from pptarena.tasks.decks.looks import MIDNIGHT

__all__ = ["build"]


def build(path: Path) -> None:
    """Build the deck and save it."""
    deck = open_template(MIDNIGHT)
    for add in (*meridian_results.SLIDES, *meridian_operations.SLIDES):
        add(deck)
    save_frozen(deck, path, "Q3 2026 Business Review", "Ines Marquardt")


if __name__ == "__main__":
    default = Path(__file__).with_name("meridian.pptx")
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
