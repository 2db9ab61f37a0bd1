"""Models as agents: settings, observations, services, and the agent itself."""

from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.observer import Observer, Picture, ScreenView
from pptarena.agents.model.settings import ModelSettings
from pptarena.agents.model.usage import RunBudget, Usage
from pptarena.sources import PRESETS, SOURCES, read_sources

__all__ = [
    "PRESETS",
    "SOURCES",
    "ModelAgent",
    "ModelSettings",
    "Observer",
    "Picture",
    "RunBudget",
    "ScreenView",
    "Usage",
    "read_sources",
]
