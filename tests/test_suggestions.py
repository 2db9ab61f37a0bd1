import dataclasses
from typing import Any, cast

import gymnasium as gym
import pytest
from tests.each_case import each_case

from pptarena.agents import agent_names
from pptarena.agents.dialects import dialect_names, get_dialect
from pptarena.agents.model import ModelSettings
from pptarena.agents.registry import make_agent
from pptarena.errors import ConfigError, PPTArenaError, UnknownTaskError
from pptarena.rewards.checking.registry import check_names, get_check
from pptarena.rollouts.exporters import EXPORTERS
from pptarena.suggestions import MAX_LISTED, not_found, similar_names
from pptarena.tasks import list_tasks, suites
from pptarena.tasks.generator import TaskOptions
from pptarena.tasks.generator.operators import OPERATORS

OPTIONS = tuple(field.name for field in dataclasses.fields(ModelSettings))


@each_case(
    "names, name, first",
    [
        (suites(), "benchh", "bench"),
        (suites(), "starters", "starter"),
        (suites(), "Bench", "bench"),
        (agent_names(), "randm", "random"),
        (agent_names(), "demo", "demonstration"),
        (dialect_names(), "qwen", "qwen3-vl"),
        (dialect_names(), "uitars", "uitars"),
        (dialect_names(), "opencua ", "opencua"),
        (OPTIONS, "picture", "pictures"),
        (OPTIONS, "max_cost", "max_cost_usd"),
        (OPTIONS, "temprature", "temperature"),
        (OPERATORS, "hide-slides", "hide-slide"),
        (OPERATORS, "delete", "delete-row"),
        (tuple(EXPORTERS), "Minary", "minari"),
        (check_names(), "title", "title_is"),
    ],
)
def test_most_similar_name_comes_first(names: tuple[str, ...], name: str, first: str) -> None:
    assert similar_names(name, names)[0] == first
    message = not_found("thing", name, names)
    assert message.startswith(f"thing {name!r} not found. Did you mean {first!r}")


@each_case("name", ["foo", "", "zzz", "🎉", "x" * 500, "a/b"])
@each_case("names", [suites(), dialect_names(), tuple(OPERATORS), ()])
def test_at_most_five_names_are_listed(names: tuple[str, ...], name: str) -> None:
    message = not_found("thing", name, names)
    parts = message.replace(".", ",").replace("?", ",").split(",")
    listed = [part.split(" and ")[0].split(": ")[-1].strip() for part in parts]
    assert sum(name in names for name in listed) <= MAX_LISTED
    assert message.startswith("thing ")


def test_unlisted_names_are_counted() -> None:
    names = [f"name-{number}" for number in range(9)]
    assert not_found("thing", "zzz", names) == (
        "thing 'zzz' not found. Available: name-0, name-1, name-2, name-3, name-4 and 4 more."
    )
    assert not_found("thing", "name-", names[:2], "Or a folder.") == (
        "thing 'name-' not found. Did you mean 'name-0' or 'name-1'? Or a folder."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"machin": "fake"}, "argument 'machin' not found. Did you mean 'machine'"),
        ({"suit": "bench"}, "Did you mean 'suite'"),
        ({"max_step": 3}, "Did you mean 'max_steps'"),
        ({"rewards": "dense"}, "Did you mean 'reward'"),
        ({"machine": "fake", "tasks": "x"}, "Did you mean 'task'"),
        ({"machine": "qemuu"}, "machine 'qemuu' not found. Did you mean 'qemu'"),
        ({"suite": "benchh"}, "suite 'benchh' not found. Did you mean 'bench'"),
    ],
)
def test_environment_suggests_arguments(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(PPTArenaError, match=message):
        gym.make("PPTArena-v0", **cast(dict[str, Any], {"machine": "fake", **arguments}))


@pytest.mark.parametrize("suite", ["no.jsonl", "no.jsonl#train", "./bench", "no/folder"])
def test_missing_file_gets_no_suggestions(suite: str) -> None:
    with pytest.raises(UnknownTaskError, match=r"not found: there is no file or folder") as caught:
        list_tasks(suite)
    assert "Available" not in str(caught.value)


def test_internal_agents_are_hidden_but_usable() -> None:
    with pytest.raises(ConfigError) as caught:
        make_agent("busyy")
    assert "'busy'" not in str(caught.value)
    assert callable(make_agent("busy").act)


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: get_dialect("qwen"),
        lambda: TaskOptions(("foo",)),
        lambda: ModelSettings.from_options(["views=both"], model="m"),
        lambda: get_check("title_iss", "root"),
    ],
)
def test_registries_suggest_names(look_up: object) -> None:
    with pytest.raises(PPTArenaError, match=r"not found\. Did you mean"):
        look_up()  # type: ignore[operator]
