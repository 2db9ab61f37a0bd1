"""Wordings of instructions, and step budgets: sampled, selected and validated."""

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import wait
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.errors import ConfigError, TaskError
from pptarena.tasks import Task, get_task

pytestmark = pytest.mark.slow

WORDINGS = ("Bold title.", "Could you set the title in bold?", "The title should be bold.")


@pytest.fixture
def task(bold_task: Task) -> Task:
    return replace(bold_task, paraphrases=WORDINGS)


def instructions_shown(env: Any, seeds: range, **options: Any) -> list[tuple[str, int]]:
    instructions_shown = []
    for seed in seeds:
        observation, info = env.reset(seed=seed, options=options)
        assert info["instruction"] in str(observation["instruction"])
        instructions_shown.append((info["instruction"], info["wording"]))
    return instructions_shown


@pytest.mark.parametrize("kind", ["screen", "document"])
def test_wording_is_sampled_by_seed(task: Task, kind: str) -> None:
    def make(**arguments: Any) -> Any:
        if kind == "document":
            return PPTArenaDocEnv(task=task, **arguments)
        return PPTArenaEnv(task=task, machine="fake", look="never", **arguments)

    wordings = list(enumerate((task.instruction, *WORDINGS), start=1))
    with closing(make()) as env:
        assert set(instructions_shown(env, range(3))) == {(task.instruction, 1)}
        assert instructions_shown(env, range(1), wording=3) == [(WORDINGS[1], 3)]
    with closing(make(wording=4)) as env:
        assert instructions_shown(env, range(2)) == [(WORDINGS[2], 4)] * 2
    with closing(make(wording="any")) as env:
        first = instructions_shown(env, range(12))
        assert set(first) == {(text, number) for number, text in wordings}
        assert instructions_shown(env, range(12)) == first
        assert instructions_shown(env, range(1), wording=1) == [(task.instruction, 1)]
        assert env.task.worded(1) == task
    with (
        closing(make(wording=5)) as env,
        pytest.raises(TaskError, match="no wording 5: the task has 4"),
    ):
        env.reset()


def test_tasks_with_the_same_seed_have_different_wordings() -> None:
    with closing(PPTArenaDocEnv(suite="all#first-steps", wording="any")) as env:
        ids = [task.id for task in env.tasks[:16]]
        wordings = {env.reset(seed=0, options={"task": id})[1]["wording"] for id in ids}
    assert wordings == {1, 2, 3, 4}


@pytest.mark.parametrize("wording", [0, -1, True, "second", 1.5])
def test_invalid_wording_is_rejected(task: Task, wording: Any) -> None:
    with pytest.raises(ConfigError, match="expected wording to be 'first', 'any' or a number"):
        PPTArenaEnv(task=task, machine="fake", wording=wording)


@pytest.mark.parametrize("kind", [PPTArenaEnv, PPTArenaDocEnv])
def test_reset_options_are_validated(task: Task, kind: Any) -> None:
    machine = {"machine": "fake", "look": "never"} if kind is PPTArenaEnv else {}
    with closing(kind(task=task, wording=2, **machine)) as env:
        wrong: tuple[Any, ...] = (0, True, "second", "2", 1.5, [])
        for wording in wrong:
            with pytest.raises(ConfigError, match="expected wording to be 'first', 'any' or"):
                env.reset(options={"wording": wording})
        with pytest.raises(ConfigError, match="task: expected a Task, its id or its path, got 3"):
            env.reset(options={"task": 3})
        assert env.reset(options={"wording": None, "task": None})[1]["wording"] == 2
        assert env.reset(options={"wording": "first"})[1]["wording"] == 1


def test_later_turns_use_the_same_wording() -> None:
    task = get_task("meridian-second-thoughts")
    with closing(PPTArenaDocEnv(task=task, wording=2)) as env:
        env.reset(seed=0)
        info = env.step({"tool": "done", "arguments": {}})[4]
        assert info["instruction"] == task.turns[0].paraphrases[0]


def test_step_budgets_by_level(task: Task) -> None:
    for level, steps in (("L1", 35), ("L2", 55), ("L3", 100), ("L4", 55)):
        leveled = replace(task, level=level)
        with closing(PPTArenaEnv(task=leveled, machine="fake", budget="level")) as env:
            assert env.config.steps(leveled) == steps
    with closing(PPTArenaEnv(task=task, machine="fake", look="never", budget="level")) as env:
        env.reset(seed=0)
        ended = [env.step(wait())[3] for _ in range(35)]
        assert ended == [False] * 34 + [True]
    with closing(PPTArenaEnv(task=task, machine="fake", budget="level", max_steps=3)) as env:
        assert env.config.steps(task) == 3
    with pytest.raises(ConfigError, match="expected budget to be one of"):
        PPTArenaEnv(task=task, machine="fake", budget="none")
