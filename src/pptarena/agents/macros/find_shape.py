"""Find the shape that a selector names in the accessibility tree of the current slide."""

from pptarena.agents.macros.desk import Desk
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, plain
from pptarena.decks import Deck, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import MacroError

__all__ = ["expected_area", "find_node"]

Area = tuple[float, float, float, float]

_NEAR = 0.04  # of the page width: largest offset of an unnamed shape from its expected position


def find_node(desk: Desk, slide: int, words: str) -> NodeJson:
    """Return the node of a shape on the slide shown.

    Args:
        desk: The desk.
        slide: Current position of the slide.
        words: A rubric selector that refers to the original deck. A shape or slide that is not in
            the original deck is found by a name or text on the screen.

    Raises:
        MacroError: If no shape matches, or it is not on the screen.
    """
    screen = desk.screen
    origin = desk.roll.origin(slide)
    if origin is None:
        return _on_new_slide(screen, words)
    facts = desk.deck.slides[origin]
    shape = find_shape(facts, words)
    if shape is None:
        if (new := _called(screen, words)) is not None:
            return new
        raise MacroError(
            f"expected a shape {words!r} on slide {origin + 1} of the deck, or on the screen; "
            f"it has {_listed([each.name for each in facts.shapes])}"
        )
    if shape.group is not None:
        raise MacroError(f"{shape.label} is a member of a group; macros take whole groups only")
    found = _match(screen, desk.deck, shape)
    if found is None:
        raise MacroError(
            f"expected {shape.label} on slide {slide}; on the screen are "
            f"{_listed([node['name'] for node in screen.shapes()])}"
        )
    return found


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
    named = [node for node in nodes if shape.name and plain(node["name"]) == plain(shape.name)]
    if len(named) == 1:
        return named[0]
    same_text = [
        node
        for node in named or nodes
        if shape.text.strip() and plain(screen.text(node)) == plain(shape.text)
    ]
    if len(same_text) == 1:
        return same_text[0]
    area = expected_area(screen, deck, shape)
    page = screen.page
    if area is None or page is None:
        return None
    reach = _NEAR * area_of(page)[2]

    def distance(node: NodeJson) -> float:
        return sum(abs(a - b) for a, b in zip(area_of(node), area, strict=True))

    near = min(same_text or named or nodes, key=distance, default=None)
    if near is None or not (named or same_text or distance(near) <= 4 * reach):
        return None
    return near


def _on_new_slide(screen: Screen, words: str) -> NodeJson:
    """Return a shape of a slide that is not in the original deck: by placeholder, name or text."""
    nodes = screen.shapes()
    if words in ("@title", "@subtitle", "@body"):
        place = 0 if words == "@title" else 1
        if place < len(nodes):
            return nodes[place]
    if (found := _called(screen, words)) is not None:
        return found
    raise MacroError(
        f"expected a shape {words!r} on this new slide; "
        f"it has {_listed([node['name'] for node in nodes])}"
    )


def _called(screen: Screen, words: str) -> NodeJson | None:
    """Return the first shape on the screen with a given name or text."""
    wanted = plain(words)
    for node in screen.shapes():
        if wanted in (plain(node["name"]), plain(screen.text(node))):
            return node
    return None


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none"
