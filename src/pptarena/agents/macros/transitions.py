"""Macros for slide transitions and timing, in the sidebar."""

from typing import Annotated

from pydantic import AfterValidator

from pptarena.agents.macros.arguments import Position, Seconds
from pptarena.agents.macros.driver import Driver, Steps
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
_KIND_ALIASES = {
    "blinds": "venetian",
    "checker": "checkers",
    "circle": "shape",
    "pull": "uncover",
    "randombar": "bars",
    "strips": "diagonal",
}
"""Alternative names used in rubrics."""


def _valid_kind(value: str) -> str:
    kind = _KIND_ALIASES.get(value, value)
    if kind not in _KINDS:
        raise ValueError(not_found("transition", value, (*_KINDS, *_KIND_ALIASES)))
    return kind


Transition = Annotated[str, AfterValidator(_valid_kind)]

_PANEL = "Slide Transition"
_BUTTON_ROLES = ("button", "push button")
_COLUMNS = 3
_MARGIN_PX = 12
_ROW_PX = 68
_VISIBLE_ROWS = 3
_SCROLL_NOTCHES = 2
_MAX_NOTCHES = 20
_MAX_SCROLLS = 40
_CLICK_SHIFTS = (0, 0, 1, -1, 2, -2)
_VARIANTS = {"circle": "Circle", "fade": "Smoothly"}


def transition(
    driver: Driver, slide: Position, kind: Transition | None = None, all: bool = False
) -> Steps[None]:
    """Set or remove the transition of a slide; `all` applies it to all slides.

    Without a kind the slide keeps its transition unchanged, for use with `all`.
    """
    yield from show_slide(driver, slide)
    yield from open_page(driver, _PANEL)
    if kind is not None:
        yield from _select_transition(driver, kind)
    if all:
        yield from _apply_to_all(driver)


def advance(driver: Driver, slide: Position, after_sec: Seconds, all: bool = False) -> Steps[None]:
    """Advance the show automatically after a slide; `all` applies its transition to all slides."""
    yield from show_slide(driver, slide)
    yield from open_page(driver, _PANEL)
    yield from _set_advance_time(driver, after_sec)
    if all:
        yield from _apply_to_all(driver)


def _apply_to_all(driver: Driver) -> Steps[None]:
    button = yield from driver.wait_for(
        lambda screen: screen.first(_BUTTON_ROLES, "Apply Transition to All Slides"),
        "the button 'Apply Transition to All Slides'",
    )
    yield from driver.click(button)


def _set_advance_time(driver: Driver, after_sec: float) -> Steps[None]:
    """Set the time after which the show advances from the current slide."""

    def find(screen: Screen, role: str, name: str = "After:") -> NodeJson | None:
        panel = screen.first("panel", "Advance Slide")
        return None if panel is None else screen.first(role, name or None, panel)

    radio_button = yield from driver.wait_for(
        lambda screen: find(screen, "radio button"), "the choice 'After'"
    )
    yield from driver.click(radio_button)
    field = yield from driver.wait_for(
        lambda screen: find(screen, "spin button", ""), "the seconds of 'After'"
    )
    yield from driver.click(field, across=0.2)
    yield from driver.key("ctrl+a")
    yield from driver.type(f"{after_sec:.2f}")
    yield from driver.key("Tab")
    field = yield from driver.wait_for(
        lambda screen: find(screen, "spin button", ""), "the seconds of 'After'"
    )
    if not field["name"].startswith(f"{after_sec:.2f}") and not field["text"].startswith(
        f"{after_sec:.2f}"
    ):
        raise MacroError(f"expected {after_sec:.2f} seconds next to 'After', got {field['name']!r}")


