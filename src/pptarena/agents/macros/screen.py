"""`Screen`: one observation, with queries for macros."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["NodeJson", "Screen", "area_of", "plain"]

NodeJson = Mapping[str, Any]

_DOCUMENT = "document presentation"
_SLIDE_LIST = ("document frame", "Slides View")
_PAGE = "PageShape"


class Screen:
    """The nodes of the accessibility tree and the state of the document.

    Args:
        observation: The last observation.
        info: The info that came with it.

    Attributes:
        nodes: The accessibility tree.
        size_px: Width and height.
        slide: 1-based position of the slide shown; 0 for none.
        slide_count: Number of slides.
        editing: Whether a text edit is open.
        clipboard: Text on the clipboard.
        refused: Why the last action was refused; empty if it was not.
        number: The number of the observation.
    """

    def __init__(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        height, width, _ = observation["screenshot"].shape
        document = info["document"]
        self.nodes: Sequence[NodeJson] = info["a11y"]["nodes"]
        self.size_px = (int(width), int(height))
        self.slide = int(document["slide"])
        self.slide_count = int(document["slide_count"])
        self.editing = bool(document["editing"])
        self.clipboard = str(info["clipboard"] or "")
        self.refused = str(info["action_error"] or "")
        self.number = int(info["observation_id"])

    def all(
        self,
        roles: str | tuple[str, ...] = (),
        name: str | None = None,
        within: NodeJson | None = None,
        test: Callable[[NodeJson], bool] = lambda node: True,
    ) -> list[NodeJson]:
        """Return the visible nodes below a node, filtered by role, name and `test`."""
        wanted = (roles,) if isinstance(roles, str) else roles
        place = range(len(self.nodes)) if within is None else self._below(within)
        return [
            node
            for node in (self.nodes[index] for index in place)
            if (not wanted or node["role"] in wanted)
            and (name is None or plain(node["name"]) == plain(name))
            and "showing" in node["states"]
            and test(node)
        ]

    def first(
        self,
        roles: str | tuple[str, ...] = (),
        name: str | None = None,
        within: NodeJson | None = None,
        test: Callable[[NodeJson], bool] = lambda node: True,
    ) -> NodeJson | None:
        """Return the first node that `all` returns, None if there is none."""
        return next(iter(self.all(roles, name, within, test)), None)

    def children(self, node: NodeJson) -> list[NodeJson]:
        """Return the direct children of a node."""
        return [each for each in self.nodes if each["parent"] == node["index"]]

    @property
    def page(self) -> NodeJson | None:
        """The page area of the slide shown, None if there is none."""
        return self.first(test=lambda node: node["name"].startswith(_PAGE))

    def shapes(self) -> list[NodeJson]:
        """Return the shapes of the slide shown, from back to front, without members of groups."""
        document = self.first(_DOCUMENT)
        if document is None:
            return []
        found = self.children(document)
        return [node for node in found if not node["name"].startswith(_PAGE)]

    def thumbnails(self) -> list[NodeJson]:
        """Return the visible thumbnails of the slide list."""
        frame = self.first(*_SLIDE_LIST)
        return [] if frame is None else self.children(frame)

    def text(self, node: NodeJson) -> str:
        """Return the text of a node, one paragraph per line."""
        return "\n".join(each["text"] for each in self._paragraphs(node))

    def paragraphs(self, node: NodeJson) -> list[NodeJson]:
        """Return the paragraphs that are direct children of a node."""
        return list(self._paragraphs(node))

    def _paragraphs(self, node: NodeJson) -> Iterator[NodeJson]:
        return (each for each in self.children(node) if each["role"] == "paragraph")

    def dialog(self, name: str | None = None) -> NodeJson | None:
        """Return the topmost dialog, or the dialog with a given name; None if it is not open."""
        found = self.all(("dialog", "alert"), name)
        return found[-1] if found else None

    def labelled(
        self, label: str, within: NodeJson, roles: tuple[str, ...], nth: int = 0
    ) -> NodeJson | None:
        """Return the control to the right of a label in the same row; None if there is none.

        Args:
            label: The text of the label, with or without a colon.
            within: The node to search, such as a dialog.
            roles: Roles of the control.
            nth: Which of several equal labels, 0-based.
        """
        labels = self.all("label", within=within, test=lambda node: _says(node, label))
        if nth >= len(labels):
            return None
        left, top, width, height = labels[nth]["box"]
        middle = top + height / 2
        beside = [
            node
            for node in self.all(roles, within=within)
            if node["box"][0] >= left + width - 2
            and node["box"][1] <= middle <= node["box"][1] + node["box"][3]
        ]
        return min(beside, key=lambda node: (node["box"][0], node["index"]), default=None)

    def _below(self, node: NodeJson) -> list[int]:
        inside = {node["index"]}
        for each in self.nodes[node["index"] + 1 :]:
            if each["parent"] in inside:
                inside.add(each["index"])
        return sorted(inside - {node["index"]})


def area_of(node: NodeJson) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a node in pixels."""
    left, top, width, height = node["box"]
    return float(left), float(top), float(width), float(height)


def plain(text: str) -> str:
    """Return a text with normalized case and white space."""
    return " ".join(text.split()).casefold()


def _says(node: NodeJson, label: str) -> bool:
    return re.sub(r":$", "", plain(node["name"])) == re.sub(r":$", "", plain(label))
