"""Comparisons: the results of agents and runs, and their differences on the same tasks."""

from pptarena.rollouts.compare.comparison import Comparison, Difference, compare
from pptarena.rollouts.compare.contenders import Contender, Contenders, read_contenders
from pptarena.rollouts.compare.plot import plot_comparison
from pptarena.rollouts.compare.tables import comparison_tables

__all__ = [
    "Comparison",
    "Contender",
    "Contenders",
    "Difference",
    "compare",
    "comparison_tables",
    "plot_comparison",
    "read_contenders",
]
