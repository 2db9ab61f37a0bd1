"""What TRL needs of an environment; `test_trl_real` asks TRL itself."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from pptarena.envs.document.toolbox import FAMILIES, toolbox
from pptarena.errors import ActionError, ConfigError, MachineError
from pptarena.rollouts.trainers.trl import TrlEnvironment, trl_environment, trl_rows

TASK = "meridian-hide-backup"


def public(kind: type) -> set[str]:
    return {
        name
        for name, _ in inspect.getmembers(kind, predicate=inspect.isfunction)
        if not name.startswith("_")
    }


def tool(environment: TrlEnvironment, name: str) -> Callable[..., str]:
    found: Callable[..., str] = getattr(environment, name)
    return found


def test_its_public_methods_are_the_tools() -> None:
    made = trl_environment(FAMILIES)
    assert public(made) == {"reset", "get_reward", *toolbox(FAMILIES)}
    few = trl_environment(names=("hide_slide",))
    assert public(few) == {"reset", "get_reward", "hide_slide", "done"}


def test_every_tool_has_types_and_words() -> None:
    environment = trl_environment(FAMILIES, judge=None)()
    for name in toolbox(FAMILIES):
        method = tool(environment, name)
        words = inspect.getdoc(method) or ""
        for key, parameter in inspect.signature(method).parameters.items():
            assert parameter.annotation is not inspect.Parameter.empty
            assert f"    {key}: " in words.partition("Args:\n")[2]
        assert inspect.signature(method).return_annotation is str


def test_a_rollout_and_its_reward() -> None:
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


def test_with_a_discount_the_shorter_way_pays_more() -> None:
    rewards = []
    for detours in (0, 2):
        environment = trl_environment(discount=0.9, task=TASK, judge=None)()
        environment.reset()
        for _ in range(detours):
            tool(environment, "read_slide")(slide=272)
        tool(environment, "hide_slide")(slide=272)
        rewards.append(environment.get_reward())
    assert rewards == [1.0, pytest.approx(0.81)]


def test_rows_lead_to_their_tasks() -> None:
    rows = trl_rows("all#first-steps", ["first-steps-delete-slide-2", TASK])
    environment = trl_environment(judge=None)()
    asked = [environment.reset(**row).splitlines()[0] for row in rows]
    assert asked[0] == 'Delete the slide "Agenda".'
    assert asked[1].startswith("The last slide, with")
    assert len(trl_rows("all#first-steps")) == 51


def test_no_task_no_group() -> None:
    with pytest.raises(ConfigError, match=r"column 'task' .* got columns \['prompt'\]"):
        trl_environment(judge=None)().reset(prompt=[])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"discount": 0.0}, "discount: expected more than 0"),
        ({"names": ("fly",)}, r"names: expected some of .* got \['fly'\]"),
        ({"tools": ("mouse",)}, "tools: expected some of edit"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        trl_environment(**given)


def test_what_failed_below_has_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = trl_environment(task=TASK, judge=None)()
    environment.reset()

    def broken(*_: Any, **__: Any) -> None:
        raise MachineError("the disk is gone")

    monkeypatch.setattr("pptarena.envs.document.doc_episode.DocEpisode.grade_finally", broken)
    assert environment.get_reward() is None
    assert environment.score is None
