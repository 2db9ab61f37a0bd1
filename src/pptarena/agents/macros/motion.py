"""Macros for slide transitions and timing, in the sidebar."""

from typing import Annotated

from pydantic import AfterValidator

from pptarena.agents.macros.arguments import Position, Seconds
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.screen import NodeJson, Screen, area_of
from pptarena.agents.macros.sidebar import open_page
from pptarena.agents.macros.slides import show_slide
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.suggestions import not_found

__all__ = ["advance", "transition"]

_KINDS = (
    *("none", "wipe", "wheel", "uncover", "bars", "checkers", "shape", "box", "wedge"),
    *("venetian", "fade", "cut", "cover", "dissolve", "random", "comb", "push", "split"),
    *("diagonal", "tiles", "cube", "circles", "helix", "fall", "turn around", "iris"),
    *("turn down", "rochade", "3d venetian", "static", "fine dissolve", "vortex", "ripple"),
)
"""The transitions in the order of LibreOffice's sidebar, three per row."""
_KINDS_ALSO = {
    "blinds": "venetian",
    "checker": "checkers",
    "circle": "shape",
    "pull": "uncover",
    "randombar": "bars",
    "strips": "diagonal",
}
"""Alternative names used in rubrics."""


def _kind(value: str) -> str:
    kind = _KINDS_ALSO.get(value, value)
    if kind not in _KINDS:
        raise ValueError(not_found("transition", value, (*_KINDS, *_KINDS_ALSO)))
    return kind


Transition = Annotated[str, AfterValidator(_kind)]

_TRANSITIONS = "Slide Transition"
_BUTTONS = ("button", "push button")
_COLUMNS = 3
_MARGIN_PX = 12
_ROW_PX = 68
_WHOLE_ROWS = 3
_NOTCHES = 2
_MOST_NOTCHES = 20
_MOST_TURNS = 40
_SHIFTS = (0, 0, 1, -1, 2, -2)
_VARIANTS = {"circle": "Circle", "fade": "Smoothly"}


def transition(
    desk: Desk, slide: Position, kind: Transition | None = None, all: bool = False
) -> Play[None]:
    """Set or remove the transition of a slide; `all` applies it to all slides.

    Without a kind the slide keeps its transition unchanged, for use with `all`.
    """
    yield from show_slide(desk, slide)
    yield from open_page(desk, _TRANSITIONS)
    if kind is not None:
        yield from _pick_transition(desk, kind)
    if all:
        yield from _apply_to_all(desk)


def advance(desk: Desk, slide: Position, after_sec: Seconds, all: bool = False) -> Play[None]:
    """Advance the show automatically after a slide; `all` applies its transition to all slides."""
    yield from show_slide(desk, slide)
    yield from open_page(desk, _TRANSITIONS)
    yield from _go_on(desk, after_sec)
    if all:
        yield from _apply_to_all(desk)


def _apply_to_all(desk: Desk) -> Play[None]:
    button = yield from desk.await_(
        lambda screen: screen.first(_BUTTONS, "Apply Transition to All Slides"),
        "the button 'Apply Transition to All Slides'",
    )
    yield from desk.click(button)


def _go_on(desk: Desk, after_sec: float) -> Play[None]:
    """Set the time after which the show advances from the current slide."""

    def named(screen: Screen, role: str, name: str = "After:") -> NodeJson | None:
        place = screen.first("panel", "Advance Slide")
        return None if place is None else screen.first(role, name or None, place)

    choice = yield from desk.await_(
        lambda screen: named(screen, "radio button"), "the choice 'After'"
    )
    yield from desk.click(choice)
    field = yield from desk.await_(lambda screen: named(screen, "spin button", ""), "its seconds")
    yield from desk.click(field, across=0.2)
    yield from desk.key("ctrl+a")
    yield from desk.type(f"{after_sec:.2f}")
    yield from desk.key("Tab")
    field = yield from desk.await_(lambda screen: named(screen, "spin button", ""), "its seconds")
    if not field["name"].startswith(f"{after_sec:.2f}") and not field["text"].startswith(
        f"{after_sec:.2f}"
    ):
        raise MacroError(f"expected {after_sec:.2f} seconds beside 'After', got {field['name']!r}")


