"""`BusyAgent`: ordinary editing on any deck, to measure speed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pptarena.envs import actions
from pptarena.envs.actions import Action

__all__ = ["BusyAgent"]

NodeJson = Mapping[str, Any]
Nodes = Sequence[NodeJson]
Move = Callable[["BusyAgent", Nodes], Action]

_WORDS = ("Summary", "Costs fell by 4%", "Next: review in May", "Plan B", "Team of six")
_TOGGLE_ROLES = frozenset({"push button", "toggle button", "button"})
# LibreOffice exposes the slide list as "document frame", the fake machine as "list".
_SLIDE_LISTS = (("document frame", "Slides View"), ("list", "Slides"))
_PAGE = "PageShape"
_TOGGLE_NAMES = ("Bold", "Italic", "Underline")


class BusyAgent:
    """Does what office workers do: shows slides, selects shapes, types, formats, opens menus.

    The mix of routines repeats throughout the episode, in an order drawn from the seed. The agent
    finds its targets in the accessibility tree, so it works on any deck. It never ends an episode.
    """

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)
        self._moves: list[Move] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode and seed the generator."""
        self._random = np.random.default_rng(seed)
        self._moves = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action of the mix."""
        if not self._moves:
            order = self._random.permutation(len(_ROUTINES))
            self._moves = [move for number in order for move in _ROUTINES[number]]
        return self._moves.pop(0)(self, info["a11y"]["nodes"])

    def _click(self, candidates: Nodes, kind: str = "click") -> Action | None:
        if not candidates:
            return None
        node = candidates[int(self._random.integers(len(candidates)))]
        return Action(kind, element=int(node["element"]))

    def _panel_slide(self, nodes: Nodes) -> Action:
        lists = [node["index"] for node in nodes if (node["role"], node["name"]) in _SLIDE_LISTS]
        slides = [node for node in nodes if node["parent"] in lists and node["element"]]
        return self._click(slides) or actions.key("Page_Down")

    def _shape(self, nodes: Nodes) -> Action:
        pages = [node["index"] for node in nodes if node["role"] == "document presentation"]
        shapes = [
            node
            for node in nodes
            if node["parent"] in pages and node["element"] and not node["name"].startswith(_PAGE)
        ]
        return self._click(shapes) or actions.click(xy=(0.5, 0.5))

    def _words(self, nodes: Nodes) -> Action:
        return actions.type_text(_WORDS[int(self._random.integers(len(_WORDS)))])

    def _toggle(self, nodes: Nodes) -> Action:
        buttons = [node for node in nodes if node["element"] and node["role"] in _TOGGLE_ROLES]
        named = [node for node in buttons if node["name"].startswith(_TOGGLE_NAMES)]
        return self._click(named) or actions.key("ctrl+b")

    def _menu(self, nodes: Nodes) -> Action:
        bars = {node["index"] for node in nodes if node["role"] == "menu bar"}
        menus = [node for node in nodes if node["parent"] in bars and node["element"]]
        return self._click(menus) or actions.key("alt+f")

    def _wheel(self, nodes: Nodes) -> Action:
        amount = 3 if self._random.random() < 0.5 else -3
        return actions.scroll(amount, xy=(0.5, 0.5))


def _key(keys: str) -> Move:
    return lambda agent, nodes: actions.key(keys)


# Each routine leaves the application as a worker would: menus closed, text edits ended.
_ROUTINES: tuple[tuple[Move, ...], ...] = (
    (BusyAgent._panel_slide, BusyAgent._shape, BusyAgent._toggle, _key("Escape")),
    (BusyAgent._shape, _key("F2"), BusyAgent._words, _key("Escape"), _key("Escape")),
    (BusyAgent._menu, _key("Escape"), _key("Escape")),
    (BusyAgent._panel_slide, BusyAgent._shape, _key("Right"), _key("Down"), _key("Escape")),
    (BusyAgent._shape, _key("ctrl+b"), _key("ctrl+z"), BusyAgent._wheel),
)
