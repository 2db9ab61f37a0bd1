"""Random valid calls; samples of the action space are not valid calls."""

import base64
import re
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from pptarena.envs.document.call import ToolCall
from pptarena.envs.document.toolbox import toolbox

__all__ = ["random_call"]

# Weights per 100 calls; ends are rare, so that random play uses its entire budget.
_ENDS = {"done": 0.4, "fail": 0.2}
# What an outline does not tell: entries of diagrams, media, attachments, comments, runs of text,
# connectors, and what a layout has.
_EXCLUDED_TOOLS = frozenset(
    (
        *(*_ENDS, "read_slide", "list_layouts", "set_diagram_text", "set_media", "add_media"),
        *("insert_picture", "replace_picture", "copy_image", "delete_comments", "set_text_link"),
        *("attach_connector", "add_table_like", "reset_position", "add_placeholder", "set_footer"),
    )
)
_SHAPE_KINDS: Final[Mapping[str, str]] = {
    "set_cell": "table", "add_row": "table", "delete_row": "table", "delete_column": "table",
    "set_cell_format": "table", "sort_rows": "table", "set_chart_data": "chart",
    "set_chart_title": "chart", "delete_series": "chart", "set_bar_direction": "chart",
    "set_chart_axis": "chart", "set_chart_color": "chart", "set_chart_labels": "chart",
    "set_chart_legend": "chart", "set_chart_value": "chart", "crop_picture": "picture",
    "set_picture_grayscale": "picture", "ungroup_shape": "group",
}  # fmt: skip
# Optional arguments that only fit some values of others.
_EXCLUDED_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "duplicate_slide": ("without",), "set_run_format": ("text",), "set_transition": ("direction",),
    "set_chart_data": ("number_format",), "sort_rows": ("first", "last"),
}  # fmt: skip
_SLIDE_ARGUMENTS = frozenset(("slide", "layout", "old"))
_SHAPE = re.compile(r"^  \[(\d+)\] (\w+(?: box)?)(?: of (\d+) x (\d+))?", re.MULTILINE)
_SLIDE = re.compile(r"^slide \d+, id (\d+), layout ('[^'\n]*'|\"[^\"\n]*\")", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]{3,20}")
_FONTS = ("Arial", "Georgia", "Courier New")
_DEFAULT_WORDS = ("plan", "growth", "team", "review", "draft")


def random_call(observation: Mapping[str, Any], rng: np.random.Generator) -> ToolCall:
    """Return a random call of a typed edit with arguments that fit the document.

    Slides, shapes, layouts and words come from the outline. Some calls are still refused, since not
    every shape has text, a link or a fill. ``done`` and ``fail``, which end the episode, are rare.

    Args:
        observation: The last observation of `PPTArenaDocEnv`; only its ``outline`` is used.
        rng: Source of randomness; equal generators give equal calls.

    Example:
        >>> outline = "slide 1, id 256, layout 'Blank'"
        >>> random_call({"outline": outline}, np.random.default_rng(0))
        ToolCall(tool='set_transition', arguments={'slide': 256, 'kind': 'fade', 'speed': 'slow'})
    """
    deck = _Deck(str(observation["outline"]), rng)
    draw = rng.random() * 100
    for name, probability in _ENDS.items():
        if draw < probability:
            return ToolCall(name, {})
        draw -= probability
    while True:
        name = deck.pick(list(_schemas()))
        if not _SLIDE_ARGUMENTS & _schemas()[name]["properties"].keys():
            return ToolCall(name, deck.arguments(name))
        if deck.choose(
            _SHAPE_KINDS.get(name, ""), _required_shapes(_schemas()[name]["properties"])
        ):
            return ToolCall(name, deck.arguments(name))


@cache
def _schemas() -> dict[str, Mapping[str, Any]]:
    tools = toolbox(("edit",)).values()
    return {
        tool.name: tool.to_json()["parameters"]
        for tool in tools
        if tool.name not in _EXCLUDED_TOOLS
    }


def _required_shapes(arguments: Mapping[str, Any]) -> int:
    if "shapes" in arguments:
        return int(arguments["shapes"]["minItems"])
    return 2 if "end" in arguments else int("shape" in arguments)


