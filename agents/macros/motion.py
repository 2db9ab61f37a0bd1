"""Macros for what moves: transitions of slides and effects of shapes, in the sidebar."""

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, plain
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.slides import show_slide
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.tasks.macro_words import TRANSITIONS, TRANSITIONS_ALSO

__all__ = ["animation", "remove_animation", "transition"]

_TRANSITIONS = "Slide Transition"
_ANIMATION = "Animation"
_BUTTONS = ("button", "push button")
_MOST_EFFECTS = 60  # of one category, headings included
_COLUMNS = 3


def transition(desk: Desk, slide: int, kind: str | None = None, all: bool = False) -> Play[None]:
    """Let a slide come with a transition, or with none, and perhaps all others as it does.

    Without a kind the slide keeps its own, to the last detail: for all others to come so.
    """
    yield from show_slide(desk, slide)
    yield from _open_page(desk, _TRANSITIONS)
    if kind is not None:
        yield from _pick_transition(desk, kind)
    if all:
        button = yield from desk.await_(
            lambda screen: screen.first(_BUTTONS, "Apply Transition to All Slides"),
            "the button 'Apply Transition to All Slides'",
        )
        yield from desk.click(button)


def _pick_transition(desk: Desk, kind: str) -> Play[None]:
    """Pick a transition.

    The list says where its entries would be if it were not scrolled, so it is walked by keys, and
    the place of the entry that is selected tells whether it is the right one.
    """
    row, column = divmod(TRANSITIONS.index(TRANSITIONS_ALSO.get(kind, kind)), _COLUMNS)
    pane = yield from desk.await_(_pane, "the list of transitions")
    left, top, width, _ = area_of(pane)
    # Between the columns nothing is picked; the list has the keys then.
    place = (left + 0.98 * width) / desk.screen.size_px[0], (top + 12) / desk.screen.size_px[1]
    yield from desk.act(Action("click", xy=place))
    for keys, times in (("Home", 1), ("Down", row), ("Right", column)):
        yield from desk.key(keys, times)
    yield from desk.key("space")
    yield from desk.await_(
        lambda screen: _stands_in(screen, column), f"the transition {kind!r} to be picked"
    )


def _pane(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", _TRANSITIONS)
    return None if page is None else screen.first("layered pane", within=page)


def _stands_in(screen: Screen, column: int) -> bool:
    """Return whether the entry that is picked stands in a column of the list, from 0."""
    pane = _pane(screen)
    if pane is None:
        return False
    if not screen.all("icon", within=pane):
        return True  # some lists are not in the tree until they were scrolled
    left, _, width, _ = area_of(pane)
    picked = screen.first("icon", within=pane, test=lambda node: "selected" in node["states"])
    if picked is None:
        return False
    middle = area_of(picked)[0] + area_of(picked)[2] / 2
    return int((middle - left) / (width / _COLUMNS)) == column


def animation(desk: Desk, slide: int, shape: str, effect: str) -> Play[None]:
    """Let a shape come in by an effect of the list that the sidebar shows first: entrances."""
    yield from select_shape(desk, slide, shape)
    yield from _open_page(desk, _ANIMATION)
    before = len(_entries(desk.screen))
    add = yield from desk.await_(lambda screen: screen.first(_BUTTONS, "Add"), "the button 'Add'")
    yield from desk.click(add)
    yield from desk.await_(lambda screen: len(_entries(screen)) > before, "a new effect")
    for _ in range(_MOST_EFFECTS):
        table = yield from desk.await_(_effects, "the list of effects")
        cell = desk.screen.first("table cell", effect, table)
        if cell is None:
            yield from desk.scroll(table, 1)
        elif "selected" in cell["states"]:
            return
        else:
            yield from desk.click(cell)  # not by keys: the slide has them as soon as one is picked
    raise MacroError(f"expected an effect {effect!r} in the sidebar's list; it ends without it")


def remove_animation(desk: Desk, slide: int, shape: str | None = None) -> Play[None]:
    """Take the effects of a slide away, or those of one of its shapes."""
    yield from show_slide(desk, slide)
    yield from _open_page(desk, _ANIMATION)
    for _ in range(_MOST_EFFECTS):
        entries = _entries(desk.screen)
        if shape is not None:
            node = find_node(desk, slide, shape)
            lines = {plain(line["text"]) for line in desk.screen.paragraphs(node)}
            entries = [
                entry
                for entry in entries
                if f"'{node['name']}'" in entry["name"] or plain(entry["name"]) in lines
            ]
        if not entries:
            return
        count = len(_entries(desk.screen))
        yield from desk.click(entries[0])
        minus = _minus(desk.screen)
        if minus is None:
            raise MacroError("expected a button that removes an effect beside 'Add'")
        yield from desk.click(minus)
        yield from desk.await_(
            lambda screen, count=count: len(_entries(screen)) < count,  # type: ignore[misc]
            "an effect less",
        )
    raise MacroError(f"expected the effects of slide {slide} to end; there are still some")


def _tables(screen: Screen) -> list[NodeJson]:
    page = screen.first("panel", _ANIMATION)
    return [] if page is None else screen.all("tree table", within=page)


def _entries(screen: Screen) -> list[NodeJson]:
    """Return the effects of the slide: the upper list, which is not there without any."""
    add = screen.first(_BUTTONS, "Add")
    found = [table for table in _tables(screen) if add and area_of(table)[1] < area_of(add)[1]]
    return [
        cell for table in found for cell in screen.all("table cell", within=table) if cell["name"]
    ]


def _effects(screen: Screen) -> NodeJson | None:
    """Return the list of what an effect can be; only what is in sight is in the tree."""
    add = screen.first(_BUTTONS, "Add")
    found = [table for table in _tables(screen) if add and area_of(table)[1] > area_of(add)[1]]
    return next(iter(found), None)


def _minus(screen: Screen) -> NodeJson | None:
    """Return the button right of "Add"; it has no name."""
    add = screen.first(_BUTTONS, "Add")
    if add is None:
        return None
    left, top, width, _ = area_of(add)
    beside = [
        node
        for node in screen.all(_BUTTONS, "")
        if area_of(node)[1] == top and area_of(node)[0] >= left + width
    ]
    return min(beside, key=lambda node: area_of(node)[0], default=None)


def _open_page(desk: Desk, name: str) -> Play[None]:
    """Open a page of the sidebar by its button at the edge."""
    bar = yield from desk.await_(lambda screen: screen.first("tool bar", name), f"{name!r}")
    button = next(iter(desk.screen.children(bar)), bar)
    if "checked" not in button["states"]:
        yield from desk.click(button)
    yield from desk.await_(
        lambda screen: screen.first("panel", name), f"the page {name!r} of the sidebar"
    )
