"""`Screen`: one observation, with queries for macros."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["NodeJson", "Screen", "area_of", "normalize"]

NodeJson = Mapping[str, Any]

_DOCUMENT_ROLE = "document presentation"
_SLIDE_LIST = ("document frame", "Slides View")
_PAGE_PREFIX = "PageShape"


class Screen:
    """The nodes of the accessibility tree and the state of the document.

    Args:
        observation: The last observation.
        info: The info that came with it.

    Attributes:
        nodes: The accessibility tree.
        size_px: Width and height of the screenshot.
        slide: 1-based position of the slide shown; 0 if no slide is shown.
        slide_count: Number of slides.
        editing: Whether a text edit is open.
        clipboard: Text on the clipboard.
        action_error: Why the last action was refused; empty if it was accepted.
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
        self.action_error = str(info["action_error"] or "")

    def all(
        self,
        roles: str | tuple[str, ...] = (),
        name: str | None = None,
        within: NodeJson | None = None,
        test: Callable[[NodeJson], bool] = lambda node: True,
    ) -> list[NodeJson]:
        """Return the visible nodes below a node, filtered by role, name and `test`."""
        accepted_roles = (roles,) if isinstance(roles, str) else roles
        indices = range(len(self.nodes)) if within is None else self._descendants(within)
        return [
            node
            for node in (self.nodes[index] for index in indices)
            if (not accepted_roles or node["role"] in accepted_roles)
            and (name is None or normalize(node["name"]) == normalize(name))
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
        return [candidate for candidate in self.nodes if candidate["parent"] == node["index"]]

    @property
    def page(self) -> NodeJson | None:
        """The page area of the slide shown, None if there is none."""
        return self.first(test=lambda node: node["name"].startswith(_PAGE_PREFIX))

    def shapes(self) -> list[NodeJson]:
        """Return the shapes of the slide shown, from back to front, without members of groups."""
        document = self.first(_DOCUMENT_ROLE)
        if document is None:
            return []
        children = self.children(document)
        return [node for node in children if not node["name"].startswith(_PAGE_PREFIX)]

    def thumbnails(self) -> list[NodeJson]:
        """Return the visible thumbnails of the slide list."""
        slide_list = self.first(*_SLIDE_LIST)
        return [] if slide_list is None else self.children(slide_list)

    def text(self, node: NodeJson) -> str:
        """Return the text of a node, one paragraph per line."""
        return "\n".join(paragraph["text"] for paragraph in self._paragraphs(node))

    def paragraphs(self, node: NodeJson) -> list[NodeJson]:
        """Return the paragraphs that are direct children of a node."""
        return list(self._paragraphs(node))

    def _paragraphs(self, node: NodeJson) -> Iterator[NodeJson]:
        return (child for child in self.children(node) if child["role"] == "paragraph")

    def dialog(self, name: str | None = None) -> NodeJson | None:
        """Return the topmost dialog, or the dialog with a given name; None if it is not open."""
        dialogs = self.all(("dialog", "alert"), name)
        return dialogs[-1] if dialogs else None

    def labeled_control(
        self, label: str, within: NodeJson, roles: tuple[str, ...], nth: int = 0
    ) -> NodeJson | None:
        """Return the control to the right of a label in the same row; None if there is none.

        Args:
            label: The text of the label, with or without a colon.
            within: The node to search, such as a dialog.
            roles: Roles of the control.
            nth: Which of several equal labels, 0-based.
        """
        labels = self.all("label", within=within, test=lambda node: _has_label(node, label))
        if nth >= len(labels):
            return None
        left, top, width, height = labels[nth]["box"]
        center_y = top + height / 2
        candidates = [
            node
            for node in self.all(roles, within=within)
            if node["box"][0] >= left + width - 2
            and node["box"][1] <= center_y <= node["box"][1] + node["box"][3]
        ]
        return min(candidates, key=lambda node: (node["box"][0], node["index"]), default=None)

    def _descendants(self, node: NodeJson) -> list[int]:
        subtree = {node["index"]}
        for candidate in self.nodes[node["index"] + 1 :]:
            if candidate["parent"] in subtree:
                subtree.add(candidate["index"])
        return sorted(subtree - {node["index"]})


def area_of(node: NodeJson) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a node in pixels."""
    left, top, width, height = node["box"]
    return float(left), float(top), float(width), float(height)


def normalize(text: str) -> str:
    """Return a text with normalized case and white space."""
    return " ".join(text.split()).casefold()


def _has_label(node: NodeJson, label: str) -> bool:
    return re.sub(r":$", "", normalize(node["name"])) == re.sub(r":$", "", normalize(label))
