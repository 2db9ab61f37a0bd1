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
    """A folder for the sockets of live environments, set for new workers too."""
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        monkeypatch.setenv("PPTARENA_LIVE", folder)
        yield Path(folder)


@pytest.fixture
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    cluster.add_node(num_cpus=2)
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def jobs(count: int) -> tuple[Job, ...]:
    tasks = list_tasks("starter")
    return plan_jobs(["random"], tasks, -(-count // len(tasks)))[:count]


class _SlowEnv(gym.Wrapper[Any, Any, Any, Any]):
    """Steps slowly, so that a node can be lost during an episode."""

    def step(self, action: Any) -> Any:
        time.sleep(0.1)
        return self.env.step(action)


def slow_env() -> gym.Env[Any, Any]:
    return _SlowEnv(FAKE())


def crashing_env() -> gym.Env[Any, Any]:
    os._exit(9)


def failing_env() -> gym.Env[Any, Any]:
    raise HostError("no desktop here")


def count_stored(root: Path) -> Counter[tuple[str, int]]:
    metas = [read_meta(folder) for folder in find_episodes(root)]
    assert not any(meta.infra_error for meta in metas)
    return Counter((meta.task, meta.seed) for meta in metas)


def test_lost_node_loses_no_episode(cluster: Any, tmp_path: Path) -> None:
    nodes = [cluster.add_node(num_cpus=2) for _ in range(2)]
    requested = jobs(40)
    finished = []
    ray_cluster = RayCluster(address=cluster.address)
    with connected(ray_cluster), lock_store(tmp_path):
        for job, attempts in collect_on_ray(
            requested, slow_env, make_agent, tmp_path, workers=6, cluster=ray_cluster
        ):
            finished.append((job.task.id, job.seed))
            assert attempts[-1].folder.is_dir()
            if len(finished) == 10:
                cluster.remove_node(nodes[0], allow_graceful=False)
    assert len(finished) == len(set(finished)) == 40
    assert count_stored(tmp_path) == Counter(
        dict.fromkeys([(j.task.id, j.seed) for j in requested], 1)
    )


def states(ray_cluster: socket.socket) -> Iterator[dict[str, Any]]:
    """Yield the states that a worker sends to a live page."""
    while (message := receive(ray_cluster)) is not None:
        if message["type"] == "tile":
            yield message


def test_person_helps_in_the_episode_of_a_worker(
    sockets: Path, cluster: Any, tmp_path: Path
) -> None:
    """Workers on this computer offer the same controls as local environments."""
    ray_cluster = RayCluster(address=cluster.address)
    live = partial(make_live_env, machine="fake", max_steps=100_000)

    def run() -> None:
        with connected(ray_cluster), lock_store(tmp_path):
            list(collect_on_ray(jobs(1), live, make_agent, tmp_path, cluster=ray_cluster))

    runner = threading.Thread(target=run)
    runner.start()
    while not (listening := list(sockets.glob("*.sock"))):
        time.sleep(0.05)
    with socket.socket(socket.AF_UNIX) as page:
        page.connect(str(listening[0]))
        tiles = states(page)
        station = next(each for each in tiles if each["status"]["controlled"])["station"]

        def control(action: str, **more: Any) -> None:
            page.sendall(pack({"type": "control", "station": station, "what": action, **more}))

        control("pause")
        next(each for each in tiles if each["status"]["paused"])
        control("take")
        control("input", event={"kind": "key", "keys": "Escape"})
        next(each for each in tiles if each["status"]["help"].get("human_steps"))
        control("hand_back")
        control("stop")
        runner.join()
    (meta,) = (read_meta(folder) for folder in find_episodes(tmp_path))
    assert (meta.help["interventions"], meta.help["human_steps"]) == (2, 1)
    assert "a person stopped" in str(meta.agent_error)


def test_second_call_completes_the_run(cluster: Any, tmp_path: Path) -> None:
    ray_cluster = RayCluster(address=cluster.address)
    with connected(ray_cluster), lock_store(tmp_path):
        first = collect_on_ray(jobs(8), FAKE, make_agent, tmp_path, workers=2, cluster=ray_cluster)
        for _ in range(3):
            next(first)
        first.close()
        before = {folder: folder.stat().st_mtime_ns for folder in find_episodes(tmp_path)}
        assert len(before) == 3
        results = list(
            collect_on_ray(jobs(8), FAKE, make_agent, tmp_path, workers=2, cluster=ray_cluster)
        )
    assert len(results) == 8
    assert max(count_stored(tmp_path).values()) == 1
    assert all(folder.stat().st_mtime_ns == modified for folder, modified in before.items())


def test_errors_of_a_node_are_raised_unchanged(cluster: Any, tmp_path: Path) -> None:
    ray_cluster = RayCluster(address=cluster.address)
    with connected(ray_cluster), pytest.raises(HostError, match="no desktop here"):
        list(collect_on_ray(jobs(2), failing_env, make_agent, tmp_path, cluster=ray_cluster))
    assert list(find_episodes(tmp_path)) == []


def test_crashing_workers_are_given_up(cluster: Any, tmp_path: Path) -> None:
    ray_cluster = RayCluster(address=cluster.address)
    with connected(ray_cluster), pytest.raises(MachineLostError, match="lost 2 times each"):
        list(collect_on_ray(jobs(1), crashing_env, make_agent, tmp_path, 1, 1, ray_cluster))
    assert list(find_episodes(tmp_path)) == []


def test_insufficient_cores_are_reported(cluster: Any, tmp_path: Path) -> None:
    ray_cluster = RayCluster(address=cluster.address, cpus=64, start_timeout_sec=3)
    with connected(ray_cluster), pytest.raises(MachineStartError, match="each requires 64 cores"):
        list(collect_on_ray(jobs(1), FAKE, make_agent, tmp_path, cluster=ray_cluster))


def own_image() -> str:
    return f"image of process {os.getpid()}"


def test_other_image_is_rejected(cluster: Any, tmp_path: Path) -> None:
    ray_cluster = RayCluster(address=cluster.address)
    with (
        connected(ray_cluster),
        pytest.raises(ConfigError, match=f"image of process {os.getpid()}, as"),
    ):
        list(collect_on_ray(jobs(1), FAKE, make_agent, tmp_path, 1, 0, ray_cluster, own_image))


def test_missing_cluster_is_reported() -> None:
    with pytest.raises(ConfigError, match="ray start --head"), connected(RayCluster("auto")):
        pass
