"""Generated films and sounds of a few seconds: free to use, with reproducible bytes."""

import io
import math
import struct
import wave
from collections.abc import Callable, Mapping, Sequence

from PIL import Image

from pptarena.errors import DeckError
from tools.decks.drawing import Canvas

__all__ = ["FILMS", "SOUNDS", "draw_film", "make_film", "make_sound"]

_SIZE = (320, 180)
_FRAMES = 18
_FRAMES_PER_SEC = 6
_RATE_HZ = 11025
_NOTE_SEC = 0.25


def make_film(name: str) -> bytes:
    """Return a film as AVI: three seconds of JPEG frames, without sound.

    Raises:
        DeckError: If there is no such film.
    """
    if name not in FILMS:
        raise DeckError(f"expected a film of {', '.join(FILMS)}, got {name!r}")
    return _avi([_jpeg(FILMS[name](number / _FRAMES)) for number in range(_FRAMES)])


def draw_film(name: str) -> Image.Image:
    """Return the poster frame of a film."""
    return FILMS[name](0.6)


def make_sound(name: str) -> bytes:
    """Return a sound as WAV: a sequence of notes, 8 bits, mono.

    Raises:
        DeckError: If there is no such sound.
    """
    if name not in SOUNDS:
        raise DeckError(f"expected a sound of {', '.join(SOUNDS)}, got {name!r}")
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setparams((1, 1, _RATE_HZ, 0, "NONE", ""))
        file.writeframes(b"".join(map(_note, SOUNDS[name])))
    return stream.getvalue()


def _note(frequency_hz: float) -> bytes:
    count = round(_RATE_HZ * _NOTE_SEC)
    waves = (
        (1 - i / count) * math.sin(2 * math.pi * frequency_hz * i / _RATE_HZ) for i in range(count)
    )
    return bytes(128 + round(90 * each) for each in waves)


def _jpeg(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.resize(_SIZE, Image.Resampling.LANCZOS).save(stream, "JPEG", quality=60)
    return stream.getvalue()


def _avi(frames: Sequence[bytes]) -> bytes:
    """Return frames as an AVI file with an index."""
    width, height = _SIZE
    largest, frame_us = max(map(len, frames)), 1_000_000 // _FRAMES_PER_SEC
    head = struct.pack(
        "<14I", frame_us, 0, 0, 0x10, len(frames), 0, 1, largest, width, height, 0, 0, 0, 0
    )
    stream = b"vidsMJPG" + struct.pack(
        "<IHHIIIIIIIIHHHH", *(0, 0, 0, 0, 1, _FRAMES_PER_SEC, 0, len(frames), largest),
        *(0xFFFFFFFF, 0, 0, 0, width, height),
    )  # fmt: skip
    picture = struct.pack(
        "<IiiHH4sIiiII", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0
    )
    header = _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", picture))
    lists = _list(b"hdrl", _chunk(b"avih", head) + header)
    frames_data, index = b"", b""
    for frame in frames:
        index += b"00dc" + struct.pack("<III", 0x10, 4 + len(frames_data), len(frame))
        frames_data += _chunk(b"00dc", frame)
    return _chunk(b"RIFF", b"AVI " + lists + _list(b"movi", frames_data) + _chunk(b"idx1", index))


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _list(name: bytes, content: bytes) -> bytes:
    return _chunk(b"LIST", name + content)


def _canvas(color: str) -> Canvas:
    return Canvas(320, 180, color)


def _sunrise(progress: float) -> Image.Image:
    """A lamp rises behind a hill like a sun."""
    canvas = _canvas("#1d2a44")
    canvas.circle((160, 170 - 110 * progress), 34, "#ffcf5c")
    canvas.ellipse((160, 200), (230, 60), "#35506b")
    return canvas.image()


def _lamp(progress: float) -> Image.Image:
    """A desk lamp becomes brighter."""
    glow = round(40 + 190 * progress)
    canvas = _canvas("#20252e")
    canvas.polygon([(120, 80), (200, 80), (250, 160), (70, 160)], f"#{glow:02x}{glow:02x}5a")
    canvas.box(60, 160, 260, 172, "#7a5a3c")
    canvas.polygon([(140, 40), (180, 40), (204, 80), (116, 80)], "#d9622b")
    canvas.line([(160, 40), (160, 12)], "#c8ccd2", 5)
    return canvas.image()


def _tram(progress: float) -> Image.Image:
    """A tram passes from left to right."""
    canvas = _canvas("#cfe6f1")
    canvas.box(0, 130, 320, 180, "#8f9499")
    left = -140 + 420 * progress
    canvas.box(left, 70, left + 140, 134, "#c8452f", radius=8)
    for window in range(4):
        canvas.box(left + 10 + window * 33, 82, left + 34 + window * 33, 104, "#eaf6fb")
    canvas.line([(0, 58), (320, 58)], "#444444", 2)
    return canvas.image()


FILMS: Mapping[str, Callable[[float], Image.Image]] = {
    "lamp": _lamp,
    "sunrise": _sunrise,
    "tram": _tram,
}
"""The function that draws each film, given the elapsed fraction in [0, 1]."""


def _scale(*steps: int) -> tuple[float, ...]:
    return tuple(440 * 2 ** (step / 12) for step in steps)


SOUNDS: Mapping[str, Sequence[float]] = {
    "bell": _scale(7, 3, 7),
    "jingle": _scale(0, 4, 7, 12, 7, 12),
}
"""Frequencies of the notes of each sound, in hertz."""
