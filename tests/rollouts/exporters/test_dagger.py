"""Corrections are exported with the observation and the agent's proposals."""

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.envs.action import Action
from pptarena.envs.document import ToolCall
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.exporters import episodes_of
from pptarena.rollouts.exporters.dagger import export_dagger, why_no_correction
from pptarena.tasks import Task, get_task
from pptarena.wrappers import ConfirmRisky


class SharedControl:
    """Plays pairs of (action of a person?, action)."""

    def __init__(self, *script: tuple[bool, Any]) -> None:
        self._script = list(script)
        self.actor = "agent"

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        pass

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        by_person, action = self._script.pop(0)
        self.actor = "person" if by_person else "agent"
        return action


def refuse(task: Task, question: str) -> bool:
    return False


def rows(root: Path, out: Path) -> list[dict[str, Any]]:
    file = export_dagger(episodes_of(root), out)
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_correction_has_observation_label_and_proposals(
    env: gym.Env[Any, Any], task: Task, solution: tuple[Action, ...], tmp_path: Path
) -> None:
    click, bold, done = solution
    agent = SharedControl(
        (False, actions.wait(0)),
        (False, actions.key("ctrl+w")),  # refused
        (True, click),
        (True, bold),
        (False, done),
    )
    episode = play_into(tmp_path / "run/tester/seed-0", ConfirmRisky(env, refuse), agent, task)
    first, second = rows(tmp_path / "run", tmp_path / "out")
    assert first["label"]["kind"] == "click"
    assert first["label"]["element"] == click.element
    assert [each["keys"] for each in first["proposed"]] == ["ctrl+w"]
    assert first["history"] == ["Wait."]
    assert "Title 1" in [each["name"] for each in first["elements"]]
    image = (tmp_path / "out" / first["image"]).read_bytes()
    assert image == (episode.folder / "step_002.png").read_bytes()
    assert (second["label"]["keys"], second["proposed"]) == ("ctrl+b", [])
    assert second["history"] == ["Wait.", "Click the panel 'Title 1'."]
    assert (second["score_before"], second["score_after"]) == (0.0, 1.0)


def test_correction_on_a_document_has_outline_and_calls(tmp_path: Path) -> None:
    agent = SharedControl(
        (False, ToolCall.of("delete_slide", slide=272)),  # refused
        (True, ToolCall.of("hide_slide", slide=272)),
        (False, ToolCall.of("done")),
    )
    with closing(ConfirmRisky(make_document_env(), refuse)) as env:
        play_into(tmp_path / "run/episode", env, agent, get_task("meridian-hide-backup"))
    (row,) = rows(tmp_path / "run", tmp_path / "out")
    assert row["label"] == {"tool": "hide_slide", "arguments": {"slide": 272}}
    assert row["proposed"] == [{"tool": "delete_slide", "arguments": {"slide": 272}}]
    assert "slide 17, id 272" in row["outline"]


@pytest.mark.parametrize(
    ("by_person", "helped", "reason"),
    [(True, False, "nobody helped"), (False, True, "no person took over"), (True, True, "")],
)
def test_episode_without_corrections_has_a_reason(
    env: gym.Env[Any, Any],
    task: Task,
    tmp_path: Path,
    by_person: bool,
    helped: bool,
    reason: str,
) -> None:
    play_into(tmp_path / "run/episode", env, SharedControl((by_person, actions.done())), task)
    (episode,) = episodes_of(tmp_path / "run")
    if helped:
        episode = replace(episode, meta=replace(episode.meta, help={"hints": 1}))
    message = why_no_correction(episode)
    assert reason in message
    assert bool(message) == bool(reason)
