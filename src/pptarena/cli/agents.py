"""Registry of the agents that ``--agent`` accepts; builds agents from the options."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.agents.model import ModelSettings, RunBudget
    from pptarena.agents.pptpilot import PilotSettings
    from pptarena.tasks import Task

__all__ = [
    "AGENTS",
    "DOC",
    "SCREEN",
    "AgentKind",
    "Agents",
    "ModelOptions",
    "build_agents",
    "require_agents",
]

SCREEN, DOC = "screen", "doc"
_ALL_ENVS = (SCREEN, DOC)

_MODEL, _NAVI, _PILOT, _RANDOM = "model", "navi", "pptpilot", "random"
_SOLUTION = "goal"
_PPTC, _LABEL = "pptc", "pptc-label"
_PILOT_SLIDES = 8


@dataclass(frozen=True)
class AgentKind:
    """An agent that ``--agent`` accepts by name.

    Attributes:
        name: Its name.
        summary: What it does, for help texts and docs.
        environments: Values of ``--env`` that it runs on.
        needs_model: Whether it needs ``--model``.
    """

    name: str
    summary: str
    environments: tuple[str, ...]
    needs_model: bool = False


AGENTS: Final[Mapping[str, AgentKind]] = {
    kind.name: kind
    for kind in (
        AgentKind("demonstration", "Replays the task's recorded demonstration.", (SCREEN,)),
        AgentKind("macro", "Carries out the task's macros by mouse and keyboard.", (SCREEN,)),
        AgentKind("macro-titles", "The same, but finds slides by their titles.", (SCREEN,)),
        AgentKind(_RANDOM, "Samples random actions or tool calls.", _ALL_ENVS),
        AgentKind(_MODEL, "Asks a vision-language or language model.", _ALL_ENVS, True),
        AgentKind(_NAVI, "Asks a model as WindowsAgentArena's Navi does.", (SCREEN,), True),
        AgentKind(_SOLUTION, "Makes the edits of the task's solution by typed calls.", (DOC,)),
        AgentKind(_PILOT, "Plans, edits and reviews with a model.", (DOC,), True),
        AgentKind(_LABEL, "Makes the calls of PPTC's labels.", (DOC,)),
        *(
            AgentKind(f"{_PPTC}-{method}", f"PPTC's baseline '{method}'.", (DOC,), True)
            for method in ("zero-shot", "cot", "tot", "content", "api", "self-consistency")
        ),
    )
}
"""All agents by name; other agents are specified as ``package.module:Class``."""


@dataclass(frozen=True)
class ModelOptions:
    """The options of a model on the command line.

    Attributes:
        model: ``--model``; "" without a model.
        base_url: ``--base-url``; "" for the default.
        dialect: ``--dialect``.
        see: ``--see``; "" for the sources of the dialect.
        options: The values of ``--option``.
    """

    model: str = ""
    base_url: str = ""
    dialect: str = "tools"
    see: str = ""
    options: Sequence[str] = ()


@dataclass(frozen=True)
class Agents:
    """The agents of a run.

    Attributes:
        names: Their names in a store; a model's name contains its settings.
        make: Builds the agent of such a name.
        env_options: Further arguments of the document environment.
    """

    names: tuple[str, ...]
    make: Callable[[str], Any]
    env_options: Mapping[str, Any] = field(default_factory=dict)


def require_agents(names: Sequence[str], env: str) -> None:
    """Check that agents exist and run on an environment.

    Args:
        names: Values of ``--agent``.
        env: Value of ``--env``.

    Raises:
        ConfigError: If a name is unknown, or the agent does not run on the environment.
    """
    from pptarena.agents.registry import CUSTOM_AGENT_HINT, is_agent_name

    for name in names:
        if name not in AGENTS and not is_agent_name(name):
            candidates = (each for each in AGENTS if _is_pptc(each) is _is_pptc(name))
            raise ConfigError(not_found("agent", name, candidates, CUSTOM_AGENT_HINT))
        if env in _environments(name):
            continue
        if env == DOC:
            document_agents = (
                each for each in AGENTS if DOC in _environments(each) and not _is_pptc(each)
            )
            raise ConfigError(
                f"--agent {name} needs a screen. Agents for --env doc: {', '.join(document_agents)}"
            )
        raise ConfigError(f"--agent {name} edits the file, not the screen: use --env doc")


def _environments(name: str) -> tuple[str, ...]:
    if name in AGENTS:
        return AGENTS[name].environments
    return _ALL_ENVS if ":" in name else (SCREEN,)  # a user-defined or internal agent


def build_agents(
    names: Sequence[str], env: str, tasks: "Sequence[Task]", model: ModelOptions, tools: str = ""
) -> Agents:
    """Return the agents of a run.

    Args:
        names: Values of ``--agent``, checked by `require_agents`.
        env: Value of ``--env``.
        tasks: The tasks they run on.
        model: The options of the model; all agents that use it share its budget.
        tools: Value of ``--tools``: tool families separated by commas; "" for the default.

    Raises:
        ConfigError: If options conflict.
    """
    pilot, options = _pilot_settings(names, model.options)
    settings = _model_settings(names, model, options)
    if env == SCREEN:
        return _screen_agents(names, settings, tasks)
    tools = _with_pptc_setting(names, tools, tasks)
    return _document_agents(names, settings, pilot, tasks, tools)


def _model_settings(
    names: Sequence[str], model: ModelOptions, options: Sequence[str]
) -> "ModelSettings | None":
    model_agents = [name for name in names if name in AGENTS and AGENTS[name].needs_model]
    if not model_agents:
        if model.model or model.base_url or model.see or options:
            raise ConfigError(
                "--model, --base-url, --see and --option need an agent that asks a model, such as "
                "--agent model"
            )
        return None
    if not model.model:
        raise ConfigError(f"--agent {model_agents[0]} needs the name of a model: add --model NAME")
    from pptarena.agents.model import ModelSettings

    return ModelSettings.from_options(
        options,
        model=model.model,
        base_url=model.base_url or None,
        dialect=model.dialect,
        see=model.see or None,
    )


def _pilot_settings(
    names: Sequence[str], options: Sequence[str]
) -> "tuple[PilotSettings | None, list[str]]":
    """Return the settings of PPTPilot (None if it does not run) and the options of the model."""
    if _PILOT not in names:
        return None, list(options)
    from pptarena.agents.model.settings import parse_settings
    from pptarena.agents.pptpilot import PilotSettings

    fields = {each.name for each in dataclasses.fields(PilotSettings)}
    pilot_options = [each for each in options if each.partition("=")[0] in fields]
    return parse_settings(PilotSettings, pilot_options), [
        each for each in options if each not in pilot_options
    ]


def _screen_agents(
    names: Sequence[str], settings: "ModelSettings | None", tasks: "Sequence[Task]"
) -> Agents:
    from pptarena.agents import make_agent

    if settings is None:
        return Agents(tuple(dict.fromkeys(names)), lambda name: make_agent(name, tasks))
    from pptarena.agents.model import ModelAgent, RunBudget

    budget, labels = RunBudget(settings), {_MODEL: settings.label}
    makers: dict[str, Callable[[], Any]] = {settings.label: partial(ModelAgent, settings, budget)}
    if _NAVI in names:
        from pptarena.agents.navi import NaviAgent
        from pptarena.agents.navi.agent import navi_settings

        if _MODEL in names:  # the model agent may use another dialect
            settings = dataclasses.replace(settings, dialect="waa")
        label = settings.name if settings.name and _MODEL not in names else ""
        labels[_NAVI] = label or f"{_NAVI}--{navi_settings(settings).label}"
        makers[labels[_NAVI]] = partial(NaviAgent, settings, budget)

    def make(name: str) -> Any:
        return makers[name]() if name in makers else make_agent(name, tasks)

    selected = (labels.get(name, name) for name in names)
    return Agents(tuple(dict.fromkeys(selected)), make)


def _document_agents(
    names: Sequence[str],
    settings: "ModelSettings | None",
    pilot: "PilotSettings | None",
    tasks: "Sequence[Task]",
    tools: str,
) -> Agents:
    from pptarena.agents import make_agent
    from pptarena.agents.goal_agent import GoalAgent
    from pptarena.agents.random_agent import RandomCaller

    tool_options = _tool_options(names, tools)
    makers: dict[str, Callable[[], Any]] = {
        _SOLUTION: lambda: GoalAgent(tasks),
        _RANDOM: RandomCaller,
    }
    labels: dict[str, str] = {}
    budget = None
    if settings is not None:
        from pptarena.agents.model import RunBudget
        from pptarena.agents.model.document_agent import DocumentModelAgent
        from pptarena.agents.pptpilot import PPTPilot

        families = {name: value for name, value in tool_options.items() if name == "tools"}
        budget = RunBudget(settings)
        labels = {_MODEL: settings.label, _PILOT: _pilot_label(names, settings)}
        makers[labels[_MODEL]] = partial(DocumentModelAgent, settings, budget, **families)
        makers[labels[_PILOT]] = partial(PPTPilot, settings, pilot, budget)
    pptc_makers = _pptc_makers(names, settings, budget, tasks, tools)
    makers |= pptc_makers

    def make(name: str) -> Any:
        return makers[name]() if name in makers else make_agent(name, tasks)

    other_names = [labels.get(name, name) for name in names if not _is_pptc(name)]
    env_options = {**tool_options, "slides": _rendered_slides(names, settings)}
    return Agents(tuple(dict.fromkeys((*pptc_makers, *other_names))), make, env_options)


def _rendered_slides(names: Sequence[str], settings: "ModelSettings | None") -> int:
    """Return the number of slides that the document environment renders."""
    if settings is None:
        return 0
    default = _PILOT_SLIDES if _PILOT in names else 0
    return default if settings.slides is None else settings.slides


def _pilot_label(names: Sequence[str], settings: "ModelSettings") -> str:
    """Return PPTPilot's name in a store: the name in the settings, unless `model` uses it."""
    uses_name = settings.name and _MODEL not in names
    return settings.name if uses_name else f"{_PILOT}--{settings.label}"


