"""A person plays a task with mouse and keyboard in a browser."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.rollouts.live.conftest import Viewer
from tests.rollouts.live.test_control import center_of

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.rollouts.env import make_env
from pptarena.rollouts.live import LiveEnv, Person
from pptarena.rollouts.replay import replay_episode
from pptarena.rollouts.solutions import write_solution
from pptarena.rollouts.store import read_steps
from pptarena.rollouts.task_check import check_task
from pptarena.tasks import Task, get_task

pytestmark = pytest.mark.slow


def test_episode_of_a_person_is_stored(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], task: Task
) -> None:
    wait = start(live_env, Person("P7"), "human")
    station = viewer.tile()["station"]
    viewer.send(type="watch", station=station, tree=True)
    title = center_of(viewer.full(), "Title 1")
    for event in (
        {"kind": "click", "xy": title},
        {"kind": "key", "keys": "ctrl+b"},
        {"kind": "done", "difficulty": 2, "note": "Easy."},
    ):
        viewer.control(station, "input", event=event)
    episode = wait()
    assert (episode.meta.score, episode.meta.end) == (1.0, "done")
    assert episode.meta.help == {}
    assert [step.by for step in read_steps(episode.folder)] == ["person"] * 3
    assert all(step.timing["agent"] >= 0 for step in read_steps(episode.folder))
    record = json.loads((episode.folder / "person.json").read_text())
    assert record["seconds"] > 0
    assert {name: record[name] for name in ("who", "difficulty", "note")} == {
        "who": "P7", "difficulty": 2, "note": "Easy."
    }  # fmt: skip
    assert replay_episode(live_env, episode.folder, lambda _: task).identical


@pytest.mark.parametrize("difficulty", [None, 0, 6, "2", True, 2.5])
def test_invalid_rating_is_stored_as_none(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any], difficulty: Any
) -> None:
    wait = start(live_env, Person(), "human")
    station = viewer.tile()["station"]
    event = {"kind": "done", "difficulty": difficulty, "note": 5}
    viewer.control(station, "input", event=event)
    record = json.loads((wait().folder / "person.json").read_text())
    assert (record["difficulty"], record["note"]) == (None, "")


def test_person_needs_a_live_environment(env: Any, start: Callable[..., Any]) -> None:
    assert "LiveEnv" in str(start(env, Person(), "human")().meta.agent_error)


@pytest.mark.browser
def test_person_solves_a_task_in_a_browser(
    live_env: LiveEnv, server: Any, browser: Any, start: Callable[..., Any], task: Task
) -> None:
    """Uses real mouse and keyboard events only."""
    wait = start(live_env, Person(), "human", task=replace(task, max_steps=50))
    browser.open(server.url + "#follow")
    browser.until("document.querySelector('#stage').classList.contains('held')")
    browser.click(browser.center("#show-marks"))
    nodes = browser.until("full && full.nodes")
    left, top, width, height = next(row[4] for row in nodes if row[2] == "Title 1")
    title = ((left + width / 2) / 640, (top + height / 2) / 360)
    browser.click(browser.screen_point(*title))
    browser.until("full.step == 1")
    browser.key("b", "KeyB", 66, modifiers=2)
    browser.until("full.step == 2 && full.score == 1")
    # The marks are still shown.
    browser.until("document.querySelectorAll('.mark-number').length > 5")
    browser.click(browser.screen_point(*title), count=2)
    browser.until("full.step == 3")
    browser.click(browser.screen_point(0.9, 0.9), button="right")
    browser.until("full.step == 4")
    browser.mouse("mouseWheel", browser.screen_point(0.5, 0.5), deltaX=0, deltaY=240)
    browser.until("full.step == 5")
    start_point, end_point = browser.screen_point(0.5, 0.5), browser.screen_point(0.6, 0.5)
    browser.mouse("mousePressed", start_point, button="left", clickCount=1)
    browser.mouse("mouseMoved", end_point, button="left")
    browser.mouse("mouseReleased", end_point, button="left", clickCount=1)
    browser.until("full.step == 6")
    browser.key("Escape", "Escape", 27)
    browser.until("full.step == 7")
    browser.value("document.querySelector('#difficulty').value = '3'")
    browser.click(browser.center("#done"))
    episode = wait()
    actions = [step.action.to_json() for step in read_steps(episode.folder)]
    assert [each["kind"] for each in actions] == [
        *("click", "key", "double_click", "right_click", "scroll", "drag", "key", "done")
    ]
    assert actions[1]["keys"] == "ctrl+b"
    assert actions[4]["amount"] == 2
    assert actions[6]["keys"] == "Escape"
    assert json.loads((episode.folder / "person.json").read_text())["difficulty"] == 3


def _point_of(browser: Any, role: str, name: str) -> tuple[float, float]:
    """Return the point of a screen element on the page."""
    node = browser.until(
        f"full.nodes && full.nodes.find((node) => node[5] && node[1] === {json.dumps(role)}"
        f" && node[2] === {json.dumps(name)})"
    )
    left, top, width, height = node[4]
    screen = browser.value("full.screen")
    x, y = (left + width / 2) / screen[0], (top + height / 2) / screen[1]
    across, down = browser.screen_point(x, y)
    return float(across), float(down)


@pytest.mark.image
@pytest.mark.browser
def test_person_solves_a_benchmark_task_on_the_sandbox(
    server: Any, browser: Any, start: Callable[..., Any], tmp_path: Path
) -> None:
    """Hides the last slide by its menu, with real mouse and keyboard events."""
    task = get_task("meridian-hide-backup")
    with closing(LiveEnv(make_env("sandbox", max_steps=60))) as env:
        wait = start(env, Person(), "human", task=task)
        browser.open(server.url + "#follow", width=1600, height=1000)
        browser.until("document.querySelector('#stage').classList.contains('held')")
        browser.click(browser.center("#show-marks"))
        browser.click(_point_of(browser, "panel", "Agenda"))
        browser.until("full.step == 1")
        browser.key("End", "End", 35)
        browser.until("full.step == 2")
        browser.click(_point_of(browser, "menu", "Slide"))
        browser.until("full.step == 3")
        browser.click(_point_of(browser, "menu item", "Hide Slide"))
        browser.until("full.step == 4 && full.score == 1")
        browser.click(browser.center("#done"))
        episode = wait()
        assert episode.meta.score == 1.0
        targets = [step.aim.target for step in read_steps(episode.folder)]
        # Menus are addressed by their element, the slide by a point.
        assert [each["name"] for each in targets if each] == ["Slide", "Hide Slide"]
    with closing(make_env("sandbox", max_steps=60)) as env:
        replay = replay_episode(env, episode.folder)
        assert replay.identical
        assert replay.score == 1.0
        solved = get_task(write_solution(task, episode.folder, tmp_path / "solved").parent)
        check = check_task(env, solved, DemonstrationAgent(lambda _: solved))
    assert check.ok, check.to_json()
