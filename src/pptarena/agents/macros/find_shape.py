"""Find the shape that a selector names in the accessibility tree of the current slide."""

from pptarena.agents.macros.driver import Driver
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, normalize
from pptarena.decks import Deck, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import MacroError

__all__ = ["expected_area", "find_node"]

Area = tuple[float, float, float, float]

_MAX_OFFSET = 0.04  # fraction of the page width; of a shape without a name


def find_node(driver: Driver, slide: int, selector: str) -> NodeJson:
    """Return the node of a shape on the slide shown.

    Args:
        driver: The driver.
        slide: Current position of the slide.
        selector: A rubric selector that refers to the original deck. For new shapes and slides, the
            name or text on the screen.

    Raises:
        MacroError: If no shape matches, or it is not on the screen.
    """
    screen = driver.screen
    origin = driver.slide_tracker.origin(slide)
    if origin is None:
        return _find_on_new_slide(screen, selector)
    slide_facts = driver.deck.slides[origin]
    shape = find_shape(slide_facts, selector)
    if shape is None:
        if (on_screen := _find_by_name_or_text(screen, selector)) is not None:
            return on_screen
        raise MacroError(
            f"expected a shape {selector!r} on slide {origin + 1} of the deck, or on the screen; "
            f"it has {_name_list([deck_shape.name for deck_shape in slide_facts.shapes])}"
        )
    if shape.group is not None:
        raise MacroError(f"{shape.label} is a member of a group; macros support only entire groups")
    node = _match(screen, driver.deck, shape)
    if node is None:
        raise MacroError(
            f"expected {shape.label} on slide {slide}; on the screen are "
            f"{_name_list([shape_node['name'] for shape_node in screen.shapes()])}"
        )
    return node


def expected_area(screen: Screen, deck: Deck, shape: Shape) -> Area | None:
    """Return the expected left, top, width and height in pixels of a shape of the deck."""
    page = screen.page
    if page is None:
        return None
    left, top, width, height = area_of(page)
    across, down = width / deck.width_emu, height / deck.height_emu
    box = shape.box
    return (
        left + box.left * across,
        top + box.top * down,
        box.width * across,
        box.height * down,
    )


def _match(screen: Screen, deck: Deck, shape: Shape) -> NodeJson | None:
    nodes = screen.shapes()
    same_name = [
        node for node in nodes if shape.name and normalize(node["name"]) == normalize(shape.name)
    ]
    if len(same_name) == 1:
        return same_name[0]
    same_text = [
        node
        for node in same_name or nodes
        if shape.text.strip() and normalize(screen.text(node)) == normalize(shape.text)
    ]
    if len(same_text) == 1:
        return same_text[0]
    area = expected_area(screen, deck, shape)
    page = screen.page
    if area is None or page is None:
        return None
    max_offset_px = _MAX_OFFSET * area_of(page)[2]

    def distance(node: NodeJson) -> float:
        return sum(abs(a - b) for a, b in zip(area_of(node), area, strict=True))

    nearest = min(same_text or same_name or nodes, key=distance, default=None)
    if nearest is None or not (same_name or same_text or distance(nearest) <= 4 * max_offset_px):
        return None
    return nearest


def _find_on_new_slide(screen: Screen, selector: str) -> NodeJson:
    """Return a shape of a slide that is not in the original deck: by placeholder, name or text."""
    nodes = screen.shapes()
    if selector in ("@title", "@subtitle", "@body"):
        index = 0 if selector == "@title" else 1
        if index < len(nodes):
            return nodes[index]
    if (node := _find_by_name_or_text(screen, selector)) is not None:
        return node
    raise MacroError(
        f"expected a shape {selector!r} on this new slide; "
        f"it has {_name_list([shape_node['name'] for shape_node in nodes])}"
    )


def _find_by_name_or_text(screen: Screen, name_or_text: str) -> NodeJson | None:
    """Return the first shape on the screen with a given name or text."""
    target = normalize(name_or_text)
    for node in screen.shapes():
        if target in (normalize(node["name"]), normalize(screen.text(node))):
            return node
    return None


def _name_list(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none"
