"""All operators by name."""

from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.operators import slides, text

__all__ = ["OPERATORS"]

OPERATORS: dict[str, Operator] = {
    operator.name: operator for module in (text, slides) for operator in module.OPERATORS
}
"""The operators by name."""
