"""Dialects: the action formats of models, one file each."""

from pptarena.agents.dialects.base import INFEASIBLE, Call, Dialect, Reply, Screen
from pptarena.agents.dialects.registry import dialect_names, get_dialect

__all__ = ["INFEASIBLE", "Call", "Dialect", "Reply", "Screen", "dialect_names", "get_dialect"]
