"""Episodes on a Ray cluster of three nodes on this computer; ``make test-ray``."""

import os
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.registry import make_agent
from pptarena.errors import ConfigError, HostError, MachineLostError, MachineStartError
from pptarena.rollouts.collect import lock_store
from pptarena.rollouts.env import make_env
from pptarena.rollouts.live.channel import pack, receive
from pptarena.rollouts.live.env import make_live_env
from pptarena.rollouts.ray import RayCluster, collect_on_ray, connected
from pptarena.rollouts.run import Job, plan_jobs
from pptarena.rollouts.store import find_episodes, read_meta
from pptarena.tasks import list_tasks

ray: Any = pytest.importorskip("ray", reason="needs ray: make test-ray")

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

FAKE = partial(make_env, "fake", max_steps=4)


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the sockets of live environments, also in workers that start later."""
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        monkeypatch.setenv("PPTARENA_LIVE", folder)
        yield Path(folder)


@pytest.fixture
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    made = Cluster()
    made.add_node(num_cpus=2)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def jobs(count: int) -> tuple[Job, ...]:
    tasks = list_tasks("starter")
    return plan_jobs(["random"], tasks, -(-count // len(tasks)))[:count]


class _Slow(gym.Wrapper[Any, Any, Any, Any]):
    """Takes its time, so that a node is lost while it plays."""

    def step(self, action: Any) -> Any:
        time.sleep(0.1)
        return self.env.step(action)


def slow() -> gym.Env[Any, Any]:
    return _Slow(FAKE())


def deadly() -> gym.Env[Any, Any]:
    os._exit(9)


def hopeless() -> gym.Env[Any, Any]:
    raise HostError("no desktop here")


def stored(root: Path) -> Counter[tuple[str, int]]:
    metas = [read_meta(folder) for folder in find_episodes(root)]
    assert not any(meta.infra_error for meta in metas)
    return Counter((meta.task, meta.seed) for meta in metas)


def test_a_node_is_lost_and_no_episode(cluster: Any, tmp_path: Path) -> None:
    others = [cluster.add_node(num_cpus=2) for _ in range(2)]
    wanted = jobs(40)
    made = []
    found = RayCluster(address=cluster.address)
    with connected(found), lock_store(tmp_path):
        for job, attempts in collect_on_ray(
            wanted, slow, make_agent, tmp_path, workers=6, cluster=found
        ):
            made.append((job.task.id, job.seed))
            assert attempts[-1].folder.is_dir()
            if len(made) == 10:
                cluster.remove_node(others[0], allow_graceful=False)
    assert len(made) == len(set(made)) == 40
    assert stored(tmp_path) == Counter(dict.fromkeys([(j.task.id, j.seed) for j in wanted], 1))


def states(connection: socket.socket) -> Iterator[dict[str, Any]]:
    """Yield the states that a worker sends to a live page."""
    while (message := receive(connection)) is not None:
        if message["type"] == "tile":
            yield message


def test_a_person_helps_in_the_episode_of_a_worker(
    sockets: Path, cluster: Any, tmp_path: Path
) -> None:
    """Workers on this computer offer the page the same controls as local ones."""
    found = RayCluster(address=cluster.address)
    live = partial(make_live_env, machine="fake", max_steps=100_000)

    def run() -> None:
        with connected(found), lock_store(tmp_path):
            list(collect_on_ray(jobs(1), live, make_agent, tmp_path, cluster=found))

    running = threading.Thread(target=run)
    running.start()
    while not (listening := list(sockets.glob("*.sock"))):
        time.sleep(0.05)
    with socket.socket(socket.AF_UNIX) as page:
        page.connect(str(listening[0]))
        shown = states(page)
        station = next(each for each in shown if each["status"]["controlled"])["station"]

        def control(what: str, **more: Any) -> None:
            page.sendall(pack({"type": "control", "station": station, "what": what, **more}))

        control("pause")
        next(each for each in shown if each["status"]["paused"])
        control("take")
        control("input", event={"kind": "key", "keys": "Escape"})
        next(each for each in shown if each["status"]["help"].get("human_steps"))
        control("hand_back")
        control("stop")
        running.join()
    (meta,) = (read_meta(folder) for folder in find_episodes(tmp_path))
    assert (meta.help["interventions"], meta.help["human_steps"]) == (2, 1)
    assert "a person stopped" in str(meta.agent_error)


def test_a_second_call_makes_the_rest(cluster: Any, tmp_path: Path) -> None:
    found = RayCluster(address=cluster.address)
    with connected(found), lock_store(tmp_path):
        first = collect_on_ray(jobs(8), FAKE, make_agent, tmp_path, workers=2, cluster=found)
        for _ in range(3):
            next(first)
        first.close()
        before = {folder: folder.stat().st_mtime_ns for folder in find_episodes(tmp_path)}
        assert len(before) == 3
        again = list(collect_on_ray(jobs(8), FAKE, make_agent, tmp_path, workers=2, cluster=found))
    assert len(again) == 8
    assert max(stored(tmp_path).values()) == 1
    assert all(folder.stat().st_mtime_ns == when for folder, when in before.items())


def test_errors_of_a_node_arrive_as_they_are(cluster: Any, tmp_path: Path) -> None:
    found = RayCluster(address=cluster.address)
    with connected(found), pytest.raises(HostError, match="no desktop here"):
        list(collect_on_ray(jobs(2), hopeless, make_agent, tmp_path, cluster=found))
    assert list(find_episodes(tmp_path)) == []


def test_players_that_die_each_time_are_given_up(cluster: Any, tmp_path: Path) -> None:
    found = RayCluster(address=cluster.address)
    with connected(found), pytest.raises(MachineLostError, match="lost 2 times each"):
        list(collect_on_ray(jobs(1), deadly, make_agent, tmp_path, 1, 1, found))
    assert list(find_episodes(tmp_path)) == []


def test_no_room_is_said(cluster: Any, tmp_path: Path) -> None:
    found = RayCluster(address=cluster.address, cpus=64, start_timeout_sec=3)
    with connected(found), pytest.raises(MachineStartError, match="one takes 64 cores"):
        list(collect_on_ray(jobs(1), FAKE, make_agent, tmp_path, cluster=found))


def own_image() -> str:
    return f"image of process {os.getpid()}"


def test_another_image_is_refused(cluster: Any, tmp_path: Path) -> None:
    found = RayCluster(address=cluster.address)
    with connected(found), pytest.raises(ConfigError, match=f"image of process {os.getpid()}, as"):
        list(collect_on_ray(jobs(1), FAKE, make_agent, tmp_path, 1, 0, found, own_image))


def test_no_cluster_is_said() -> None:
    with pytest.raises(ConfigError, match="ray start --head"), connected(RayCluster("auto")):
        pass
