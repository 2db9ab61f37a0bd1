"""Models as agents: settings, observations, services, and the agent itself."""

from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.observing import Observer, Picture, Sight, screen_text
from pptarena.agents.model.settings import VIEWS, ModelSettings
from pptarena.agents.model.usage import RunBudget, Usage

__all__ = [
    "VIEWS",
    "ModelAgent",
    "ModelSettings",
    "Observer",
    "Picture",
    "RunBudget",
    "Sight",
    "Usage",
    "screen_text",
]
