"""The files that lie beside the decks by data, by their place in ``tasks/decks/files``."""

import io
from collections.abc import Callable, Mapping
from functools import partial

from tools.decks.media import make_film, make_sound
from tools.decks.scenes import draw_scene

__all__ = ["BESIDE"]

_COSTS = """Item,Planned,Now
Track,41.2,43.0
Stops,6.4,6.1
Bridge,18.5,23.4
Vehicles,22.9,22.9
Total,89.0,95.4
"""

_SUMMARY = """Line 9 in three sentences

Line 9 links the main station and the old harbour in eleven minutes.
Five stops, all without steps, open in December 2028.
The city pays a third of the cost over four years.
"""


def _picture(scene: str) -> bytes:
    stream = io.BytesIO()
    draw_scene(scene).save(stream, "PNG", optimize=True)
    return stream.getvalue()


BESIDE: Mapping[str, Callable[[], bytes]] = {
    "aurora/demo.avi": partial(make_film, "lamp"),
    "aurora/intro.wav": partial(make_sound, "bell"),
    "aurora/team.png": partial(_picture, "team"),
    "harbor/costs.csv": _COSTS.encode,
    "harbor/logo-new.png": partial(_picture, "new logo"),
    "harbor/stop.png": partial(_picture, "stop"),
    "harbor/summary-en.txt": _SUMMARY.encode,
    "harbor/tram.avi": partial(make_film, "tram"),
}
"""What makes each file."""