class _Deck:
    """The slides and shapes of an outline, and random choices from them.

    Args:
        outline: The outline.
        rng: Source of randomness.
    """

    def __init__(self, outline: str, rng: np.random.Generator) -> None:
        self._rng = rng
        self.slides: dict[int, list[tuple[str, ...]]] = {}
        heads = list(_SLIDE.finditer(outline))
        ends = [*(match.start() for match in heads[1:]), len(outline)]
        for head, end in zip(heads, ends, strict=False):
            shapes = _SHAPE.findall(outline[head.end() : end])
            self.slides[int(head[1])] = [shape for shape in shapes if int(shape[0]) > 0]
        self._layouts = sorted({match[2][1:-1] for match in heads})
        self._words = _WORD.findall(" ".join(re.findall(r"\] [\w ]+ '([^'\n]*)'", outline)))
        self._slide = 0
        self._shapes: list[tuple[str, ...]] = []

    def pick(self, values: Any) -> Any:
        """Return one of several values at random."""
        return values[int(self._rng.integers(len(values)))]

    def choose(self, kind: str, count: int) -> bool:
        """Select a random slide with `count` shapes of a kind ("" for any); False if none."""

        def matching(shapes: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
            return [shape for shape in shapes if kind in ("", shape[1])]

        candidates = [
            slide for slide, shapes in self.slides.items() if len(matching(shapes)) >= count
        ]
        if not candidates:
            return False
        self._slide = self.pick(candidates)
        shapes = matching(self.slides[self._slide])
        self._shapes = [shapes[index] for index in self._rng.permutation(len(shapes))]
        return True

    def arguments(self, tool: str) -> dict[str, Any]:
        """Return arguments of a tool; each optional one is included half of the time."""
        schema = _schemas()[tool]
        required = schema.get("required", ())
        values = {
            name: self._value(tool, name, property_schema)
            for name, property_schema in schema.get("properties", {}).items()
            if name in required
            or (name not in _EXCLUDED_ARGUMENTS.get(tool, ()) and self._rng.random() < 0.5)
        }
        if tool == "set_chart_data":
            values["series"] = [self._series(len(values["categories"])) for _ in range(2)]
        if tool == "set_link" and "address" in values:
            values.pop("to_slide", None)
        if tool == "add_row":
            values["cells"] = [self._text() for _ in range(self._size()[1])]
        return values

    def _value(self, tool: str, name: str, schema: Mapping[str, Any]) -> Any:
        generators: dict[str, Callable[[], Any]] = {
            "slide": lambda: self._slide,
            "to_slide": lambda: self.pick(list(self.slides)),
            "shape": lambda: self._shape(0),
            "start": lambda: self._shape(0),
            "end": lambda: self._shape(1),
            "shapes": lambda: [int(shape[0]) for shape in self._shapes[:3]],
            "layout": lambda: self.pick(self._layouts),
            "row": lambda: 1 + int(self._rng.integers(self._size()[0])),
            "column": lambda: 1 + int(self._rng.integers(self._size()[1])),
            "position": lambda: 1 + int(self._rng.integers(self._position_count(tool))),
            "paragraph": lambda: 1,
            "run": lambda: 1,
            "old": lambda: self.pick(self._words or _DEFAULT_WORDS),
            "address": lambda: f"https://example.org/{self.pick(_DEFAULT_WORDS)}",
            "font": lambda: self.pick(_FONTS),
            "data": lambda: _png_base64(self._rng.integers(256, size=3).tolist()),
            "categories": lambda: [self._text() for _ in range(3)],
            "cells": lambda: [[self._text() for _ in range(3)] for _ in range(2)],
            "series": lambda: [] if tool == "set_chart_data" else 1,
        }
        if "anyOf" in schema:
            schema = schema["anyOf"][0]
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.pick(schema["enum"])
        if name in generators:
            return generators[name]()
        if "pattern" in schema:
            return f"#{int(self._rng.integers(2**24)):06X}"
        if schema["type"] == "boolean":
            return bool(self._rng.random() < 0.5)
        if schema["type"] == "string":
            return self._text()
        if schema["type"] == "integer":
            return 1
        return self._number(name)

    def _number(self, name: str) -> float:
        low, high = _RANGES.get(name, (0.0, 0.3))
        return round(low + float(self._rng.random()) * (high - low), 1)

    def _shape(self, number: int) -> int:
        return int(self._shapes[number][0])

    def _size(self) -> tuple[int, int]:
        return (int(self._shapes[0][2] or 1), int(self._shapes[0][3] or 1))

    def _position_count(self, tool: str) -> int:
        if tool == "delete_column":
            return self._size()[1]
        return self._size()[0] if tool in ("add_row", "delete_row") else len(self.slides)

    def _text(self) -> str:
        words = self._words or _DEFAULT_WORDS
        return " ".join(self.pick(words) for _ in range(int(self._rng.integers(1, 4))))

    def _series(self, count: int) -> dict[str, Any]:
        values = self._rng.integers(1, 100, size=count).tolist()
        return {"name": self._text(), "values": [float(value) for value in values]}


_RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "left_cm": (0, 22), "top_cm": (0, 15), "width_cm": (1, 12), "height_cm": (1, 8),
    "rotation_deg": (0, 90), "size_pt": (8, 44), "width_pt": (0.5, 6), "line_spacing": (0.8, 2),
    "seconds": (1, 20),
}  # fmt: skip


def _png_base64(color: list[int]) -> str:
    """Return an image of one color, a PNG in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    size = struct.pack(">2I5B", 4, 3, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(color) * 4) * 3)
    png = chunk(b"IHDR", size) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + png).decode()
