"""The requirements of TRL on an environment; `test_trl_real` tests with TRL."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from pptarena.envs.document.toolbox import FAMILIES, toolbox
from pptarena.errors import ActionError, ConfigError, MachineError
from pptarena.rollouts.trainers.trl import TrlEnvironment, trl_environment, trl_rows

TASK = "meridian-hide-backup"


def public_methods(kind: type) -> set[str]:
    return {
        name
        for name, _ in inspect.getmembers(kind, predicate=inspect.isfunction)
        if not name.startswith("_")
    }


def tool(environment: TrlEnvironment, name: str) -> Callable[..., str]:
    method: Callable[..., str] = getattr(environment, name)
    return method


def test_public_methods_are_the_tools() -> None:
    all_tools = trl_environment(FAMILIES)
    assert public_methods(all_tools) == {"reset", "get_reward", *toolbox(FAMILIES)}
    one_tool = trl_environment(names=("hide_slide",))
    assert public_methods(one_tool) == {"reset", "get_reward", "hide_slide", "done"}


def test_every_tool_has_types_and_documentation() -> None:
    environment = trl_environment(FAMILIES, judge=None)()
    for name in toolbox(FAMILIES):
        method = tool(environment, name)
        documentation = inspect.getdoc(method) or ""
        for key, parameter in inspect.signature(method).parameters.items():
            assert parameter.annotation is not inspect.Parameter.empty
            assert f"    {key}: " in documentation.partition("Args:\n")[2]
        assert inspect.signature(method).return_annotation is str


def test_rollout_has_a_reward() -> None:
    environment = trl_environment(task=TASK, judge=None)()
    assert environment.reset(prompt=[]).startswith("The last slide, with")
    assert tool(environment, "hide_slide")(slide=272) == "hidden"
    with pytest.raises(ActionError, match="slide"):
        tool(environment, "hide_slide")(slide=1)
    assert environment.get_reward() == 1.0
    assert environment.score == 1.0
    assert environment.rubric["score"] == 1.0
    assert [(step.tool, step.reward) for step in environment.steps] == [
        ("hide_slide", 1.0), ("", 0.0), ("done", 0.0)
    ]  # fmt: skip


def test_discount_favors_shorter_episodes() -> None:
    rewards = []
    for detours in (0, 2):
        environment = trl_environment(discount=0.9, task=TASK, judge=None)()
        environment.reset()
        for _ in range(detours):
            tool(environment, "read_slide")(slide=272)
        tool(environment, "hide_slide")(slide=272)
        rewards.append(environment.get_reward())
    assert rewards == [1.0, pytest.approx(0.81)]


def test_rows_select_their_tasks() -> None:
    rows = trl_rows("all#first-steps", ["first-steps-delete-slide-2", TASK])
    environment = trl_environment(judge=None)()
    instructions = [environment.reset(**row).splitlines()[0] for row in rows]
    assert instructions[0] == 'Delete the slide "Agenda".'
    assert instructions[1].startswith("The last slide, with")
    assert len(trl_rows("all#first-steps")) == 51


def test_row_without_a_task_is_rejected() -> None:
    with pytest.raises(ConfigError, match=r"column 'task' .* the rows have \['prompt'\]"):
        trl_environment(judge=None)().reset(prompt=[])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"discount": 0.0}, "discount: expected more than 0"),
        ({"names": ("fly",)}, r"names: expected some of .* got \['fly'\]"),
        ({"tools": ("mouse",)}, "tools: expected some of edit"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        trl_environment(**arguments)


def test_machine_error_gives_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = trl_environment(task=TASK, judge=None)()
    environment.reset()

    def fail(*_: Any, **__: Any) -> None:
        raise MachineError("the disk failed")

    monkeypatch.setattr("pptarena.envs.document.doc_episode.DocEpisode.grade_final", fail)
    assert environment.get_reward() is None
    assert environment.score is None