def _pick_transition(desk: Desk, kind: str) -> Play[None]:
    """Select a transition.

    The accessibility tree contains only the visible rows of the list, and reports their positions
    as if the list were not scrolled. The list may scroll back to the selected entry at any time.
    Keys do not help, because they go to the slide list after a selection. So entries on the way are
    selected too, and the selection shows whether a click hit the right row.
    """
    row, column = divmod(_KINDS.index(kind), _COLUMNS)
    pane = yield from desk.await_(_pane, "the list of transitions")
    yield from _to_first_row(desk, pane)
    rows: list[float] = []
    missed = still = 0
    for _ in range(_MOST_TURNS):
        tops = _tops(desk.screen)
        rows = sorted({*rows, *tops})
        wanted = rows[row] if row < len(rows) else None
        in_sight = wanted in _whole(tops) or (wanted in tops and still > 1)
        top = wanted if wanted is not None and in_sight else _whole(tops)[-1]
        yield from _click_row(desk, pane, column, top, _SHIFTS[missed % len(_SHIFTS)])
        if wanted is not None and _picked(desk.screen, column) == wanted:
            break
        missed += in_sight
        # A notch is half a row, or much less after the list was refilled.
        yield from desk.scroll(pane, _NOTCHES << min(still, 3))
        still = still + 1 if tops == _tops(desk.screen) else 0
    else:
        raise MacroError(f"expected the transition {kind!r} to be picked")
    if kind in _VARIANTS:
        yield from _pick_variant(desk, _VARIANTS[kind])


def _to_first_row(desk: Desk, pane: NodeJson) -> Play[None]:
    if not _tops(desk.screen):
        yield from desk.scroll(pane, 1)  # some lists appear in the tree only then
    first = area_of(pane)[1] + _MARGIN_PX
    for _ in range(_MOST_TURNS):
        tops = _tops(desk.screen)
        if tops[:1] == [first] and len(tops) == _WHOLE_ROWS:
            return
        yield from _click_row(desk, pane, 0, _whole(tops)[0])
        yield from desk.scroll(pane, -_MOST_NOTCHES)
    raise MacroError("expected the first row of the list of transitions")


def _whole(tops: list[float]) -> list[float]:
    """Return the fully visible rows: with more rows than fit, first and last are cut off."""
    if not tops:
        raise MacroError("expected entries in the list of transitions")
    return tops if len(tops) <= _WHOLE_ROWS else tops[1:-1]


def _click_row(desk: Desk, pane: NodeJson, column: int, row: float, shift: int = 0) -> Play[None]:
    """Click an entry; the scroll offset is unknown, so the click may miss by half a row."""
    left, top, width, height = area_of(pane)
    tops = _tops(desk.screen)
    scrolled = tops[0] - top - _MARGIN_PX + (len(tops) > _WHOLE_ROWS) * _ROW_PX / 2
    down = min(max(row - scrolled + (1 + shift) * _ROW_PX / 2, top + 2), top + height - 2)
    across = left + (column + 0.5) * width / _COLUMNS
    x, y = desk.screen.size_px
    yield from desk.act(Action("click", xy=(across / x, down / y)))


def _pick_variant(desk: Desk, name: str) -> Play[None]:
    def field(screen: Screen) -> NodeJson | None:
        page = screen.first("panel", _TRANSITIONS)
        return None if page is None else screen.labelled("Variant", page, ("combo box",))

    node = yield from desk.await_(field, "the list beside 'Variant'")
    yield from desk.click(node)
    cell = yield from desk.await_(
        lambda screen: screen.first("table cell", name, test=lambda node: bool(node["element"])),
        f"the entry {name!r} in the list 'Variant'",
    )
    yield from desk.click(cell)


def _pane(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", _TRANSITIONS)
    return None if page is None else screen.first("layered pane", within=page)


def _icons(screen: Screen) -> list[NodeJson]:
    pane = _pane(screen)
    return [] if pane is None else screen.all("icon", within=pane)


def _tops(screen: Screen) -> list[float]:
    return sorted({area_of(icon)[1] for icon in _icons(screen)})


def _picked(screen: Screen, column: int) -> float | None:
    """Return the top of the selected entry if it is in a column of the list (0-based)."""
    pane = _pane(screen)
    picked = next((icon for icon in _icons(screen) if "selected" in icon["states"]), None)
    if pane is None or picked is None:
        return None
    left, _, width, _ = area_of(pane)
    middle = area_of(picked)[0] + area_of(picked)[2] / 2
    return area_of(picked)[1] if int((middle - left) / (width / _COLUMNS)) == column else None
