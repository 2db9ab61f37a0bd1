"""Watch running episodes in a local web page, act in them, and help agents."""

from pptarena.rollouts.live.env import LiveEnv
from pptarena.rollouts.live.person import Person

__all__ = ["LiveEnv", "Person"]
