"""Agents: what chooses actions. Each is imported when it is asked for by name."""

from pptarena.agents.base import Agent
from pptarena.agents.registry import agent_names, make_agent

__all__ = ["Agent", "agent_names", "make_agent"]
