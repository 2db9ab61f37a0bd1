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
_SHORT = 3
_ROLES: Mapping[str, str] = MappingProxyType(
    {
        "table cell": "cell", "toggle button": "toggle", "menu item": "item",
        "radio menu item": "item", "check menu item": "item", "list item": "item",
        "page tab": "tab",
    }
)  # fmt: skip
_STATES = ("focused", "selected", "checked", "pressed")
_DIALOGS = frozenset(("dialog", "alert"))
_OPEN = frozenset((*_DIALOGS, "popup menu", "menu", "window"))
_DOCUMENTS = frozenset(("document presentation", "document frame", "document"))
_THUMBNAILS = "Slides View"
_ENDS = frozenset(("OK", "Cancel", "Close", "Yes", "No"))
_BUTTONS = frozenset(("button", "toggle button"))
_PASSIVE = frozenset(("scroll bar", "separator", "label"))


def short_elements(nodes: Sequence[Node], instruction: str) -> str:
    """Return the elements that the next action most likely uses, in the order of their numbers.

    There is one line per element, such as ``button Bold [12] (pressed)``. The number stands behind
    the name, so that a model that copies the name says the number next. Elements with words of the
    instruction are preferred, then open dialogs and menus, the focus, the menu bar, the slide,
    panels and tool bars. Elements behind a dialog count less. The text of a shape is part of its
    line, before the number of its first paragraph, where a click selects the shape even if it has
    no fill. Paragraphs have lines of their own while the shape is edited. Buttons without any text
    are left out.

    Args:
        nodes: The nodes of ``info["a11y"]``.
        instruction: The instruction of the task.
    """
    ranking = _Ranking(nodes, instruction)
    lines, room = [], SHORT_MAX
    shown = sorted(ranking.elements(), key=lambda node: (-ranking.weight(node), node["element"]))
    for node in shown:
        line = ranking.line(node)
        room -= count_tokens(line) + 1
        if room < 0:
            break
        lines.append((int(node["element"]), line))
    return "\n".join(line for _, line in sorted(lines))


class _Ranking:
    """The elements of a screen and how likely each is used next."""

    def __init__(self, nodes: Sequence[Node], instruction: str) -> None:
        self._nodes = nodes
        self._at = {int(node["index"]): node for node in nodes}
        self._words = _words(instruction)
        self._paragraphs: Mapping[int, list[Node]] = defaultdict(list)
        for node in nodes:
            if node["role"] == "paragraph":
                self._paragraphs[int(node["parent"])].append(node)
        self._dialog = any(node["role"] in _DIALOGS for node in nodes)

    def elements(self) -> list[Node]:
        """Return the elements that get lines."""
        return [
            node
            for node in self._nodes
            if node["element"] and not self._is_part(node) and not self._is_mute(node)
        ]

    def weight(self, node: Node) -> float:
        """Return the weight of an element; the heaviest ones are shown."""
        words = _words(" ".join(self._texts(node)))
        weight = 0.6 * len(words & self._words) / (1 + 0.1 * len(words)) + self._place(node)
        weight += 1.5 * ("focused" in node["states"]) + 0.7 * ("selected" in node["states"])
        return weight - 0.3 * bool(node["role"] == "paragraph")

    def line(self, node: Node) -> str:
        """Return the line of an element."""
        name, *texts = self._texts(node)
        label = " ".join(name.split())[:_LABEL_MAX]
        content = " ".join(" ".join(texts[2:]).split())[:_LABEL_MAX]
        if not label:
            other = next(filter(None, texts[:2]), "")
            label = " ".join(other.split())[:_LABEL_MAX]
        states = [state for state in _STATES if state in node["states"]]
        parts = [_ROLES.get(node["role"], node["role"]), label, f"[{node['element']}]"]
        parts += [f'"{content}"'] if content else []
        if first := self._first_paragraph(node):
            parts.append(f"[{first}]" if content else f"text [{first}]")
        parts += [f"({', '.join(states)})"] if states else []
        return " ".join(filter(None, parts))

    def _texts(self, node: Node) -> list[str]:
        inside = [each["text"] for each in self._paragraphs.get(node["index"], ())]
        return [node["name"], node["text"], node["description"], *inside]

    def _first_paragraph(self, node: Node) -> int:
        """Return the number of the first paragraph that has no line of its own; 0 without one."""
        hidden = [each for each in self._paragraphs.get(node["index"], ()) if each["element"]]
        if node["role"] == "table cell" or not hidden or not self._is_part(hidden[0]):
            return 0
        return int(hidden[0]["element"])

    def _is_mute(self, node: Node) -> bool:
        """Return whether an element is a button of which nothing is known."""
        return node["role"] in _BUTTONS and not any(self._texts(node))

    def _is_part(self, node: Node) -> bool:
        """Return whether an element is a paragraph of another one that is not edited."""
        above = self._at.get(node["parent"])
        if node["role"] != "paragraph" or above is None or not above["element"]:
            return False
        # All paragraphs of a table that is edited have the focus.
        edited = any("focused" in each["states"] for each in self._paragraphs[node["parent"]])
        return above["role"] == "table cell" or not edited

    def _place(self, node: Node) -> float:
        """Return the weight of the place of an element."""
        if node["role"] in _PASSIVE:
            return 0.0
        behind = 0.3 if self._dialog else 1.0
        in_panel, above = False, self._at.get(node["parent"])
        for _ in range(20):
            if above is None:
                break
            if above["role"] in _OPEN:
                return 3.0 if node["name"] in _ENDS else 2.0
            if above["role"] in _DOCUMENTS:
                return (0.67 if above["name"] == _THUMBNAILS else 0.7) * behind
            in_panel = in_panel or (above["role"] == "panel" and bool(above["name"]))
            above = self._at.get(above["parent"])
        if node["role"] == "menu":
            return 1.3 * behind
        return (0.66 if in_panel else 0.3 if node["name"] else 0.1) * behind


def _words(text: str) -> frozenset[str]:
    """Return the words of a text, without short ones such as articles."""
    found = _WORD.findall(text.lower())
    return frozenset(word for word in found if len(word) > _SHORT or not word.isascii())
