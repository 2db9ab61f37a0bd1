"""`Agent`: what every agent of this folder implements."""

from pptarena.rollouts.agent import Agent

__all__ = ["Agent"]
