"""Observations for a model: pictures of the screen, and the screen as text."""

import hashlib
import json
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pptarena.agents.dialects.base import Point, Screen, Size
from pptarena.agents.model.short_elements import short_elements
from pptarena.envs.text_view import element_line
from pptarena.models import Answer, Caption, Turn
from pptarena.png import png_bytes
from pptarena.sources import PICTURES, read_sources
from pptarena.untrusted import escape_invisible
from pptarena.wrappers.marks import draw_marks

__all__ = ["Observer", "Picture", "ScreenView", "make_turn"]

_CHARS_PER_TOKEN = 3.5  # an upper bound for element lists with current tokenizers, not a count
_CACHED_PICTURES = 16
_FONT_PX = 13
_CLIPBOARD_CHARS = 1_000
_CELL_CHARS = 200
_MAX_ACTIONS = 10
_MAX_SHORT_ACTIONS = 3
_WINDOWS = frozenset({"dialog", "alert", "popup menu", "menu", "combo box"})
_DOCUMENTS = frozenset({"document presentation", "document frame", "document"})
_ACTIVE = frozenset({"focused", "selected", "editable"})
_CAPTIONS = {
    "clipboard-picture": "The picture on the clipboard:",
    "previous": "The previous screen:",
    "previous-marks": "The previous screen with numbered elements:",
    "screenshot": "The screen:",
    "marks": "The screen with numbered elements:",
}
_COPY_KEYS = frozenset({"c", "x", "insert"})

