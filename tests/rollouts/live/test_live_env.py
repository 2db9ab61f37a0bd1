"""Watching shows the entire episode and changes nothing."""

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
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.vector import PPTArenaVectorEnv
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.live import LiveEnv
from pptarena.rollouts.live.publisher import publisher
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow


def test_viewer_receives_the_episode(
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
    image = np.array(Image.open(BytesIO(viewer.images[-1])))
    assert (image == np.array(Image.open(episode.folder / "final.png"))).all()
    assert episode.meta.help == {}  # pausing does not count as help


def test_tiles_are_sent_only_without_complete_states(server: Any, live_env: LiveEnv) -> None:
    """A page with the complete state draws the tile from it."""
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
    unwatched = start(env, script(*solution), "unwatched")()
    with closing(LiveEnv(env)) as live, open_viewer(server) as viewer:
        wait = start(live, script(*solution), "watched")
        viewer.send(type="watch", station=viewer.tile()["station"])
        watched = wait()
    assert _content(unwatched) == _content(watched)


def _content(episode: StoredEpisode) -> dict[str, Any]:
    """Return all pixels, trees, decks, scores and actions of an episode."""
    content: dict[str, Any] = {}
    for file in sorted(episode.folder.iterdir()):
        if file.suffix == ".png":
            content[file.name] = np.array(Image.open(file)).tobytes()
        elif file.suffix == ".json" and file.name != "meta.json":
            content[file.name] = json.loads(file.read_text())
    content["steps"] = [
        (step.action, step.aim, step.reward, step.score) for step in read_steps(episode.folder)
    ]
    return content


_DAILY = ("meridian-hide-backup", "meridian-retitle-products", "resistance-fix-classes-table")


@pytest.mark.image
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(task.id, marks=() if task.id in _DAILY else pytest.mark.nightly)
        for task in list_tasks("starter")
    ],
)
def test_watching_changes_nothing_on_the_sandbox(tmp_path: Path, server: Any, name: str) -> None:
    from pptarena.agents import make_agent
    from pptarena.rollouts.env import make_env

    task = get_task(name)

    def play_demonstration(env: gym.Env[Any, Any], name: str) -> StoredEpisode:
        return play_into(tmp_path / name, env, make_agent("demonstration", [task]), task)

    with closing(make_env("sandbox")) as env:
        unwatched = play_demonstration(env, "unwatched")
        with closing(LiveEnv(env)) as live, open_viewer(server) as viewer:
            live.reset(seed=0, options={"task": task})
            viewer.send(type="watch", station=viewer.tile()["station"])
            steps: set[int] = set()
            reader = threading.Thread(target=_read_steps, args=(viewer, steps))
            reader.start()
            watched = play_demonstration(live, "watched")
            reader.join()
    assert watched.meta.score == 1.0
    assert len(steps) > watched.meta.steps / 2  # fast steps may be skipped
    assert _content(unwatched) == _content(watched)


def _read_steps(viewer: Viewer, steps: set[int]) -> None:
    """Add the steps of all complete states until the end of the episode."""

    def is_last(state: dict[str, Any]) -> bool:
        steps.add(state["step"])
        return bool(state["over"])

    viewer.full(is_last)


def test_unwatched_environment_sends_nothing(live_env: LiveEnv) -> None:
    live_env.reset(seed=0)
    assert not publisher().is_watched
    assert not any(each.name == "pptarena-live-page" for each in threading.enumerate())


def test_socket_is_removed_with_the_last_environment(live_env: LiveEnv, sockets: Path) -> None:
    assert not list(sockets.iterdir())
    live_env.reset(seed=0)
    assert len(list(sockets.glob("*.sock"))) == 1
    live_env.close()
    assert not list(sockets.iterdir())


def test_socket_appears_after_it_listens(
    live_env: LiveEnv, sockets: Path, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages remove sockets that refuse a connection, like those of killed processes."""
    listen = socket.socket.listen
    names: list[str] = []

    def record_and_listen(self: socket.socket, backlog: int) -> None:
        names.extend(each.name for each in sockets.glob("*.sock"))
        listen(self, backlog)

    monkeypatch.setattr(socket.socket, "listen", record_and_listen)
    live_env.reset(seed=0)
    assert not names
    viewer.tile()
    assert [each.name for each in sockets.iterdir()] == [f"{os.getpid()}.sock"]


def test_closed_environment_disappears_from_the_page(live_env: LiveEnv, viewer: Viewer) -> None:
    live_env.reset(seed=0)
    station = viewer.tile()["station"]
    live_env.close()
    message = viewer.read(lambda message: message["type"] == "gone")
    assert message["station"] == station


def test_socket_of_a_killed_process_is_removed(
    live_env: LiveEnv, viewer: Viewer, sockets: Path
) -> None:
    code = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
    stale = sockets / "0.sock"
    subprocess.run([sys.executable, "-c", code, str(stale)], check=True)
    until(lambda: not stale.exists())
    live_env.reset(seed=0)
    viewer.tile()


def test_vector_environments_are_shown(
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


def test_environment_of_another_process_is_shown(viewer: Viewer, tmp_path: Path) -> None:
    environ = {**os.environ, "PPTARENA_HOME": str(tmp_path / "home")}
    with subprocess.Popen(
        [sys.executable, "-c", CODE], stdin=subprocess.PIPE, env=environ
    ) as other:
        assert viewer.tile()["station"].startswith(f"{other.pid}-")
        other.communicate(b"\n")
    assert viewer.read(lambda message: message["type"] == "gone")


def test_snapshot_references_the_observation(live_env: LiveEnv) -> None:
    live_env.reset(seed=0)
    observation, *_ = live_env.step(actions.wait(0))
    assert live_env.station.snapshot is not None
    assert live_env.station.snapshot.observation is observation