def _select_transition(driver: Driver, kind: str) -> Steps[None]:
    """Select a transition.

    The accessibility tree contains only the visible rows of the list, and reports their positions
    as if the list were not scrolled. The list may scroll back to the selected entry at any time.
    Keys do not help, because they go to the slide list after a selection. So the macro also selects
    the entries in between: the selection shows whether a click hit the intended row.
    """
    row, column = divmod(_KINDS.index(kind), _COLUMNS)
    pane = yield from driver.wait_for(_pane, "the list of transitions")
    yield from _scroll_to_first_row(driver, pane)
    rows: list[float] = []
    misses = unchanged_scrolls = 0
    for _ in range(_MAX_SCROLLS):
        tops = _row_tops(driver.screen)
        rows = sorted({*rows, *tops})
        target = rows[row] if row < len(rows) else None
        is_visible = target in _fully_visible(tops) or (target in tops and unchanged_scrolls > 1)
        clicked_top = target if target is not None and is_visible else _fully_visible(tops)[-1]
        yield from _click_row(
            driver, pane, column, clicked_top, _CLICK_SHIFTS[misses % len(_CLICK_SHIFTS)]
        )
        if target is not None and _selected_row(driver.screen, column) == target:
            break
        misses += is_visible
        # A notch is half a row, or much less after the list was refilled.
        yield from driver.scroll(pane, _SCROLL_NOTCHES << min(unchanged_scrolls, 3))
        unchanged_scrolls = unchanged_scrolls + 1 if tops == _row_tops(driver.screen) else 0
    else:
        raise MacroError(f"expected the transition {kind!r} to be selected")
    if kind in _VARIANTS:
        yield from _select_variant(driver, _VARIANTS[kind])


def _scroll_to_first_row(driver: Driver, pane: NodeJson) -> Steps[None]:
    if not _row_tops(driver.screen):
        yield from driver.scroll(pane, 1)  # some lists appear in the tree only after scrolling
    first = area_of(pane)[1] + _MARGIN_PX
    for _ in range(_MAX_SCROLLS):
        tops = _row_tops(driver.screen)
        if tops[:1] == [first] and len(tops) == _VISIBLE_ROWS:
            return
        yield from _click_row(driver, pane, 0, _fully_visible(tops)[0])
        yield from driver.scroll(pane, -_MAX_NOTCHES)
    raise MacroError("expected the first row of the list of transitions")


def _fully_visible(tops: list[float]) -> list[float]:
    """Return the fully visible rows: of more rows than fit, the first and last are cut off."""
    if not tops:
        raise MacroError("expected entries in the list of transitions")
    return tops if len(tops) <= _VISIBLE_ROWS else tops[1:-1]


def _click_row(
    driver: Driver, pane: NodeJson, column: int, row_top: float, shift: int = 0
) -> Steps[None]:
    """Click an entry; the scroll offset is unknown, so the click may miss by half a row."""
    left, top, width, height = area_of(pane)
    tops = _row_tops(driver.screen)
    scroll_px = tops[0] - top - _MARGIN_PX + (len(tops) > _VISIBLE_ROWS) * _ROW_PX / 2
    y_px = min(max(row_top - scroll_px + (1 + shift) * _ROW_PX / 2, top + 2), top + height - 2)
    x_px = left + (column + 0.5) * width / _COLUMNS
    width_px, height_px = driver.screen.size_px
    yield from driver.act(Action("click", xy=(x_px / width_px, y_px / height_px)))


def _select_variant(driver: Driver, name: str) -> Steps[None]:
    def field(screen: Screen) -> NodeJson | None:
        page = screen.first("panel", _PANEL)
        return None if page is None else screen.labeled_control("Variant", page, ("combo box",))

    variant_list = yield from driver.wait_for(field, "the list next to 'Variant'")
    yield from driver.click(variant_list)
    option = yield from driver.wait_for(
        lambda screen: screen.first("table cell", name, test=lambda node: bool(node["element"])),
        f"the entry {name!r} in the list 'Variant'",
    )
    yield from driver.click(option)


def _pane(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", _PANEL)
    return None if page is None else screen.first("layered pane", within=page)


def _icons(screen: Screen) -> list[NodeJson]:
    pane = _pane(screen)
    return [] if pane is None else screen.all("icon", within=pane)


def _row_tops(screen: Screen) -> list[float]:
    return sorted({area_of(icon)[1] for icon in _icons(screen)})


def _selected_row(screen: Screen, column: int) -> float | None:
    """Return the top of the selected entry if it is in a column of the list (0-based)."""
    pane = _pane(screen)
    selected = next((icon for icon in _icons(screen) if "selected" in icon["states"]), None)
    if pane is None or selected is None:
        return None
    left, _, width, _ = area_of(pane)
    center_x = area_of(selected)[0] + area_of(selected)[2] / 2
    return area_of(selected)[1] if int((center_x - left) / (width / _COLUMNS)) == column else None
