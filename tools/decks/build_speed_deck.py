"""Build ``speed_deck.pptx``: a large, ordinary deck to benchmark reading and scoring.

python -m tools.decks.build_speed_deck [FILE]
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from pptx.util import Cm

from pptarena.cli import speed_deck as cli_speed_deck
from pptarena.cli.speed_deck import SLIDES
from pptarena.tasks.goals.editing import set_transition
from tools.decks.elements import (
    add_box,
    add_chart,
    add_label,
    add_slide,
    add_table,
    set_bullets,
)
from tools.decks.freeze import save_frozen
from tools.decks.house import open_template
from tools.decks.looks import DNA
from tools.decks.motion import Appear, animate

__all__ = ["build"]

_PICTURE_PX = (56, 40)
_WORDS = (
    "plan", "review", "budget", "market", "quarter", "supply", "energy", "growth", "team",
    "risk", "model", "client", "result", "margin", "service", "region", "output", "method",
)  # fmt: skip


def build(path: Path) -> None:
    """Build the deck and save it; `pptarena.cli.speed_deck` enlarges its pictures."""
    deck = open_template(DNA)
    words = _words(np.random.default_rng(7))
    kinds = (_text_slide, _picture_slide, _table_slide, _chart_slide, _diagram_slide)
    for number in range(1, SLIDES + 1):
        kinds[number % len(kinds)](deck, number, words)
    save_frozen(deck, path, "A large ordinary deck", "pptarena")


def _words(random: np.random.Generator) -> Callable[[int], str]:
    def some(count: int) -> str:
        return " ".join(random.choice(_WORDS, count)).capitalize()

    return some


def _text_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "content", f"{number}. {words(4)}", notes=words(60))
    body = slide.placeholders[1]
    set_bullets(body, [f"{'>' * (line % 3)} {words(9)}" for line in range(8)])
    set_transition(slide, "fade")
    animate(slide, [Appear(body, line) for line in range(8)])


def _picture_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "content", f"{number}. {words(4)}", notes=words(40))
    set_bullets(slide.placeholders[1], [words(6) for _ in range(4)])
    for place in range(2):
        picture = slide.shapes.add_picture(
            io.BytesIO(_picture(10 * number + place)), Cm(2 + 11 * place), Cm(6), width=Cm(10)
        )
        picture.name = f"Photograph {place + 1}"
        picture._element.nvPicPr.cNvPr.set("descr", words(6))


def _table_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "only", f"{number}. {words(4)}", notes=words(40))
    rows = [[words(1) for _ in range(6)] for _ in range(9)]
    add_table(slide, (2.0, 4.0, 20.0, 9.0), rows, [1] * 6, name="Figures")


def _chart_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "only", f"{number}. {words(4)}", notes=words(40))
    random = np.random.default_rng(number)
    years = [str(2000 + year) for year in range(20)]
    values = {words(2): [float(v) for v in random.integers(1, 99, 20)] for _ in range(4)}
    add_chart(
        slide,
        (2.0, 4.0, 20.0, 9.0),
        "COLUMN_CLUSTERED",
        years,
        values,
        name="Chart",
        title=words(3),
    )


def _diagram_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "only", f"{number}. {words(4)}", notes=words(40))
    boxes = [
        add_box(
            slide.shapes,
            (2.0 + 5 * (i % 4), 4.0 + 3 * (i // 4), 4.0, 2.0),
            words(3),
            name=f"Step {i}",
        )
        for i in range(12)
    ]
    for place in range(4):
        add_label(slide, (2.0 + 5 * place, 13.0, 4.0, 1.0), words(4), name=f"Remark {place}")
    animate(slide, [Appear(box) for box in boxes[:6]])


def _picture(number: int) -> bytes:
    """Return a small picture with a unique color, because equal pictures are stored once."""
    stream = io.BytesIO()
    Image.new("RGB", _PICTURE_PX, (number % 256, number // 256, 128)).save(stream, "PNG")
    return stream.getvalue()


if __name__ == "__main__":
    default = Path(cli_speed_deck.__file__).with_suffix(".pptx")
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
