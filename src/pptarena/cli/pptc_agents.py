"""The agents of PPTC for ``pptarena run --env doc``: its baselines, and its labels."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.agents.model import ModelSettings
    from pptarena.tasks import Task

__all__ = ["PPTC_FAMILY", "asks_model", "is_pptc", "pptc_makers", "tools_of"]

PPTC_FAMILY = "pptc"
"""The tools and the view that these agents play with."""

_PREFIX = "pptc-"
_LABEL = "pptc-label"


def is_pptc(name: str) -> bool:
    """Return whether an agent is one of PPTC."""
    return name.startswith(_PREFIX) and ":" not in name


def asks_model(name: str) -> bool:
    """Return whether an agent is a baseline of PPTC, which a model plays."""
    return is_pptc(name) and name != _LABEL


def tools_of(agents: Sequence[str], tools: str) -> dict[str, Any]:
    """Return tools and view of the document environment for some agents.

    Args:
        agents: Their names, as the user gave them.
        tools: Families of tools that the user asks for, separated by commas; "" for none.

    Raises:
        ConfigError: If agents of PPTC are to play with others, or with other tools.
    """
    families = tuple(name.strip() for name in tools.split(",") if name.strip())
    if any(map(is_pptc, agents)):
        if not all(map(is_pptc, agents)) or families not in ((), (PPTC_FAMILY,)):
            raise ConfigError(
                f"agents of PPTC play with its own tools: expected no others beside them and no "
                f"--tools, got {', '.join(agents)}"
            )
        families = (PPTC_FAMILY,)
    if not families:
        return {}
    view = {"view": PPTC_FAMILY} if PPTC_FAMILY in families else {}
    return {"tools": families, **view}


def pptc_makers(
    names: Sequence[str], settings: "ModelSettings | None", tasks: "Sequence[Task]"
) -> dict[str, Callable[[], Any]]:
    """Return what makes the agents of PPTC among some, by the names that a store gives them.

    Raises:
        ConfigError: If there is no such agent.
    """
    from pptarena.agents.model import RunBudget
    from pptarena.agents.model.pptc import METHODS, PptcAgent
    from pptarena.audits.label_agent import LabelAgent

    makers: dict[str, Callable[[], Any]] = {}
    budget = RunBudget(settings) if settings else None
    for name in filter(is_pptc, names):
        method = name.removeprefix(_PREFIX)
        if name == _LABEL:
            makers[name] = partial(LabelAgent, tasks)
        elif method not in METHODS:
            known = ", ".join((_LABEL, *(f"{_PREFIX}{each}" for each in METHODS)))
            raise ConfigError(f"--agent: expected one of {known}, got {name}")
        elif settings is not None:
            stem = settings.name or settings.model.rpartition("/")[2]
            makers[f"{stem}--{name}"] = partial(PptcAgent, settings, method, budget)
    return makers
