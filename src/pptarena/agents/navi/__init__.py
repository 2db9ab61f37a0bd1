"""Navi, the agent of WindowsAgentArena (arXiv 2409.08264), on the actions of this package."""

from pptarena.agents.navi.agent import NaviAgent

__all__ = ["NaviAgent"]