def _is_pptc(name: str) -> bool:
    return name.startswith(f"{_PPTC}-") and ":" not in name


def _is_pptc_family(tools: str) -> bool:
    return tools == _PPTC or tools.startswith(f"{_PPTC}-")


def _families(tools: str) -> list[str]:
    return [name.strip() for name in tools.split(",") if name.strip()]


def _with_pptc_setting(names: Sequence[str], tools: str, tasks: "Sequence[Task]") -> str:
    """Return the tool families, with PPTC's family replaced by that of the tasks' setting."""
    families = _families(tools)
    if not any(map(_is_pptc, names)) and not any(map(_is_pptc_family, families)):
        return tools
    from pptarena.benchmarks.pptc.labels import setting_name
    from pptarena.benchmarks.pptc.settings import SETTINGS

    task_settings = {setting_name(task.id, task.place) for task in tasks} - {None}
    if len(task_settings) > 1:
        names_text = ", ".join(sorted(name or "plain" for name in task_settings))
        raise ConfigError(
            f"the tasks have several settings of PPTC ({names_text}): run each setting on its own"
        )
    family = SETTINGS[task_settings.pop() or ""].family if task_settings else ""
    other = [name for name in families if _is_pptc_family(name) and name not in (_PPTC, family)]
    if other and family:
        raise ConfigError(f"--tools {other[0]}: the setting of the tasks needs --tools {family}")
    family = family or _PPTC
    return ",".join(family if name == _PPTC else name for name in families or [family])


