"""Blind policies: edits that anybody would call an improvement, made without the instruction.

A policy gets the deck of a task and nothing else. What it earns on average over a suite, it earns
by luck: by doing what some tasks ask for wherever it can be done.
"""

from pptarena.audits.blind.policies import ALL_TOGETHER, POLICIES
from pptarena.audits.blind.policy import Policy

__all__ = ["ALL_TOGETHER", "POLICIES", "Policy"]
