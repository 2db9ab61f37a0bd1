"""Who plays ``pptarena run --env doc``, and what the document environment shows them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pptarena.cli.model_options import MODEL, PILOT
from pptarena.cli.pilot_options import make_pilot, pilot_label, slides_shown
from pptarena.cli.pptc_agents import is_pptc, pptc_makers, tools_of
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from pptarena.agents.model import ModelSettings
    from pptarena.agents.pptpilot import PilotSettings
    from pptarena.tasks import Task

__all__ = [
    "document_agents",
    "document_options",
    "require_callers",
    "require_known",
    "require_screens",
]

_GOAL, _CALLS, _RANDOM = "goal", "goal-calls", "random"
_KNOWN = (_GOAL, _CALLS, _RANDOM, MODEL, PILOT)


def require_known(agents: Sequence[str]) -> None:
    """Check that there are agents of these names, for a screen or for documents.

    Raises:
        ConfigError: If there is none of a name; the message names similar ones.
    """
    from pptarena.agents.registry import OWN_AGENT, agent_names, is_agent_name

    for name in agents:
        if not (is_agent_name(name) or name in _KNOWN or is_pptc(name)):
            raise ConfigError(not_found("agent", name, (*agent_names(), *_KNOWN), OWN_AGENT))


def require_screens(agents: Sequence[str], tools: str = "", *, command: str = "") -> None:
    """Check that agents can play on a screen.

    Args:
        agents: Their names.
        tools: What ``--tools`` asks for.
        command: The command, if it has no ``--env doc``.

    Raises:
        ConfigError: If one edits the file, or tools for that are asked for.
    """
    only = [name for name in agents if name in (_GOAL, _CALLS, PILOT) or is_pptc(name)]
    if only and command:
        raise ConfigError(
            f"--agent {only[0]} edits the file, but {command} runs agents on a screen only: use "
            f"pptarena run --env doc --agent {only[0]}"
        )
    if only or tools:
        what = f"--agent {only[0]}" if only else "--tools"
        raise ConfigError(f"{what} edits the file: expected --env doc with it")


def require_callers(agents: Sequence[str]) -> None:
    """Check that agents can play on documents.

    Raises:
        ConfigError: If one needs a screen.
    """
    unfit = [
        name for name in agents if name not in _KNOWN and ":" not in name and not is_pptc(name)
    ]
    if unfit:
        raise ConfigError(
            f"--env doc: expected {', '.join(_KNOWN)}, an agent of pptc or 'package.module:Class' "
            f"that returns calls, got {', '.join(unfit)}, which needs a screen"
        )


def document_options(
    agents: Sequence[str], settings: "ModelSettings | None", tools: str
) -> dict[str, Any]:
    """Return the arguments of the document environment for some agents.

    Args:
        agents: Their names, as the user gave them.
        settings: Settings of the model that plays, if one does.
        tools: Families of tools that the user asks for, separated by commas; "" for none.

    Raises:
        ConfigError: If the agents cannot play with the same tools.
    """
    families = [name.strip() for name in tools.split(",")] if tools else ["edit"]
    if _RANDOM in agents and ("edit" not in families or any("pptc" in each for each in families)):
        raise ConfigError(
            f"--agent random calls typed edits on what the outline names: expected --tools with "
            f"'edit' and without 'pptc', or none, got {tools!r}"
        )
    return {**tools_of(agents, tools), "slides": slides_shown(agents, settings)}


def document_agents(
    names: Sequence[str],
    settings: "ModelSettings | None",
    pilot: "PilotSettings | None",
    tasks: "Sequence[Task]",
    tools: str,
) -> "tuple[tuple[str, ...], Callable[[str], Any]]":
    """Return the names of agents as a store keeps them, and what makes an agent of such a name.

    Args:
        names: As the user gave them.
        settings: Settings of the model; all agents that play with it share what it may cost.
        pilot: Settings of PPTPilot.
        tasks: Those that they are to play.
        tools: Families of tools that the user asks for, separated by commas; "" for none.
    """
    from pptarena.agents import make_agent
    from pptarena.agents.random_caller import RandomCaller
    from pptarena.audits.goal_agent import GoalAgent
    from pptarena.audits.goal_calls import CallingGoalAgent

    makers: dict[str, Callable[[], Any]] = {
        _GOAL: lambda: GoalAgent(tasks),
        _CALLS: lambda: CallingGoalAgent(tasks),
        _RANDOM: RandomCaller,
    }
    labels: dict[str, str] = {}
    if settings is not None:
        from pptarena.agents.model import RunBudget
        from pptarena.agents.model.document_agent import DocumentModelAgent

        only = {name: value for name, value in tools_of(names, tools).items() if name == "tools"}
        budget, labels = RunBudget(settings), {MODEL: settings.label}
        labels[PILOT] = pilot_label(names, settings)
        makers[labels[MODEL]] = lambda: DocumentModelAgent(settings, budget, **only)
        makers[labels[PILOT]] = lambda: make_pilot(settings, pilot, budget)
    of_pptc = pptc_makers(names, settings, tasks, tools)
    makers |= of_pptc

    def make(name: str) -> Any:
        return makers[name]() if name in makers else make_agent(name, tasks)

    others = [labels.get(name, name) for name in names if not is_pptc(name)]
    return tuple(dict.fromkeys((*of_pptc, *others))), make
