"""Build ``meridian.pptx``: the quarterly business review of a fictional outdoor retailer.

python -m tools.decks.build_meridian [FILE]
"""

import sys
from pathlib import Path

from tools.decks import meridian_operations, meridian_results
from tools.decks.freeze import save_frozen
from tools.decks.house import open_template
from tools.decks.looks import MIDNIGHT

__all__ = ["build"]


def build(path: Path) -> None:
    """Build the deck and save it."""
    deck = open_template(MIDNIGHT)
    for add in (*meridian_results.SLIDES, *meridian_operations.SLIDES):
        add(deck)
    save_frozen(deck, path, "Q3 2026 Business Review", "Ines Marquardt")


if __name__ == "__main__":
    default = Path(__file__).parents[2] / "tasks" / "decks" / "meridian.pptx"
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
