"""Read and set the position and size of shapes."""

from typing import Any

__all__ = ["box_of", "put"]


def box_of(shape: Any) -> tuple[int, int, int, int]:
    """Return left, top, width and height in EMU, including inherited values."""
    return (
        int(shape.left or 0),
        int(shape.top or 0),
        int(shape.width or 0),
        int(shape.height or 0),
    )


def put(
    shape: Any,
    left: int | None = None,
    top: int | None = None,
    width: int | None = None,
    height: int | None = None,
) -> None:
    """Move or resize a shape, in EMU; None keeps a value."""
    given = (left, top, width, height)
    new = [now if to is None else to for now, to in zip(box_of(shape), given, strict=True)]
    # A placeholder with inherited geometry needs all four values, or it would lose the others.
    shape.left, shape.top = new[:2]
    if shape.has_table:
        _stretch(shape.table.columns, "width", new[2])
        _stretch(shape.table.rows, "height", new[3])
    shape.width, shape.height = new[2:]


def _stretch(parts: Any, side: str, total: int) -> None:
    """Scale rows or columns to a new total size."""
    before = [getattr(part, side) for part in parts]
    whole = sum(before)
    if whole == total or not whole:
        return
    for part, size in zip(parts, before, strict=True):
        setattr(part, side, max(1, size * total // whole))
