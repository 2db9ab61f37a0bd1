"""The agents of PPTC for ``pptarena run --env doc``: its baselines, and its labels."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.agents.model import ModelSettings
    from pptarena.tasks import Task

__all__ = ["PPTC_FAMILY", "asks_model", "is_pptc", "pptc_makers", "tools_in_setting", "tools_of"]

PPTC_FAMILY = "pptc"
"""The tools and the view that these agents play with, where no API is missing or further."""

_PREFIX = "pptc-"
_LABEL = "pptc-label"


def is_pptc(name: str) -> bool:
    """Return whether an agent is one of PPTC."""
    return name.startswith(_PREFIX) and ":" not in name


def asks_model(name: str) -> bool:
    """Return whether an agent is a baseline of PPTC, which a model plays."""
    return is_pptc(name) and name != _LABEL


def tools_in_setting(agents: Sequence[str], tools: str, tasks: "Sequence[Task]") -> str:
    """Return families of tools, with that of PPTC as the setting of the tasks has it.

    Args:
        agents: Names of agents, as the user gave them.
        tools: Families of tools that the user asks for, separated by commas; "" for none.
        tasks: Those that they are to play.

    Raises:
        ConfigError: If the tasks are of several settings, or another one's tools are asked for.
        TaskError: If what lies beside a task of PPTC is malformed.
    """
    from pptarena.benchmarks.pptc.labels import setting_name
    from pptarena.benchmarks.pptc.settings import SETTINGS

    families = [name.strip() for name in tools.split(",") if name.strip()]
    if not any(map(is_pptc, agents)) and not any(map(_is_family, families)):
        return tools
    found = {setting_name(task.id, task.place) for task in tasks} - {None}
    if len(found) > 1:
        said = ", ".join(sorted(name or "plain" for name in found))
        raise ConfigError(f"expected tasks of one setting of PPTC in a run, got some of {said}")
    family = SETTINGS[found.pop() or ""].family if found else ""
    other = [name for name in families if _is_family(name) and name not in (PPTC_FAMILY, family)]
    if other and family:
        raise ConfigError(f"--tools: expected {family}, the setting of the tasks, got {other[0]}")
    family = family or PPTC_FAMILY
    if not families:
        return family
    return ",".join(family if name == PPTC_FAMILY else name for name in families)


def _is_family(name: str) -> bool:
    return name == PPTC_FAMILY or name.startswith(f"{PPTC_FAMILY}-")


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
        if not all(map(is_pptc, agents)) or not (
            len(families) < 2 and all(map(_is_family, families))
        ):
            raise ConfigError(
                f"agents of PPTC play with its own tools: expected no others beside them and no "
                f"--tools, got {', '.join(agents)}"
            )
        families = families or (PPTC_FAMILY,)
    if not families:
        return {}
    view = {"view": PPTC_FAMILY} if any(map(_is_family, families)) else {}
    return {"tools": families, **view}


def pptc_makers(
    names: Sequence[str],
    settings: "ModelSettings | None",
    tasks: "Sequence[Task]",
    tools: str = PPTC_FAMILY,
) -> dict[str, Callable[[], Any]]:
    """Return what makes the agents of PPTC among some, by the names that a store gives them.

    Args:
        names: As the user gave them.
        settings: Settings of the model, if one plays.
        tasks: Those that they are to play.
        tools: The family of tools that they play with.

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
            makers[f"{stem}--{name}"] = partial(
                PptcAgent, settings, method, budget, tools=tools or PPTC_FAMILY
            )
    return makers
