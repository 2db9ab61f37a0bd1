"""All operators by name."""

from pptarena.tasks.generator.operator import Operator
from pptarena.tasks.generator.operators import (
    arrangement,
    backgrounds,
    charts,
    footers,
    images,
    layouts,
    links,
    motion,
    shapes,
    slides,
    tables,
    text,
    text_format,
    themes,
)

__all__ = ["OPERATORS"]

_MODULES = (
    text, text_format, slides, tables, charts, images, shapes, arrangement, layouts, backgrounds,
    themes, footers, motion, links,
)  # fmt: skip

OPERATORS: dict[str, Operator] = {
    operator.name: operator for module in _MODULES for operator in module.OPERATORS
}
"""All operators by name."""