Boxes = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in the form that is sent.

    Attributes:
        png: The file.
        size: Width and height in pixels.
        caption: Its caption in requests with several pictures; empty if it needs none.
    """

    png: bytes
    size: Size
    caption: str = ""


@dataclass(frozen=True, slots=True)
class ScreenView:
    """An observation in the form that a model receives.

    Attributes:
        sections: The text of every source; ``window`` includes ``slide``, and ``elements`` the
            corners of ``elements-normalized``.
        pictures: The pictures.
        screen: The screen that the model's reply refers to.
    """

    sections: Mapping[str, str]
    pictures: tuple[Picture, ...]
    screen: Screen

    @property
    def text(self) -> str:
        """All sections."""
        return "\n".join(filter(None, self.sections.values()))


def make_turn(text: str, *pictures: Picture | None, answer: Answer | None = None) -> Turn:
    """Return a turn that shows an observation.

    Line separators other than line feeds and invisible characters of the text are escaped, so
    text of a deck cannot start a line or hide content.
    """
    parts: list[str | bytes] = []
    for picture in filter(None, pictures):
        parts += [Caption(picture.caption)] if picture.caption else []
        parts.append(picture.png)
    if text or not parts:
        parts.append(escape_invisible(text) or "(nothing to show)")
    return Turn(tuple(parts), answer)


class Observer:
    """Builds observations for a model, and caches their pictures.

    Args:
        see: The sources, see `pptarena.sources.read_sources`.
        picture_size: The model's rule for the size of a picture.
        text_tokens: Approximate maximum length of a list of elements, and of a tree.

    Raises:
        ConfigError: If a source is unknown.
    """

    def __init__(
        self, see: str, picture_size: Callable[[Size], Size], text_tokens: int = 4000
    ) -> None:
        self._sources = read_sources(see)
        self._picture_size, self._text_tokens = picture_size, text_tokens
        self._picture_cache: OrderedDict[bytes, Picture] = OrderedDict()
        self._previous: tuple[Pixels, Boxes] | None = None
        self._screen: Pixels | None = None
        self._copied_picture: tuple[Pixels, str] | None = None
        self._actions: deque[str] = deque(maxlen=_MAX_ACTIONS)
        self._short_actions: deque[str] = deque(maxlen=_MAX_SHORT_ACTIONS)

    def record_step(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """Record the result of a step: the executed action and the picture it copied.

        Pass every observation of an episode to this method once; `observe` only needs those that
        are sent to the model.
        """
        problem = info["action_error"]
        command = {} if problem else info["command"]
        if problem:
            self._actions.append(f"refused: {problem}")
            self._short_actions.append("refused")
        elif command:
            self._actions.append(_action_json(command))
            self._short_actions.append(_short_action(command))
        if command.get("kind") == "copy_image" and self._screen is not None:
            left, top, width, height = command["box_px"]
            region = self._screen[top : top + height, left : left + width]
            self._copied_picture = region, str(command.get("text", ""))
        elif info["clipboard"] or _replaces_clipboard(command):
            self._copied_picture = None
        self._screen = observation["screenshot"]

    def observe(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ScreenView:
        """Return the observation in the form that the model receives."""
        screenshot = observation["screenshot"]
        size = (screenshot.shape[1], screenshot.shape[0])
        image_size = self._picture_size(size)
        boxes = _boxes(observation)
        centers = [(float(x0 + x1) / 2, float(y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
        screen = Screen(image_size, centers, _pointer(info, size))
        sections = dict(self._sections(info, size, image_size))
        return ScreenView(sections, self.pictures(observation), screen)

    def pictures(self, observation: Mapping[str, Any]) -> tuple[Picture, ...]:
        """Return the pictures of an observation, and store it as the previous one."""
        current = (observation["screenshot"], _boxes(observation))
        pictures: list[Picture] = []
        for source in (name for name in PICTURES if name in self._sources):
            if source == "clipboard-picture":
                pictures += [self._clipboard_picture()] if self._copied_picture else []
                continue
            source_screen = self._previous if "previous" in source else current
            if source_screen is not None:
                boxes = source_screen[1] if source.endswith("marks") else source_screen[1][:0]
                pictures.append(
                    replace(self._picture(source_screen[0], boxes), caption=_CAPTIONS[source])
                )
        self._previous = current
        is_obvious = len(pictures) == 1 and pictures[0].caption in (
            _CAPTIONS["screenshot"],
            _CAPTIONS["marks"],
        )
        return tuple(
            replace(picture, caption="") if is_obvious else picture for picture in pictures
        )

    def _picture(self, screenshot: Pixels, boxes: Boxes) -> Picture:
        digest = hashlib.blake2b(screenshot.tobytes(), digest_size=16)
        digest.update(boxes.tobytes())
        key = digest.digest()
        if key not in self._picture_cache:
            self._picture_cache[key] = self._encode(screenshot, boxes)
            if len(self._picture_cache) > _CACHED_PICTURES:
                self._picture_cache.popitem(last=False)
        self._picture_cache.move_to_end(key)
        return self._picture_cache[key]

    def _encode(self, screenshot: Pixels, boxes: Boxes) -> Picture:
        if len(boxes):
            screenshot = draw_marks(screenshot, boxes, _FONT_PX)
        image = Image.fromarray(screenshot)
        size = self._picture_size(image.size)
        if size != image.size:
            image = image.resize(size, Image.Resampling.LANCZOS)
        return Picture(_png(image), size)

    def _clipboard_picture(self) -> Picture:
        assert self._copied_picture is not None, "no picture was copied"
        image = Image.fromarray(self._copied_picture[0])
        return Picture(_png(image), image.size, _CAPTIONS["clipboard-picture"])

    def _sections(
        self, info: Mapping[str, Any], size: Size, image_size: Size
    ) -> Iterator[tuple[str, str]]:
        sources = self._sources
        if "budget" in sources:
            yield "budget", f"steps left: {info['steps_left']}"
        if heading := _heading(info, sources):
            yield "window", heading
        if "windows" in sources:
            titles = json.dumps(info["window_titles"], ensure_ascii=False)
            yield "windows", f"all windows: {titles}"
        if "clipboard" in sources:
            yield "clipboard", f"clipboard: {self._clipboard(info)}"
        if "actions" in sources:
            lines = (f"\n- {each}" for each in self._actions or ["none"])
            yield "actions", f"last actions:{''.join(lines)}"
        if "actions-short" in sources:
            yield "actions-short", f"last actions: {', '.join(self._short_actions) or 'none'}"
        if "elements" in sources or "elements-normalized" in sources:
            yield "elements", "\n".join(self._elements(info["a11y"]["nodes"], size, image_size))
        if "elements-short" in sources:
            yield "elements-short", short_elements(info["a11y"]["nodes"], info["instruction"])
        if "tree" in sources:
            yield "tree", "\n".join(self._tree(info["a11y"]["nodes"], size, image_size))
        if "task" in sources:
            yield "task", f"task: {info['instruction']}"

    def _clipboard(self, info: Mapping[str, Any]) -> str:
        if self._copied_picture is not None:
            description = json.dumps(self._copied_picture[1], ensure_ascii=False)
            return f"a picture, {description if self._copied_picture[1] else 'not described'}"
        text = str(info["clipboard"])
        omitted = f" and {len(text) - _CLIPBOARD_CHARS} more characters"
        excerpt = json.dumps(text[:_CLIPBOARD_CHARS], ensure_ascii=False)
        return (
            (excerpt + omitted if len(text) > _CLIPBOARD_CHARS else excerpt) if text else "no text"
        )

    def _elements(
        self, nodes: list[Mapping[str, Any]], size: Size, image_size: Size
    ) -> Iterator[str]:
        """Yield the numbered elements, the most useful first, within the limit.

        The order is: focused, selected or editable elements, open dialogs and menus, the contents
        of the slide, other controls with a name, and the rest.
        """
        parents = {node["index"]: node for node in nodes}
        elements = [node for node in nodes if node["element"]]
        elements.sort(key=lambda node: (_rank(node, parents), node["element"]))
        lines = []
        for node in elements:
            positions = []
            if "elements" in self._sources:
                left, top, width, height = _scale_box(node["box"], size, image_size)
                positions.append(f"{left},{top} {width}x{height}")
            if "elements-normalized" in self._sources:
                positions.append(_normalized_corners(node["box"], size))
            lines.append(f"{element_line(node)} at {' '.join(positions)}")
        yield from self._truncate(lines, "elements")

    def _tree(self, nodes: list[Mapping[str, Any]], size: Size, image_size: Size) -> Iterator[str]:
        yield "role | name | text | description | states | position | size"
        lines = []
        for node in nodes:
            left, top, width, height = _scale_box(node["box"], size, image_size)
            texts = (node[name] for name in ("role", "name", "text", "description"))
            cells = [" ".join(str(value).split())[:_CELL_CHARS] for value in texts]
            cells += [" ".join(node["states"]), f"{left},{top}", f"{width}x{height}"]
            lines.append(" | ".join(cells))
        yield from self._truncate(lines, "rows")

    def _truncate(self, lines: list[str], unit: str) -> Iterator[str]:
        chars_left = self._text_tokens * _CHARS_PER_TOKEN
        for count, line in enumerate(lines):
            chars_left -= len(line) + 1
            if chars_left < 0:
                yield f"... and {len(lines) - count} more {unit}"
                return
            yield line


def _boxes(observation: Mapping[str, Any]) -> Boxes:
    boxes: Boxes = observation["elements"][: int(observation["element_count"]), :4]
    return boxes


def _png(image: Image.Image) -> bytes:
    return png_bytes(np.asarray(image.convert("RGB")))


def _heading(info: Mapping[str, Any], sources: tuple[str, ...]) -> str:
    document = info.get("document", {})
    parts = []
    if "window" in sources:
        parts.append(f"window: {next(iter(info['window_titles']), 'none')}")
    if "slide" in sources and document.get("slide"):
        parts.append(f"slide {document['slide']} of {document.get('slide_count')}")
    return ", ".join(parts)


def _action_json(command: Mapping[str, Any]) -> str:
    """Return an executed action as JSON, such as ``{"kind": "key", "keys": "Control_L+b"}``."""
    target = command.get("target") or {}
    fields = {
        **{name: value for name, value in command.items() if name not in ("target", "keys")},
        **({"keys": "+".join(command["keys"])} if command.get("keys") else {}),
        **({"target": f"{target['role']} {target['name']!r}"} if target else {}),
    }
    return json.dumps(fields, ensure_ascii=False)


def _short_action(command: Mapping[str, Any]) -> str:
    """Return an executed action in a few words, such as ``click panel 'Agenda'``."""
    target = command.get("target") or {}
    parts = [str(command["kind"]), "+".join(command.get("keys") or ())]
    parts += [json.dumps(command["text"], ensure_ascii=False)] if command.get("text") else []
    parts += [target["role"], repr(target["name"])] if target else []
    return " ".join(filter(None, parts))


def _replaces_clipboard(command: Mapping[str, Any]) -> bool:
    """Return whether an action replaces the content of the clipboard."""
    if command.get("kind") == "copy_text":
        return True
    keys = [key.casefold() for key in command.get("keys") or ()]
    has_control = any(key.startswith("control") for key in keys)
    return command.get("kind") == "key" and has_control and keys[-1] in _COPY_KEYS


def _scale_box(box: list[int], size: Size, image_size: Size) -> list[int]:
    if size == image_size:
        return box
    return [
        round(value * image_size[index % 2] / size[index % 2]) for index, value in enumerate(box)
    ]


def _normalized_corners(box: list[int], size: Size) -> str:
    left, top, width, height = box
    corners = (left, top, left + width, top + height)
    fractions = (f"{value / size[index % 2]:.3f}" for index, value in enumerate(corners))
    return f"({', '.join(fractions)})"


def _rank(node: Mapping[str, Any], parents: Mapping[int, Mapping[str, Any]]) -> int:
    if _ACTIVE.intersection(node["states"]):
        return 0
    ancestor: Mapping[str, Any] | None = parents.get(node["parent"])
    for _ in range(20):
        if ancestor is None:
            break
        if ancestor["role"] in _WINDOWS:
            return 1
        if ancestor["role"] in _DOCUMENTS:
            return 2
        ancestor = parents.get(ancestor["parent"])
    return 3 if node["name"] else 4


def _pointer(info: Mapping[str, Any], size: Size) -> Point | None:
    command = info.get("command") or {}
    for x, y in (("end_x_px", "end_y_px"), ("x_px", "y_px")):
        if x in command and y in command:
            return (command[x] + 0.5) / size[0], (command[y] + 0.5) / size[1]
    return None
