"""Scope: the part of a deck that a task may touch, and the price of changes elsewhere."""

from pptarena.rewards.scope.scope import Scope, load_scope

__all__ = ["Scope", "load_scope"]
