"""All operators by name."""

from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.operators import (
    arrangement,
    backgrounds,
    charts,
    footers,
    images,
    links,
    looks,
    motion,
    pages,
    shapes,
    slides,
    tables,
    text,
    themes,
)

__all__ = ["OPERATORS"]

_MODULES = (
    text, looks, slides, tables, charts, images, shapes, arrangement, pages, backgrounds, themes,
    footers, motion, links,
)  # fmt: skip

OPERATORS: dict[str, Operator] = {
    operator.name: operator for module in _MODULES for operator in module.OPERATORS
}
"""All operators by name."""
