"""Relate each element to the instruction and to the elements around it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from pptarena.wrappers.hashed_words import hashed_words
from pptarena.wrappers.quoted_texts import quoted_texts, without_quoted
from pptarena.wrappers.require import dict_space, require_at_least

__all__ = ["RELATIONS", "ElementRelations"]

_RANKS = 6
RELATIONS = (
    *("quoted", "begins_quoted", "follows_quoted", "number_said", "first", "last", "second_last"),
    *("slide", "shape", "paragraph", "first_paragraph", "alone", "largest", "rightmost", "lowest"),
    *(f"left_{rank}" for rank in range(1, _RANKS + 1)),
    *(f"top_{rank}" for rank in range(1, _RANKS + 1)),
)
"""The columns of ``relations``, each 0 or 1.

``quoted``, ``begins_quoted``: the name or text of the element is, or begins with, a text that the
instruction quotes; ``follows_quoted``: the element follows such an element. ``number_said``,
``first``, ``last``, ``second_last`` describe slides: the instruction contains the number of the
slide, or the slide is at this position. ``slide``, ``shape``, ``paragraph`` and ``first_paragraph``
give the type of the element; a paragraph also has the columns of its shape. The other columns
describe shapes: the only one of its role, the largest, the last, and the rank from the left and
from the top.
"""

_AT = {name: place for place, name in enumerate(RELATIONS)}
_HERE_FLAGS = ("editing", "list_focused", "shape_quoted", "image", "table", "embedded")
_WORD_BEFORE = 16
_QUOTE_FLAGS = ("there", "on_screen")

Nodes = Sequence[Mapping[str, Any]]
_Array = NDArray[np.float32]


class ElementRelations(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds the relations between instruction and elements that a reader would look for first.

    Hashed words do not show whether a title is the one that the instruction quotes, which slide is
    number 7, or which shape is the third from the left. All inputs are visible on the screen:
    names, texts and boxes of the tree, and the number and count of slides.

    New parts, float32:

    - ``relations`` (rows, 27), see `RELATIONS`.
    - ``here`` (60,): the relations of the current slide and of the selected shape, and six flags: a
      text is being edited, the slide list has the focus, a shape is quoted, and the slide has a
      picture, a table, a chart.
    - ``quotes`` (quotes, 18): for each quoted text whether it exists, whether it is on the screen,
      and the word before it.
    - ``asked`` (size,): the words of the instruction outside quotation marks.

    Args:
        env: An environment with the table ``elements``, below or above the wrapper that replaces
            the text of the instruction.
        size: Length of ``asked``.
        quotes: Number of quoted texts in ``quotes``.

    Raises:
        ConfigError: If there is no such table, or a number is below 1.
    """

    def __init__(self, env: gym.Env[Any, Any], size: int = 64, quotes: int = 3) -> None:
        RecordConstructorArgs.__init__(self, size=size, quotes=quotes)
        gym.Wrapper.__init__(self, env)
        require_at_least("size", size, 1)
        require_at_least("quotes", quotes, 1)
        parts = dict_space(env, "elements", spaces.Box)
        self._rows = int((parts["elements"].shape or (0,))[0])
        self._size, self._quotes = size, quotes
        here = 2 * len(RELATIONS) + len(_HERE_FLAGS)
        shapes = {
            "relations": (self._rows, len(RELATIONS)),
            "here": (here,),
            "quotes": (quotes, len(_QUOTE_FLAGS) + _WORD_BEFORE),
            "asked": (size,),
        }
        more = {name: spaces.Box(-1.0, 1.0, shape, np.float32) for name, shape in shapes.items()}
        self.observation_space = spaces.Dict({**parts, **more})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._related(observation, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._related(observation, info), reward, terminated, truncated, info

    def _related(self, observation: dict[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
        instruction, nodes = str(info["instruction"]), info["a11y"]["nodes"]
        look = _Look(nodes, instruction, info["document"])
        rows = np.zeros((self._rows, len(RELATIONS)), np.float32)
        for node in nodes:
            if 0 < node["element"] <= self._rows:
                rows[node["element"] - 1] = look.columns[node["index"]]
        return {
            **observation,
            "relations": rows,
            "here": look.here(bool(info["document"]["editing"])),
            "quotes": self._quoted(instruction, look.texts),
            "asked": hashed_words(without_quoted(instruction), self._size),
        }

    def _quoted(self, instruction: str, texts: Mapping[int, tuple[str, ...]]) -> _Array:
        found = np.zeros((self._quotes, len(_QUOTE_FLAGS) + _WORD_BEFORE), np.float32)
        shown = {text for each in texts.values() for text in each}
        place = 0
        for row, quote in zip(found, quoted_texts(instruction, self._quotes), strict=False):
            place = instruction.find(quote, place)
            before = re.findall(r"\w+", instruction[:place])
            row[:2] = 1.0, float(_plain(quote) in shown)
            row[2:] = hashed_words(before[-1] if before else "", _WORD_BEFORE)
            place += len(quote)
        return found


class _Look:
    """An accessibility tree compared with an instruction."""

    def __init__(self, nodes: Nodes, instruction: str, document: Mapping[str, Any]) -> None:
        self._nodes = nodes
        self._quotes = [_plain(text) for text in quoted_texts(instruction, 9)]
        self._numbers = {int(n) for n in re.findall(r"\b\d{1,3}\b", without_quoted(instruction))}
        self._shown, self._count = int(document["slide"]), int(document["slide_count"])
        self._below: dict[int, list[Mapping[str, Any]]] = {}
        for node in nodes:
            self._below.setdefault(node["parent"], []).append(node)
        self.columns = np.zeros((len(nodes), len(RELATIONS)), np.float32)
        self.slides = self._children("document frame", "Slides View")
        self.shapes = [
            node
            for node in self._children("document presentation")
            if not node["name"].startswith("PageShape")
        ]
        self.texts = {node["index"]: self._texts(node) for node in (*self.slides, *self.shapes)}
        self._compare()

    def here(self, editing: bool) -> _Array:
        """Return the contents of ``here``."""
        nothing = np.zeros(len(RELATIONS), np.float32)
        chosen = [
            next((self.columns[n["index"]] for n in group if "selected" in n["states"]), nothing)
            for group in (self.slides, self.shapes)
        ]
        roles = {node["role"] for node in self.shapes}
        flags = (
            editing,
            any("focused" in node["states"] for node in self.slides),
            any(self.columns[n["index"], : _AT["follows_quoted"]].any() for n in self.shapes),
            *(role in roles for role in ("image", "table", "embedded")),
        )
        return np.concatenate([*chosen, np.array(flags, np.float32)])

    def _children(self, role: str, name: str | None = None) -> list[Mapping[str, Any]]:
        for node in self._nodes:
            if node["role"] == role and name in (None, node["name"]):
                return self._below.get(node["index"], [])
        return []

    def _texts(self, node: Mapping[str, Any]) -> tuple[str, ...]:
        lines = [n["text"] for n in self._below.get(node["index"], ()) if n["role"] == "paragraph"]
        found = (_plain(text) for text in (node["name"], node["text"], "\n".join(lines)))
        return tuple(text for text in found if text)

    def _compare(self) -> None:
        for group in (self.slides, self.shapes):
            for node in group:
                texts, columns = self.texts[node["index"]], self.columns[node["index"]]
                columns[_AT["quoted"]] = any(text in self._quotes for text in texts)
                columns[_AT["begins_quoted"]] = any(
                    text.startswith(quote) and text != quote
                    for text in texts
                    for quote in self._quotes
                )
        self._number_slides()
        for role in {node["role"] for node in self.shapes}:
            self._rank([node for node in self.shapes if node["role"] == role])
        for node in self.shapes:
            self.columns[node["index"], _AT["shape"]] = 1.0
            self._inherit(node)

    def _number_slides(self) -> None:
        chosen = [k for k, node in enumerate(self.slides) if "selected" in node["states"]]
        first = self._shown - chosen[0] if len(chosen) == 1 and self._shown else 0
        for k, node in enumerate(self.slides):
            columns = self.columns[node["index"]]
            columns[_AT["slide"]] = 1.0
            before = self.columns[self.slides[k - 1]["index"]] if k else None
            columns[_AT["follows_quoted"]] = 0.0 if before is None else before[_AT["quoted"]]
            if first:
                number = first + k
                columns[_AT["number_said"]] = number in self._numbers
                columns[_AT["first"]] = number == 1
                columns[_AT["last"]] = number == self._count
                columns[_AT["second_last"]] = number == self._count - 1

    def _rank(self, alike: list[Mapping[str, Any]]) -> None:
        for axis, last, name in ((0, "rightmost", "left"), (1, "lowest", "top")):
            ordered = sorted(alike, key=lambda node: 2 * node["box"][axis] + node["box"][axis + 2])
            for rank, node in enumerate(ordered[:_RANKS], start=1):
                self.columns[node["index"], _AT[f"{name}_{rank}"]] = 1.0
            self.columns[ordered[-1]["index"], _AT[last]] = 1.0
        largest = max(alike, key=lambda node: node["box"][2] * node["box"][3])
        self.columns[largest["index"], _AT["largest"]] = 1.0
        self.columns[alike[0]["index"], _AT["alone"]] = len(alike) == 1

    def _inherit(self, shape: Mapping[str, Any]) -> None:
        lines = [n for n in self._below.get(shape["index"], ()) if n["role"] == "paragraph"]
        for k, line in enumerate(lines):
            columns = self.columns[line["index"]]
            columns[:] = self.columns[shape["index"]]
            columns[_AT["shape"]] = 0.0
            columns[_AT["paragraph"]] = 1.0
            columns[_AT["first_paragraph"]] = k == 0


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
