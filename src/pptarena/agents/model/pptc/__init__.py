"""The baselines of PPTC: requests for the calls of a turn."""

from pptarena.agents.model.pptc.agent import METHODS, PptcAgent

__all__ = ["METHODS", "PptcAgent"]