def _tool_options(names: Sequence[str], tools: str) -> dict[str, Any]:
    """Return tools and view of the document environment."""
    families = tuple(_families(tools))
    if any(map(_is_pptc, names)):
        has_only_pptc = len(families) < 2 and all(map(_is_pptc_family, families))
        if not all(map(_is_pptc, names)) or not has_only_pptc:
            raise ConfigError(
                "agents of PPTC use its own tools: run them without other agents and without "
                f"--tools, not with {', '.join((*names, *families))}"
            )
        families = families or (_PPTC,)
    if _RANDOM in names and families and ("edit" not in families or _has_pptc(families)):
        raise ConfigError(
            f"--agent random makes typed edits: leave out --tools, or add 'edit' to it and remove "
            f"'pptc' (it is {tools!r})"
        )
    if not families:
        return {}
    return {"tools": families, **({"view": _PPTC} if _has_pptc(families) else {})}


def _has_pptc(families: Sequence[str]) -> bool:
    return any(map(_is_pptc_family, families))


def _pptc_makers(
    names: Sequence[str],
    settings: "ModelSettings | None",
    budget: "RunBudget | None",
    tasks: "Sequence[Task]",
    tools: str,
) -> dict[str, Callable[[], Any]]:
    """Return builders of the agents of PPTC, by their names in a store."""
    from pptarena.agents.model.pptc import PptcAgent
    from pptarena.benchmarks.pptc.label_agent import LabelAgent

    makers: dict[str, Callable[[], Any]] = {}
    for name in filter(_is_pptc, names):
        if name == _LABEL:
            makers[name] = partial(LabelAgent, tasks)
        elif settings is not None:
            stem = settings.name or settings.model.rpartition("/")[2]
            method = name.removeprefix(f"{_PPTC}-")
            makers[f"{stem}--{name}"] = partial(
                PptcAgent, settings, method, budget, tools=tools or _PPTC
            )
    return makers
