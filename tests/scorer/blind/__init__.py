"""Blind policies: plausible improvements made without reading the instruction.

A policy gets only the deck of a task. It applies what some tasks require to every deck, so its mean
score over a suite is due to chance.
"""

from tests.scorer.blind.policies import ALL_TOGETHER, POLICIES
from tests.scorer.blind.policy import Policy

__all__ = ["ALL_TOGETHER", "POLICIES", "Policy"]
