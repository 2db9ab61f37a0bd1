"""Build ``resistance.pptx``: a university lecture on antibiotic resistance.

python -m tools.decks.build_resistance [FILE]
"""

import sys
from pathlib import Path

from tools.decks import resistance_practice, resistance_science
from tools.decks.freeze import save_frozen
from tools.decks.house import open_template
from tools.decks.looks import DNA

__all__ = ["build"]


def build(path: Path) -> None:
    """Build the deck and save it."""
    deck = open_template(DNA)
    for add in (*resistance_science.SLIDES, *resistance_practice.SLIDES):
        add(deck)
    save_frozen(deck, path, "Antibiotic resistance", "Prof. Amara Lindqvist")


if __name__ == "__main__":
    default = Path(__file__).parents[2] / "tasks" / "decks" / "resistance.pptx"
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
