"""Agents: the code that chooses actions. Each agent is imported on first use."""

from pptarena.agents.base import Agent
from pptarena.agents.registry import agent_names, make_agent

__all__ = ["Agent", "agent_names", "make_agent"]
