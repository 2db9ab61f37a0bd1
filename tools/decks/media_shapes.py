"""Films and sounds on slides."""

import io
from typing import Any

from PIL import Image
from pptx.util import Cm

from pptarena.edits.pictures import make_audio
from tools.decks.deck_template import Box
from tools.decks.drawing import Canvas

__all__ = ["add_film", "add_sound"]


def add_film(slide: Any, film: bytes, box: Box, name: str, poster: Image.Image) -> Any:
    """Add a film that starts on a click; `poster` is shown until then."""
    left, top, width, height = (Cm(value) for value in box)
    shape = slide.shapes.add_movie(
        io.BytesIO(film), left, top, width, height, _png(poster), mime_type="video/x-msvideo"
    )
    shape.name = name
    return shape


def add_sound(slide: Any, sound: bytes, box: Box, name: str) -> Any:
    """Add a sound that starts on a click on its loudspeaker icon."""
    left, top, width, height = (Cm(value) for value in box)
    shape = slide.shapes.add_movie(
        io.BytesIO(sound), left, top, width, height, _png(_loudspeaker()), mime_type="audio/wav"
    )
    shape.name = name
    make_audio(slide, shape)
    return shape


def _png(image: Image.Image) -> io.BytesIO:
    stream = io.BytesIO()
    image.quantize(128, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    stream.seek(0)
    return stream


def _loudspeaker() -> Image.Image:
    canvas = Canvas(60, 60, "#eef1f5")
    canvas.polygon([(10, 23), (20, 23), (32, 12), (32, 48), (20, 37), (10, 37)], "#33475b")
    for radius in (10, 18):
        points = [
            (34 + radius * x, 30 + radius * y) for x, y in ((0.5, -0.8), (0.95, 0), (0.5, 0.8))
        ]
        canvas.line(points, "#33475b", 3)
    return canvas.image()
