"""Blind policies: plausible improvements made without reading the instruction.

A policy gets the deck of a task and nothing else. Its mean score over a suite is luck: it applies
what some tasks ask for wherever it can.
"""

from tests.scorer.blind.policies import ALL_TOGETHER, POLICIES
from tests.scorer.blind.policy import Policy

__all__ = ["ALL_TOGETHER", "POLICIES", "Policy"]
