"""Corrections are exported with what the person saw and what the agent had proposed."""

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.envs import actions
from pptarena.envs.action import Action
from pptarena.envs.document import ToolCall
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.exporters import episodes_of, why_no_correction
from pptarena.rollouts.exporters.dagger import export_dagger
from pptarena.rollouts.play import play
from pptarena.tasks import Task, get_task
from pptarena.wrappers import ConfirmRisky


class Shared:
    """Plays actions of an agent and of a person; a bool says whether it is the person's."""

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


def test_a_correction_has_observation_label_and_proposal(
    env: gym.Env[Any, Any], task: Task, solution: tuple[Action, ...], tmp_path: Path
) -> None:
    click, bold, done = solution
    agent = Shared(
        (False, actions.wait(0)),
        (False, actions.key("ctrl+w")),  # refused
        (True, click),
        (True, bold),
        (False, done),
    )
    place = tmp_path / "run" / "tester" / "seed-0"
    play(ConfirmRisky(env, refuse), agent, agent_name="tester", task=task, seed=0, place=place,
         failed_place=tmp_path / "failed")  # fmt: skip
    first, second = rows(tmp_path / "run", tmp_path / "out")
    assert first["label"]["kind"] == "click"
    assert first["label"]["element"] == click.element
    assert [each["keys"] for each in first["proposed"]] == ["ctrl+w"]
    assert first["history"] == ["Wait."]
    assert "Title 1" in [each["name"] for each in first["elements"]]
    picture = (tmp_path / "out" / first["image"]).read_bytes()
    assert picture == (place / "step_002.png").read_bytes()
    assert (second["label"]["keys"], second["proposed"]) == ("ctrl+b", [])
    assert second["history"] == ["Wait.", "Click the panel 'Title 1'."]
    assert (second["score_before"], second["score_after"]) == (0.0, 1.0)


def test_corrections_on_a_document(tmp_path: Path) -> None:
    agent = Shared(
        (False, ToolCall.of("delete_slide", slide=272)),  # refused
        (True, ToolCall.of("hide_slide", slide=272)),
        (False, ToolCall.of("done")),
    )
    with closing(ConfirmRisky(make_document_env(), refuse)) as env:
        play(
            env,
            agent,
            agent_name="tester",
            task=get_task("meridian-hide-backup"),
            seed=0,
            place=tmp_path / "run" / "e",
            failed_place=tmp_path / "f",
        )
    (row,) = rows(tmp_path / "run", tmp_path / "out")
    assert row["label"] == {"tool": "hide_slide", "arguments": {"slide": 272}}
    assert row["proposed"] == [{"tool": "delete_slide", "arguments": {"slide": 272}}]
    assert "slide 17, id 272" in row["outline"]


@pytest.mark.parametrize(
    ("by_person", "helped", "reason"),
    [(True, False, "nobody helped"), (False, True, "no person took over"), (True, True, "")],
)
def test_episodes_without_corrections_are_named(
    env: gym.Env[Any, Any],
    task: Task,
    tmp_path: Path,
    by_person: bool,
    helped: bool,
    reason: str,
) -> None:
    agent = Shared((by_person, actions.done()))
    play(env, agent, agent_name="a", task=task, seed=0, place=tmp_path / "run" / "e",
           failed_place=tmp_path / "f")  # fmt: skip
    (episode,) = episodes_of(tmp_path / "run")
    if helped:
        episode = replace(episode, meta=replace(episode.meta, help={"hints": 1}))
    found = why_no_correction(episode)
    assert reason in found
    assert bool(found) == bool(reason)
