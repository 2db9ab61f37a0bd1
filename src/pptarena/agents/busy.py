"""`BusyAgent`: ordinary editing on any deck, for speed measurements."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pptarena.envs import actions
from pptarena.envs.actions import Action

__all__ = ["BusyAgent"]

NodeJson = Mapping[str, Any]
Nodes = Sequence[NodeJson]
Step = Callable[["BusyAgent", Nodes], Action]

_TEXTS = ("Summary", "Costs fell by 4%", "Next: review in May", "Plan B", "Team of six")
_TOGGLE_ROLES = frozenset({"push button", "toggle button", "button"})
# LibreOffice exposes the slide list as "document frame", the fake machine as "list".
_SLIDE_LISTS = (("document frame", "Slides View"), ("list", "Slides"))
_PAGE_PREFIX = "PageShape"
_TOGGLE_NAMES = ("Bold", "Italic", "Underline")


class BusyAgent:
    """Imitates office work: shows slides, selects shapes, types, formats, opens menus.

    The mix of routines repeats throughout the episode, in an order drawn from the seed. The agent
    finds its targets in the accessibility tree, so it works on any deck. It never ends an episode.
    """

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)
        self._steps: list[Step] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode and seed the generator."""
        self._random = np.random.default_rng(seed)
        self._steps = []

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action of the mix."""
        if not self._steps:
            order = self._random.permutation(len(_ROUTINES))
            self._steps = [step for index in order for step in _ROUTINES[index]]
        return self._steps.pop(0)(self, info["a11y"]["nodes"])

    def _click(self, candidates: Nodes, kind: str = "click") -> Action | None:
        if not candidates:
            return None
        node = candidates[int(self._random.integers(len(candidates)))]
        return Action(kind, element=int(node["element"]))

    def _show_slide(self, nodes: Nodes) -> Action:
        lists = [node["index"] for node in nodes if (node["role"], node["name"]) in _SLIDE_LISTS]
        slides = [node for node in nodes if node["parent"] in lists and node["element"]]
        return self._click(slides) or actions.key("Page_Down")

    def _select_shape(self, nodes: Nodes) -> Action:
        pages = [node["index"] for node in nodes if node["role"] == "document presentation"]
        shapes = [
            node
            for node in nodes
            if node["parent"] in pages
            and node["element"]
            and not node["name"].startswith(_PAGE_PREFIX)
        ]
        return self._click(shapes) or actions.click(xy=(0.5, 0.5))

    def _type_text(self, nodes: Nodes) -> Action:
        return actions.type_text(_TEXTS[int(self._random.integers(len(_TEXTS)))])

    def _toggle_format(self, nodes: Nodes) -> Action:
        buttons = [node for node in nodes if node["element"] and node["role"] in _TOGGLE_ROLES]
        format_buttons = [node for node in buttons if node["name"].startswith(_TOGGLE_NAMES)]
        return self._click(format_buttons) or actions.key("ctrl+b")

    def _open_menu(self, nodes: Nodes) -> Action:
        bars = {node["index"] for node in nodes if node["role"] == "menu bar"}
        menus = [node for node in nodes if node["parent"] in bars and node["element"]]
        return self._click(menus) or actions.key("alt+f")

    def _scroll(self, nodes: Nodes) -> Action:
        amount = 3 if self._random.random() < 0.5 else -3
        return actions.scroll(amount, xy=(0.5, 0.5))


def _press(keys: str) -> Step:
    return lambda agent, nodes: actions.key(keys)


# Each routine closes the menus and ends the text edits that it opens.
_ROUTINES: tuple[tuple[Step, ...], ...] = (
    (BusyAgent._show_slide, BusyAgent._select_shape, BusyAgent._toggle_format, _press("Escape")),
    (
        BusyAgent._select_shape,
        _press("F2"),
        BusyAgent._type_text,
        _press("Escape"),
        _press("Escape"),
    ),
    (BusyAgent._open_menu, _press("Escape"), _press("Escape")),
    (
        BusyAgent._show_slide,
        BusyAgent._select_shape,
        _press("Right"),
        _press("Down"),
        _press("Escape"),
    ),
    (BusyAgent._select_shape, _press("ctrl+b"), _press("ctrl+z"), BusyAgent._scroll),
)
