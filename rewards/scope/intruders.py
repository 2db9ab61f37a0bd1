"""Shapes that nobody asked for and that may lie over others: new ones, moved and repainted ones."""

from collections.abc import Iterable

from pptarena.decks import Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import ShapeMatch

__all__ = ["intruders"]

_BRINGS_OVER = frozenset(("geometry", "style", "pictures", "tables", "charts"))


def intruders(
    before: Slide, pairs: ShapeMatch, changes: Iterable[Change]
) -> list[tuple[int | None, int]]:
    """Return the shapes that changes bring over others.

    Args:
        before: The slide of the original.
        pairs: Which of its shapes is which now.
        changes: Those of this slide that no task asked for.

    Returns:
        The index before, None for a new shape, and the index now.
    """
    found: set[tuple[int | None, int]] = set()
    for change in changes:
        if change.kind == "shape_added" and change.shape_index_now is not None:
            found.add((None, change.shape_index_now))
        old = change.shape_index
        comes_over = change.aspect in _BRINGS_OVER or change.kind == "z_order_changed"
        if old is None or not comes_over or old not in pairs.to_current:
            continue
        if before.shapes[old].kind != "group":
            found.add((old, pairs.to_current[old]))
    return sorted(found, key=lambda pair: pair[1])
