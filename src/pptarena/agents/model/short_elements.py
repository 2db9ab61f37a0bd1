"""The source `elements-short`: the most relevant elements in about 400 tokens."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from pptarena.envs.text_view import count_tokens

__all__ = ["SHORT_MAX", "short_elements"]

SHORT_MAX: Final = 362
"""The largest value of `count_tokens` for the list; about 400 tokens of SmolLM2."""

Node = Mapping[str, Any]

_WORD = re.compile(r"\w+")
_LABEL_MAX = 22
_MAX_STOP_WORD = 3
_ROLES: Mapping[str, str] = MappingProxyType(
    {
        "table cell": "cell", "toggle button": "toggle", "menu item": "item",
        "radio menu item": "item", "check menu item": "item", "list item": "item",
        "page tab": "tab",
    }
)  # fmt: skip
_STATES = ("focused", "selected", "checked", "pressed")
_DIALOGS = frozenset(("dialog", "alert"))
_WINDOWS = frozenset((*_DIALOGS, "popup menu", "menu", "window"))
_DOCUMENTS = frozenset(("document presentation", "document frame", "document"))
_THUMBNAILS = "Slides View"
_CLOSING_BUTTONS = frozenset(("OK", "Cancel", "Close", "Yes", "No"))
_BUTTONS = frozenset(("button", "toggle button"))
_PASSIVE = frozenset(("scroll bar", "separator", "label"))


def short_elements(nodes: Sequence[Node], instruction: str) -> str:
    """Return the elements that the next action most likely uses, in the order of their numbers.

    There is one line per element, such as ``button Bold [12] (pressed)``. The number follows the
    name, so a model that copies the name writes the number next. Elements with words of the
    instruction are preferred, then open dialogs and menus, the focus, the menu bar, the slide,
    panels and tool bars. Elements behind a dialog weigh less. The text of a shape is part of its
    line, before the number of its first paragraph, where a click selects the shape even if it has
    no fill. Paragraphs have separate lines while the shape is edited. Buttons without any text
    are omitted.

    Args:
        nodes: The nodes of ``info["a11y"]``.
        instruction: The instruction of the task.
    """
    ranking = _Ranking(nodes, instruction)
    lines, tokens_left = [], SHORT_MAX
    ranked = sorted(ranking.elements(), key=lambda node: (-ranking.weight(node), node["element"]))
    for node in ranked:
        line = ranking.line(node)
        tokens_left -= count_tokens(line) + 1
        if tokens_left < 0:
            break
        lines.append((int(node["element"]), line))
    return "\n".join(line for _, line in sorted(lines))


class _Ranking:
    """The elements of a screen and how likely each is used next."""

    def __init__(self, nodes: Sequence[Node], instruction: str) -> None:
        self._nodes = nodes
        self._by_index = {int(node["index"]): node for node in nodes}
        self._instruction_words = _words(instruction)
        self._paragraphs: Mapping[int, list[Node]] = defaultdict(list)
        for node in nodes:
            if node["role"] == "paragraph":
                self._paragraphs[int(node["parent"])].append(node)
        self._has_dialog = any(node["role"] in _DIALOGS for node in nodes)

    def elements(self) -> list[Node]:
        """Return the elements that get lines."""
        return [
            node
            for node in self._nodes
            if node["element"]
            and not self._is_hidden_paragraph(node)
            and not self._is_unnamed_button(node)
        ]

    def weight(self, node: Node) -> float:
        """Return the weight of an element; elements with the highest weights are shown."""
        words = _words(" ".join(self._texts(node)))
        weight = 0.6 * len(words & self._instruction_words) / (
            1 + 0.1 * len(words)
        ) + self._location_weight(node)
        weight += 1.5 * ("focused" in node["states"]) + 0.7 * ("selected" in node["states"])
        return weight - 0.3 * bool(node["role"] == "paragraph")

    def line(self, node: Node) -> str:
        """Return the line of an element."""
        name, *texts = self._texts(node)
        label = " ".join(name.split())[:_LABEL_MAX]
        content = " ".join(" ".join(texts[2:]).split())[:_LABEL_MAX]
        if not label:
            fallback = next(filter(None, texts[:2]), "")
            label = " ".join(fallback.split())[:_LABEL_MAX]
        states = [state for state in _STATES if state in node["states"]]
        parts = [_ROLES.get(node["role"], node["role"]), label, f"[{node['element']}]"]
        parts += [f'"{content}"'] if content else []
        if first := self._first_paragraph(node):
            parts.append(f"[{first}]" if content else f"text [{first}]")
        parts += [f"({', '.join(states)})"] if states else []
        return " ".join(filter(None, parts))

    def _texts(self, node: Node) -> list[str]:
        paragraph_texts = [
            paragraph["text"] for paragraph in self._paragraphs.get(node["index"], ())
        ]
        return [node["name"], node["text"], node["description"], *paragraph_texts]

    def _first_paragraph(self, node: Node) -> int:
        """Return the number of the first paragraph without a separate line; 0 if there is none."""
        hidden = [
            paragraph
            for paragraph in self._paragraphs.get(node["index"], ())
            if paragraph["element"]
        ]
        if node["role"] == "table cell" or not hidden or not self._is_hidden_paragraph(hidden[0]):
            return 0
        return int(hidden[0]["element"])

    def _is_unnamed_button(self, node: Node) -> bool:
        """Return whether an element is a button without any text."""
        return node["role"] in _BUTTONS and not any(self._texts(node))

    def _is_hidden_paragraph(self, node: Node) -> bool:
        """Return whether an element is a paragraph of a shape that is not edited."""
        parent = self._by_index.get(node["parent"])
        if node["role"] != "paragraph" or parent is None or not parent["element"]:
            return False
        # In a table that is edited, all paragraphs have the focus.
        is_edited = any(
            "focused" in paragraph["states"] for paragraph in self._paragraphs[node["parent"]]
        )
        return parent["role"] == "table cell" or not is_edited

    def _location_weight(self, node: Node) -> float:
        """Return the weight of an element's location."""
        if node["role"] in _PASSIVE:
            return 0.0
        background_factor = 0.3 if self._has_dialog else 1.0
        in_panel, ancestor = False, self._by_index.get(node["parent"])
        for _ in range(20):
            if ancestor is None:
                break
            if ancestor["role"] in _WINDOWS:
                return 3.0 if node["name"] in _CLOSING_BUTTONS else 2.0
            if ancestor["role"] in _DOCUMENTS:
                return (0.67 if ancestor["name"] == _THUMBNAILS else 0.7) * background_factor
            in_panel = in_panel or (ancestor["role"] == "panel" and bool(ancestor["name"]))
            ancestor = self._by_index.get(ancestor["parent"])
        if node["role"] == "menu":
            return 1.3 * background_factor
        return (0.66 if in_panel else 0.3 if node["name"] else 0.1) * background_factor


def _words(text: str) -> frozenset[str]:
    """Return the words of a text, without short words such as articles."""
    words = _WORD.findall(text.lower())
    return frozenset(word for word in words if len(word) > _MAX_STOP_WORD or not word.isascii())
