"""Watching shows everything and changes nothing."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image
from tests.rollouts.live.conftest import Viewer, open_viewer, until

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.vector import PPTArenaVectorEnv
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.live import LiveEnv
from pptarena.rollouts.live.publisher import publisher
from pptarena.rollouts.play import play
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow


def test_a_viewer_sees_the_episode(
    live_env: LiveEnv,
    viewer: Viewer,
    start: Callable[..., Any],
    script: Callable[..., Any],
    solution: Sequence[Action],
) -> None:
    live_env.station.attach("tester")
    live_env.station.control({"what": "pause"})
    wait = start(live_env, script(*solution))
    station = viewer.tile()["station"]
    viewer.send(type="watch", station=station)
    first = viewer.full()
    assert (first["task"], first["step"], first["score"]) == ("first-title-bold", 0, 0.0)
    assert first["instruction"] == "Make the title of the first slide bold."
    assert first["status"]["paused"]
    assert "nodes" not in first
    assert first["node_count"] > 10
    viewer.send(type="watch", station=station, tree=True)
    nodes = viewer.full(lambda state: "nodes" in state)["nodes"]
    assert len(nodes) == first["node_count"]
    assert any(name == "Title 1" for _, _, name, _, _, _ in nodes)
    viewer.control(station, "step")
    viewer.control(station, "step")
    second = viewer.full(lambda state: state["step"] == 2)
    assert second["scores"] == [0.0, 0.0, 1.0]
    assert [row["action"]["kind"] for row in second["actions"]] == ["click", "key"]
    assert second["actions"][0]["target"]["name"] == "Title 1"
    assert second["rubric"]["score"] == 1.0
    viewer.control(station, "resume")
    episode = wait()
    assert viewer.full(lambda state: state["over"])["score"] == 1.0
    shown = np.array(Image.open(BytesIO(viewer.pictures[-1])))
    assert (shown == np.array(Image.open(episode.folder / "final.png"))).all()
    assert episode.meta.help == {}  # pausing is no help


def test_tiles_are_sent_only_to_pages_that_need_them(server: Any, live_env: LiveEnv) -> None:
    """The page that shows an environment in full draws its tile from the complete state."""
    live_env.station.attach("tester")
    live_env.reset(seed=0)
    with open_viewer(server) as viewer:
        station = viewer.tile()["station"]
        viewer.send(type="watch", station=station)
        viewer.full()
        begin = len(viewer.messages)
        for _ in range(3):
            live_env.step(actions.wait(0))
        viewer.full(lambda state: state["step"] == 3)
        assert {each["type"] for each in viewer.messages[begin:]} == {"full"}
        with open_viewer(server) as other:
            other.read(lambda message: message["type"] == "tile" and message["step"] == 3)
            live_env.step(actions.wait(0))
            other.read(lambda message: message["type"] == "tile" and message["step"] == 4)
        viewer.send(type="watch", station=None)
        live_env.step(actions.wait(0))
        viewer.read(lambda message: message["type"] == "tile" and message["step"] == 5)


def test_watching_changes_nothing(
    task: Task,
    env: gym.Env[Any, Any],
    server: Any,
    start: Callable[..., Any],
    script: Callable[..., Any],
    solution: Sequence[Action],
) -> None:
    alone = start(env, script(*solution), "alone")()
    with closing(LiveEnv(env)) as live, open_viewer(server) as viewer:
        wait = start(live, script(*solution), "watched")
        viewer.send(type="watch", station=viewer.tile()["station"])
        watched = wait()
    assert _content(alone) == _content(watched)


def _content(episode: StoredEpisode) -> dict[str, Any]:
    """Return all pixels, trees, decks, scores and actions of an episode."""
    found: dict[str, Any] = {}
    for file in sorted(episode.folder.iterdir()):
        if file.suffix == ".png":
            found[file.name] = np.array(Image.open(file)).tobytes()
        elif file.suffix == ".json" and file.name != "meta.json":
            found[file.name] = json.loads(file.read_text())
    found["steps"] = [
        (step.action, step.aim, step.reward, step.score) for step in read_steps(episode.folder)
    ]
    return found


_ALWAYS = ("meridian-hide-backup", "meridian-retitle-products", "resistance-fix-classes-table")


@pytest.mark.image
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(task.id, marks=() if task.id in _ALWAYS else pytest.mark.nightly)
        for task in list_tasks("starter")
    ],
)
def test_watching_changes_nothing_on_the_sandbox(tmp_path: Path, server: Any, name: str) -> None:
    from pptarena.agents import make_agent
    from pptarena.rollouts.env import make_env

    task = get_task(name)

    def one(env: gym.Env[Any, Any], name: str) -> StoredEpisode:
        place = tmp_path / name
        agent = make_agent("demonstration", [task])
        return play(env, agent, agent_name="demonstration", task=task, seed=0, place=place,
                    failed_place=tmp_path / f"{name}-failed")  # fmt: skip

    with closing(make_env("sandbox")) as env:
        alone = one(env, "alone")
        with closing(LiveEnv(env)) as live, open_viewer(server) as viewer:
            live.reset(seed=0, options={"task": task})
            viewer.send(type="watch", station=viewer.tile()["station"])
            steps_seen: set[int] = set()
            reading = threading.Thread(target=_read_steps, args=(viewer, steps_seen))
            reading.start()
            watched = one(live, "watched")
            reading.join()
    assert watched.meta.score == 1.0
    assert len(steps_seen) > watched.meta.steps / 2  # quick ones may be left out
    assert _content(alone) == _content(watched)


def _read_steps(viewer: Viewer, steps: set[int]) -> None:
    """Note the steps of all complete states up to the end of the episode."""

    def ends(state: dict[str, Any]) -> bool:
        steps.add(state["step"])
        return bool(state["over"])

    viewer.full(ends)


def test_an_environment_that_nobody_watches_sends_nothing(live_env: LiveEnv) -> None:
    live_env.reset(seed=0)
    assert not publisher().is_watched
    assert not any(each.name == "pptarena-live-page" for each in threading.enumerate())


def test_the_socket_goes_with_the_last_environment(live_env: LiveEnv, sockets: Path) -> None:
    assert not list(sockets.iterdir())
    live_env.reset(seed=0)
    assert len(list(sockets.glob("*.sock"))) == 1
    live_env.close()
    assert not list(sockets.iterdir())


def test_a_page_that_connects_while_the_socket_is_made_finds_it(
    live_env: LiveEnv, sockets: Path, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page removes a socket that refuses it, as those of killed processes do."""
    listen = socket.socket.listen
    names: list[str] = []

    def slow_listen(self: socket.socket, backlog: int) -> None:
        names.extend(each.name for each in sockets.glob("*.sock"))
        listen(self, backlog)

    monkeypatch.setattr(socket.socket, "listen", slow_listen)
    live_env.reset(seed=0)
    assert not names
    viewer.tile()
    assert [each.name for each in sockets.iterdir()] == [f"{os.getpid()}.sock"]


