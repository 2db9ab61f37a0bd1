"""Classification of how episodes ended, and its table."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.errors import AgentError
from pptarena.rewards import load_scope
from pptarena.rollouts.endings import Ending, ending_of, ending_rows, endings_table
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.imported_decks import DeckImporter
from pptarena.tasks import Task, get_task

DONE, WAIT = actions.done(), actions.wait()
CLICK = actions.click(xy=(0.001, 0.999))  # in a corner without an element
TYPED = (
    actions.key("F2"), actions.key("ctrl+a"), actions.type_text("Other"), actions.key("Escape"),
)  # fmt: skip

Play = Callable[..., Ending]


@pytest.fixture
def stored(
    env: gym.Env[Any, Any], script: Callable[..., Any], tmp_path: Path
) -> Callable[..., StoredEpisode]:
    def play_steps(task: Task, *steps: actions.Action, name: str = "scripted") -> StoredEpisode:
        agent = script(*steps) if steps else Quitter()
        return play_into(tmp_path / "run" / name / task.id / "seed-0", env, agent, task, name)

    return play_steps


class Quitter:
    """An agent that gives up."""

    def reset(self, info: Any, seed: int) -> None: ...

    def act(self, observation: Any, info: Any) -> Any:
        raise AgentError("I cannot go on")


@pytest.fixture
def ended(stored: Callable[..., StoredEpisode]) -> Play:
    def play_to_ending(task: Task, *steps: actions.Action) -> Ending:
        ending = ending_of(stored(task, *steps), lambda id, place: task)
        assert ending is not None
        return ending

    return play_to_ending


def click_on(env: gym.Env[Any, Any], task: Task, name: str) -> actions.Action:
    _, info = env.reset(options={"task": task})
    node = next(node for node in info["a11y"]["nodes"] if node["name"] == name)
    return actions.click(element=node["element"])


@pytest.mark.slow
def test_finished_episode_is_solved_or_done_too_early(
    ended: Play, task: Task, solution: Any, env: gym.Env[Any, Any]
) -> None:
    ending = ended(task, *solution)
    assert (ending.ending, ending.cause, ending.refused, ending.repeats) == ("solved", "", 0, 0)
    gold = env.unwrapped.machine.save(commit_edit=True)  # type: ignore[attr-defined]
    other = replace(task, id="another", gold=gold)
    nothing = ended(other, DONE)
    assert (nothing.ending, nothing.cause) == ("done too early", "no change")
    assert nothing.reason
    elsewhere = ended(
        replace(other, id="elsewhere"), click_on(env, task, "Content Placeholder 2"), *TYPED, DONE
    )
    assert (elsewhere.ending, elsewhere.cause) == ("done too early", "target missed")
    wrong = ended(replace(other, id="wrong"), click_on(env, task, "Title 1"), *TYPED, DONE)
    assert (wrong.ending, wrong.cause) == ("done too early", "plan wrong")


@pytest.mark.slow
def test_giving_up_solves_only_infeasible_tasks(ended: Play, task: Task) -> None:
    impossible = replace(task, feasible=False, scope=load_scope({}))
    assert ended(task, actions.fail()).ending == "gave up"
    assert ended(replace(impossible, id="right"), actions.fail()).ending == "solved"
    assert ended(replace(impossible, id="wrong"), DONE).ending == "not declared"


def test_agent_error_is_a_crash(ended: Play, task: Task) -> None:
    ending = ended(task)
    assert (ending.ending, ending.cause, ending.reason) == ("crash", "", "I cannot go on")


@pytest.mark.slow
def test_repeated_actions_without_effect_are_a_loop(ended: Play, task: Task) -> None:
    ending = ended(task, CLICK)  # repeated until the budget ends
    assert (ending.ending, ending.cause) == ("loop", "target missed")
    assert (ending.repeats, ending.without_effect) == (5, 6)
    assert ended(replace(task, id="waiting"), WAIT).repeats == 0


def test_actions_with_effect_are_not_a_loop(
    ended: Play, task: Task, env: gym.Env[Any, Any]
) -> None:
    select = click_on(env, task, "Title 1")
    typed = [actions.type_text(character) for character in "abcd"]
    ending = ended(task, select, actions.key("F2"), *typed)
    assert (ending.ending, ending.repeats) == ("budget", 0)
    refused = ended(replace(task, id="refused"), actions.click(element=250))
    assert (refused.refused, refused.cause) == (6, "target missed")


def test_lost_unscored_and_unreadable_episodes(
    stored: Callable[..., StoredEpisode], task: Task
) -> None:
    episode = stored(task, DONE)
    lost = replace(episode, meta=replace(episode.meta, infra_error="lost"))
    assert ending_of(lost) is None
    unscored = replace(episode, meta=replace(episode.meta, score=None))
    assert ending_of(unscored, lambda id, place: task).ending == "unscored"  # type: ignore[union-attr]
    (episode.folder / "traj.jsonl").write_text("no JSON")
    (episode.folder / "final.pptx").unlink()
    (episode.folder / "rubric.json").unlink()
    ending = ending_of(episode, lambda id, place: task)
    assert ending == Ending(
        ending="done too early", cause="plan wrong", repeats=0, without_effect=0, refused=0,
        reason="",
    )  # fmt: skip


def test_missing_result_is_no_result(task: Task, tmp_path: Path) -> None:
    episode = DeckImporter(tmp_path / "run", "product").store_missing(task)
    ending = ending_of(episode, lambda id, place: task)
    assert ending is not None
    assert (ending.ending, ending.cause) == ("no result", "")


def test_repeated_document_calls_are_a_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    task = get_task("meridian-hide-backup")

    class Reader:
        def reset(self, info: Any, seed: int) -> None: ...

        def act(self, observation: Any, info: Any) -> Any:
            return {"tool": "no_such_tool", "arguments": "{}"}

    env = make_document_env(max_steps=8)
    episode = play_into(tmp_path / "run/reader/task/seed-0", env, Reader(), task)
    env.close()
    ending = ending_of(episode)
    assert ending is not None
    assert (ending.ending, ending.cause, ending.refused) == ("loop", "target missed", 8)


@pytest.mark.slow
def test_table_has_a_row_for_each_agent(
    stored: Callable[..., StoredEpisode], task: Task, solution: Any
) -> None:
    other = replace(task, id="another")
    episodes = [stored(task, *solution), stored(other, CLICK), stored(other, name="broken")]
    rows = ending_rows(
        (each.meta.agent, each.meta.steps, ending)
        for each in episodes
        if (ending := ending_of(each, lambda id, place: other)) is not None
    )
    first, second = rows
    assert (first.agent, first.episodes, first.steps) == ("scripted", 2, 9)
    assert (first.endings["solved"], first.endings["loop"]) == (1, 1)
    assert first.causes["target missed"] == 1
    assert second.endings["crash"] == 1
    headers = [column.header for column in endings_table(rows).columns]
    assert headers == [
        "agent", "episodes", "solved", "out of steps in a loop", "crash", "target missed",
        "repeated actions", "actions without effect",
    ]  # fmt: skip
