"""The baselines of PPTC: how a model is asked for a turn's calls."""

from pptarena.agents.model.pptc.agent import METHODS, PptcAgent

__all__ = ["METHODS", "PptcAgent"]
