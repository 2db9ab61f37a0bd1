"""The options of the commands that let a model play, and the agents they name."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.pptc_agents import asks_model
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.agents import Agent
    from pptarena.agents.model import ModelSettings
    from pptarena.tasks import Task

__all__ = [
    "MODEL",
    "PILOT",
    "AgentNames",
    "BaseUrl",
    "DialectName",
    "ModelName",
    "Options",
    "ScreenAgentNames",
    "agents_of",
    "settings_of",
]

MODEL = "model"
"""The agent that is a model."""

PILOT = "pptpilot"
"""The agent that plans, edits and judges decks by a model, for documents."""

AgentNames = Annotated[
    list[str],
    typer.Option(
        help="'random', 'demonstration', 'macro', 'model' or 'package.module:Class', with --env"
        " doc 'goal', 'model' or 'pptpilot'; repeatable."
    ),
]
ScreenAgentNames = Annotated[
    list[str],
    typer.Option(
        help="'random', 'demonstration', 'macro', 'model' or 'package.module:Class'; repeatable."
    ),
]
ModelName = Annotated[
    str, typer.Option(help="For '--agent model': its name, as the service knows it.")
]
BaseUrl = Annotated[
    str,
    typer.Option(
        help="Address of its service, up to /v1.", show_default="that of the dialect's maker"
    ),
]
DialectName = Annotated[
    str,
    typer.Option(
        help="Action format of the model, such as 'qwen3-vl'; "
        "`python -m pptarena.agents.dialects.reference` describes all."
    ),
]
Options = Annotated[
    list[str],
    typer.Option(
        help="A setting of the model: view=both, history=3, max_cost_usd=5 ...; may be repeated.",
        metavar="NAME=VALUE",
    ),
]


def settings_of(
    agents: Sequence[str], model: str, base_url: str, dialect: str, options: Sequence[str]
) -> "ModelSettings | None":
    """Return the settings of the model that plays; None if none does.

    Raises:
        ConfigError: If the options do not fit together.
    """
    asking = [name for name in agents if name in (MODEL, PILOT) or asks_model(name)]
    if not asking:
        if model or base_url or options:
            raise ConfigError(
                "--model, --base-url and --option: expected '--agent model' or pptpilot with them"
            )
        return None
    if not model:
        raise ConfigError(f"--agent {asking[0]}: expected the name of a model with --model")
    from pptarena.agents.model import ModelSettings

    return ModelSettings.from_options(
        options, model=model, base_url=base_url or None, dialect=dialect
    )


def agents_of(
    names: Sequence[str], settings: "ModelSettings | None", tasks: "Sequence[Task]"
) -> "tuple[tuple[str, ...], Callable[[str], Agent]]":
    """Return the names of agents as a store keeps them, and what makes an agent of such a name.

    Args:
        names: As the user gave them.
        settings: Settings of the model; all agents that play with it share what it may cost.
        tasks: Those that they are to play.
    """
    from pptarena.agents import make_agent

    if settings is None:
        return tuple(dict.fromkeys(names)), lambda name: make_agent(name, tasks)
    from pptarena.agents.model import ModelAgent, RunBudget

    budget, label = RunBudget(settings), settings.label

    def make(name: str) -> "Agent":
        return ModelAgent(settings, budget) if name == label else make_agent(name, tasks)

    return tuple(dict.fromkeys(label if name == MODEL else name for name in names)), make
