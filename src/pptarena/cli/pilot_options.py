"""The settings of ``--agent pptpilot``, and what documents show to the agents of a run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pptarena.cli.model_options import PILOT

if TYPE_CHECKING:
    from pptarena.agents.model import ModelSettings, RunBudget
    from pptarena.agents.model.document_agent import DocumentModelAgent
    from pptarena.agents.pptpilot import PilotSettings

__all__ = ["make_pilot", "pilot_label", "pilot_settings", "slides_shown"]

_SLIDES = 8


def pilot_settings(
    agents: Sequence[str], options: Sequence[str]
) -> "tuple[PilotSettings | None, list[str]]":
    """Return the settings of PPTPilot, None if it does not play, and the options of the model.

    Raises:
        ConfigError: If a value makes no sense.
    """
    if PILOT not in agents:
        return None, list(options)
    import dataclasses

    from pptarena.agents.model.settings import settings_from
    from pptarena.agents.pptpilot import PilotSettings

    names = {field.name for field in dataclasses.fields(PilotSettings)}
    own = [each for each in options if each.partition("=")[0] in names]
    return settings_from(PilotSettings, own), [each for each in options if each not in own]


def slides_shown(agents: Sequence[str], settings: "ModelSettings | None") -> int:
    """Return how many slides the documents of a run show as pictures."""
    if settings is None:
        return 0
    default = _SLIDES if PILOT in agents else 0
    return default if settings.slides is None else settings.slides


def pilot_label(agents: Sequence[str], settings: "ModelSettings") -> str:
    """Return what a store calls PPTPilot: the name of the settings, if nobody else goes by it."""
    alone = settings.name and not {"model"} & set(agents)
    return settings.name if alone else f"{PILOT}--{settings.label}"


def make_pilot(
    settings: "ModelSettings", pilot: "PilotSettings | None", budget: "RunBudget"
) -> "DocumentModelAgent":
    """Return PPTPilot."""
    from pptarena.agents.pptpilot import PPTPilot

    return PPTPilot(settings, pilot, budget)
