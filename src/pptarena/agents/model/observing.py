"""Observations for a model: the screen as a picture, with or without marks, and as text."""

import hashlib
import io
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pptarena.agents.dialects.base import Point, Screen, Size
from pptarena.envs.text_view import element_line
from pptarena.errors import ConfigError
from pptarena.models import Answer, Turn
from pptarena.untrusted import visible
from pptarena.wrappers.marks import draw_marks

__all__ = ["Observer", "Picture", "Sight", "make_turn", "screen_text"]

_CHARS_PER_TOKEN = 3.5  # an upper bound for element lists with current tokenizers, not a count
_KEPT_PICTURES = 16
_FONT_PX = 13
_WINDOWS = frozenset({"dialog", "alert", "popup menu", "menu", "combo box"})
_DOCUMENTS = frozenset({"document presentation", "document frame", "document"})
_ACTIVE = frozenset({"focused", "selected", "editable"})


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot as it is sent.

    Attributes:
        png: The file.
        size: Width and height in pixels.
    """

    png: bytes
    size: Size


@dataclass(frozen=True, slots=True)
class Sight:
    """One observation for a model: text, a picture, and the screen that its reply refers to."""

    text: str
    picture: Picture | None
    screen: Screen


def make_turn(text: str, picture: Picture | None = None, answer: Answer | None = None) -> Turn:
    """Return a turn that shows an observation.

    Line separators other than line feeds and invisible characters of the text are escaped, so that
    text of a deck cannot start a line or hide anything.
    """
    pictures = () if picture is None else (picture.png,)
    return Turn((*pictures, visible(text)), answer)


class Observer:
    """Builds observations for a model, and reuses a picture that occurs again.

    Args:
        view: ``"screenshot"``, ``"marks"``, ``"text"`` or ``"both"``.
        picture_size: The model's rule for the size of a picture.
        text_tokens: Approximate maximum length of the text.
    """

    def __init__(
        self, view: str, picture_size: Callable[[Size], Size], text_tokens: int = 4000
    ) -> None:
        if view not in ("screenshot", "marks", "text", "both"):
            raise ConfigError(f"expected a view, got {view!r}")
        self._view, self._picture_size, self._text_tokens = view, picture_size, text_tokens
        self._kept: OrderedDict[bytes, Picture] = OrderedDict()

    def see(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Sight:
        """Return an observation for the model."""
        screenshot = observation["screenshot"]
        boxes = observation["elements"][: int(observation["element_count"]), :4]
        size = (screenshot.shape[1], screenshot.shape[0])
        marked = self._view in ("marks", "both")
        picture = None
        if self._view != "text":
            picture = self._picture(screenshot, boxes if marked else boxes[:0])
        shown = self._picture_size(size) if picture is None else picture.size
        centres = [(float(x0 + x1) / 2, float(y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
        listed = self._view in ("text", "both")
        text = screen_text(info, self._text_tokens) if listed else _heading(info)
        return Sight(text, picture, Screen(shown, centres, _pointer(info, size)))

    def _picture(self, screenshot: NDArray[np.uint8], boxes: NDArray[np.float32]) -> Picture:
        digest = hashlib.blake2b(screenshot.tobytes(), digest_size=16)
        digest.update(boxes.tobytes())
        key = digest.digest()
        if key not in self._kept:
            self._kept[key] = self._encode(screenshot, boxes)
            if len(self._kept) > _KEPT_PICTURES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _encode(self, screenshot: NDArray[np.uint8], boxes: NDArray[np.float32]) -> Picture:
        if len(boxes):
            screenshot = draw_marks(screenshot, boxes, _FONT_PX)
        image = Image.fromarray(screenshot)
        size = self._picture_size(image.size)
        if size != image.size:
            image = image.resize(size, Image.Resampling.LANCZOS)
        file = io.BytesIO()
        image.save(file, "PNG", compress_level=3)
        return Picture(file.getvalue(), size)


def screen_text(info: Mapping[str, Any], max_tokens: int = 4000) -> str:
    """Return the screen as text, the most useful elements first, within a limit.

    A line is ``[number] role 'label' (states) at left,top width x height`` in pixels. The order is:
    focused, selected or editable elements, open dialogs and menus, the contents of the slide, other
    controls with a name, and the rest.

    Args:
        info: The info that ``reset`` or ``step`` returned.
        max_tokens: Approximate maximum number of tokens; the text ends with the number of elements
            that do not fit.
    """
    nodes = info["a11y"]["nodes"]
    parents = {node["index"]: node for node in nodes}
    elements = [node for node in nodes if node["element"]]
    elements.sort(key=lambda node: (_rank(node, parents), node["element"]))
    lines, left = [_heading(info)], max_tokens * _CHARS_PER_TOKEN
    for count, node in enumerate(elements):
        line = f"{element_line(node)} at {_place(node['box'])}"
        left -= len(line) + 1
        if left < 0:
            lines.append(f"... and {len(elements) - count} more elements")
            break
        lines.append(line)
    return "\n".join(lines)


def _heading(info: Mapping[str, Any]) -> str:
    document = info.get("document", {})
    slide = document.get("slide")
    where = f", slide {slide} of {document.get('slide_count')}" if slide else ""
    return f"window: {next(iter(info['window_titles']), 'none')}{where}"


def _rank(node: Mapping[str, Any], parents: Mapping[int, Mapping[str, Any]]) -> int:
    if _ACTIVE.intersection(node["states"]):
        return 0
    above: Mapping[str, Any] | None = parents.get(node["parent"])
    for _ in range(20):
        if above is None:
            break
        if above["role"] in _WINDOWS:
            return 1
        if above["role"] in _DOCUMENTS:
            return 2
        above = parents.get(above["parent"])
    return 3 if node["name"] else 4


def _place(box: list[int]) -> str:
    left, top, width, height = box
    return f"{left},{top} {width}x{height}"


def _pointer(info: Mapping[str, Any], size: Size) -> Point | None:
    command = info.get("command") or {}
    for x, y in (("end_x_px", "end_y_px"), ("x_px", "y_px")):
        if x in command and y in command:
            return (command[x] + 0.5) / size[0], (command[y] + 0.5) / size[1]
    return None
