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
from pptarena.wrappers.quoted_texts import quoted_texts, remove_quoted_texts
from pptarena.wrappers.requirements import dict_space, require_at_least

__all__ = ["RELATIONS", "ElementRelations"]

_RANKS = 6
RELATIONS = (
    *("quoted", "begins_quoted", "follows_quoted", "number_mentioned"),
    *("first", "last", "second_last"),
    *("slide", "shape", "paragraph", "first_paragraph", "alone", "largest", "rightmost", "lowest"),
    *(f"left_{rank}" for rank in range(1, _RANKS + 1)),
    *(f"top_{rank}" for rank in range(1, _RANKS + 1)),
)
"""The columns of ``relations``, each 0 or 1.

``quoted``, ``begins_quoted``: the name or text of the element is, or begins with, a text that the
instruction quotes; ``follows_quoted``: the element follows such an element. ``number_mentioned``,
``first``, ``last``, ``second_last`` describe slides: the instruction contains the number of the
slide, or the slide is at this position. ``slide``, ``shape``, ``paragraph`` and ``first_paragraph``
give the type of the element; a paragraph also has the columns of its shape. The other columns
describe shapes: the only one of its role, the largest, the last, and the rank from the left and
from the top.
"""

_COLUMN = {name: index for index, name in enumerate(RELATIONS)}
_STATE_FLAGS = ("editing", "list_focused", "shape_quoted", "image", "table", "embedded")
_PRECEDING_WORD_SIZE = 16
_QUOTE_FLAGS = ("exists", "on_screen")

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
        here_size = 2 * len(RELATIONS) + len(_STATE_FLAGS)
        shapes = {
            "relations": (self._rows, len(RELATIONS)),
            "here": (here_size,),
            "quotes": (quotes, len(_QUOTE_FLAGS) + _PRECEDING_WORD_SIZE),
            "asked": (size,),
        }
        added = {name: spaces.Box(-1.0, 1.0, shape, np.float32) for name, shape in shapes.items()}
        self.observation_space = spaces.Dict({**parts, **added})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._with_relations(observation, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_relations(observation, info), reward, terminated, truncated, info

    def _with_relations(
        self, observation: dict[str, Any], info: Mapping[str, Any]
    ) -> dict[str, Any]:
        instruction, nodes = str(info["instruction"]), info["a11y"]["nodes"]
        relations = _Relations(nodes, instruction, info["document"])
        rows = np.zeros((self._rows, len(RELATIONS)), np.float32)
        for node in nodes:
            if 0 < node["element"] <= self._rows:
                rows[node["element"] - 1] = relations.columns[node["index"]]
        return {
            **observation,
            "relations": rows,
            "here": relations.here(bool(info["document"]["editing"])),
            "quotes": self._quote_rows(instruction, relations.texts),
            "asked": hashed_words(remove_quoted_texts(instruction), self._size),
        }

    def _quote_rows(self, instruction: str, texts: Mapping[int, tuple[str, ...]]) -> _Array:
        rows = np.zeros((self._quotes, len(_QUOTE_FLAGS) + _PRECEDING_WORD_SIZE), np.float32)
        visible_texts = {text for node_texts in texts.values() for text in node_texts}
        position = 0
        for row, quote in zip(rows, quoted_texts(instruction, self._quotes), strict=False):
            position = instruction.find(quote, position)
            preceding_words = re.findall(r"\w+", instruction[:position])
            row[:2] = 1.0, float(_normalize(quote) in visible_texts)
            row[2:] = hashed_words(
                preceding_words[-1] if preceding_words else "", _PRECEDING_WORD_SIZE
            )
            position += len(quote)
        return rows


class _Relations:
    """An accessibility tree compared with an instruction."""

    def __init__(self, nodes: Nodes, instruction: str, document: Mapping[str, Any]) -> None:
        self._nodes = nodes
        self._quotes = [_normalize(text) for text in quoted_texts(instruction, 9)]
        self._numbers = {
            int(n) for n in re.findall(r"\b\d{1,3}\b", remove_quoted_texts(instruction))
        }
        self._current_slide = int(document["slide"])
        self._slide_count = int(document["slide_count"])
        self._children_by_parent: dict[int, list[Mapping[str, Any]]] = {}
        for node in nodes:
            self._children_by_parent.setdefault(node["parent"], []).append(node)
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
        zeros = np.zeros(len(RELATIONS), np.float32)
        selected = [
            next((self.columns[n["index"]] for n in group if "selected" in n["states"]), zeros)
            for group in (self.slides, self.shapes)
        ]
        roles = {node["role"] for node in self.shapes}
        flags = (
            editing,
            any("focused" in node["states"] for node in self.slides),
            any(self.columns[n["index"], : _COLUMN["follows_quoted"]].any() for n in self.shapes),
            *(role in roles for role in ("image", "table", "embedded")),
        )
        return np.concatenate([*selected, np.array(flags, np.float32)])

    def _children(self, role: str, name: str | None = None) -> list[Mapping[str, Any]]:
        for node in self._nodes:
            if node["role"] == role and name in (None, node["name"]):
                return self._children_by_parent.get(node["index"], [])
        return []

    def _texts(self, node: Mapping[str, Any]) -> tuple[str, ...]:
        lines = [
            n["text"]
            for n in self._children_by_parent.get(node["index"], ())
            if n["role"] == "paragraph"
        ]
        texts = (_normalize(text) for text in (node["name"], node["text"], "\n".join(lines)))
        return tuple(text for text in texts if text)

    def _compare(self) -> None:
        for group in (self.slides, self.shapes):
            for node in group:
                texts, columns = self.texts[node["index"]], self.columns[node["index"]]
                columns[_COLUMN["quoted"]] = any(text in self._quotes for text in texts)
                columns[_COLUMN["begins_quoted"]] = any(
                    text.startswith(quote) and text != quote
                    for text in texts
                    for quote in self._quotes
                )
        self._number_slides()
        for role in {node["role"] for node in self.shapes}:
            self._rank([node for node in self.shapes if node["role"] == role])
        for node in self.shapes:
            self.columns[node["index"], _COLUMN["shape"]] = 1.0
            self._inherit(node)

    def _number_slides(self) -> None:
        selected = [index for index, node in enumerate(self.slides) if "selected" in node["states"]]
        first_number = (
            self._current_slide - selected[0] if len(selected) == 1 and self._current_slide else 0
        )
        for index, node in enumerate(self.slides):
            columns = self.columns[node["index"]]
            columns[_COLUMN["slide"]] = 1.0
            previous = self.columns[self.slides[index - 1]["index"]] if index else None
            columns[_COLUMN["follows_quoted"]] = (
                0.0 if previous is None else previous[_COLUMN["quoted"]]
            )
            if first_number:
                number = first_number + index
                columns[_COLUMN["number_mentioned"]] = number in self._numbers
                columns[_COLUMN["first"]] = number == 1
                columns[_COLUMN["last"]] = number == self._slide_count
                columns[_COLUMN["second_last"]] = number == self._slide_count - 1

    def _rank(self, shapes: list[Mapping[str, Any]]) -> None:
        for axis, last, name in ((0, "rightmost", "left"), (1, "lowest", "top")):
            ordered = sorted(shapes, key=lambda node: 2 * node["box"][axis] + node["box"][axis + 2])
            for rank, node in enumerate(ordered[:_RANKS], start=1):
                self.columns[node["index"], _COLUMN[f"{name}_{rank}"]] = 1.0
            self.columns[ordered[-1]["index"], _COLUMN[last]] = 1.0
        largest = max(shapes, key=lambda node: node["box"][2] * node["box"][3])
        self.columns[largest["index"], _COLUMN["largest"]] = 1.0
        self.columns[shapes[0]["index"], _COLUMN["alone"]] = len(shapes) == 1

    def _inherit(self, shape: Mapping[str, Any]) -> None:
        lines = [
            n for n in self._children_by_parent.get(shape["index"], ()) if n["role"] == "paragraph"
        ]
        for index, line in enumerate(lines):
            columns = self.columns[line["index"]]
            columns[:] = self.columns[shape["index"]]
            columns[_COLUMN["shape"]] = 0.0
            columns[_COLUMN["paragraph"]] = 1.0
            columns[_COLUMN["first_paragraph"]] = index == 0


def _normalize(text: str) -> str:
    return " ".join(text.split()).casefold()
