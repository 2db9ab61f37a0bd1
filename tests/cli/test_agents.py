"""The registry of agents that ``--agent`` accepts."""

import pytest
from tests.each_case import each_case

from pptarena.agents import agent_names
from pptarena.agents.model.pptc import METHODS
from pptarena.cli.agents import AGENTS, DOC, SCREEN, ModelOptions, build_agents, require_agents
from pptarena.errors import ConfigError
from pptarena.tasks import list_tasks

FREE = [name for name, kind in AGENTS.items() if not kind.needs_model]


def test_registry_has_every_packaged_agent() -> None:
    assert set(agent_names()) <= set(AGENTS)
    assert {f"pptc-{method}" for method in METHODS} | {"pptc-label"} == {
        name for name in AGENTS if name.startswith("pptc-")
    }


@each_case("name", FREE)
def test_agents_without_models_are_created_for_their_environment(name: str) -> None:
    tasks = list_tasks("starter")[:1]
    for env in AGENTS[name].environments:
        require_agents([name], env)
        agents = build_agents([name], env, tasks, ModelOptions())
        assert agents.names == (name,)
        assert callable(agents.make(name).act)


@each_case("name", AGENTS)
def test_agent_is_refused_for_the_wrong_environment(name: str) -> None:
    for env in {SCREEN, DOC} - set(AGENTS[name].environments):
        with pytest.raises(ConfigError, match=name):
            require_agents([name], env)


def test_model_agents_require_a_model_name() -> None:
    for name in set(AGENTS) - set(FREE):
        with pytest.raises(ConfigError, match=f"--agent {name} needs the name of a model"):
            build_agents([name], AGENTS[name].environments[-1], (), ModelOptions())
    with pytest.raises(ConfigError, match="need an agent that asks a model"):
        build_agents(["random"], SCREEN, (), ModelOptions(model="m"))


@pytest.mark.parametrize(
    ("name", "similar"),
    [("randm", "random"), ("modl", "model"), ("gaol", "goal"), ("pptc-cott", "pptc-cot")],
)
def test_misspelled_agent_gets_suggestions(name: str, similar: str) -> None:
    with pytest.raises(ConfigError) as caught:
        require_agents([name], SCREEN)
    message = str(caught.value)
    assert message.startswith(f"agent {name!r} not found. Did you mean {similar!r}")
    assert "busy" not in message