def test_a_closed_environment_leaves_the_page(live_env: LiveEnv, viewer: Viewer) -> None:
    live_env.reset(seed=0)
    station = viewer.tile()["station"]
    live_env.close()
    gone = viewer.read(lambda message: message["type"] == "gone")
    assert gone["station"] == station


def test_a_socket_that_a_killed_process_left_is_removed(
    live_env: LiveEnv, viewer: Viewer, sockets: Path
) -> None:
    code = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
    left = sockets / "0.sock"
    subprocess.run([sys.executable, "-c", code, str(left)], check=True)
    until(lambda: not left.exists())
    live_env.reset(seed=0)
    viewer.tile()


def test_a_vector_environment_is_shown(
    viewer: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    options: dict[str, Any] = {"machine": "fake", "width_px": 640, "height_px": 360}
    with closing(PPTArenaVectorEnv(2, env_wrappers=(LiveEnv,), **options)) as envs:
        envs.reset(seed=0)
        stations = {viewer.tile()["station"] for _ in range(2)}
    assert len(stations) == 2


CODE = """
from pptarena.rollouts.live.env import make_live_env
env = make_live_env(machine="fake", width_px=640, height_px=360)
env.reset(seed=0)
input()
env.close()
"""


def test_environments_of_other_processes_are_shown(viewer: Viewer, tmp_path: Path) -> None:
    environ = {**os.environ, "PPTARENA_HOME": str(tmp_path / "home")}
    with subprocess.Popen(
        [sys.executable, "-c", CODE], stdin=subprocess.PIPE, env=environ
    ) as other:
        assert viewer.tile()["station"].startswith(f"{other.pid}-")
        other.communicate(b"\n")
    assert viewer.read(lambda message: message["type"] == "gone")


def test_a_step_keeps_only_a_reference(live_env: LiveEnv) -> None:
    live_env.reset(seed=0)
    observation, *_ = live_env.step(actions.wait(0))
    assert live_env.station.snapshot is not None
    assert live_env.station.snapshot.observation is observation
