"""Run episodes on the machines of a Ray cluster (https://docs.ray.io, the extra ``ray``).

Each actor runs on one machine, one episode at a time, and writes into a local folder. Complete
episodes are sent to the driver, and only the driver writes the store. Nothing needs to be shared
except the files of tasks that are not packaged. If the process or node of an actor is lost, another
actor runs its episode: an episode is stored once or not at all. At most one episode per machine is
in transit, so a slow driver throttles the actors.
"""

import tempfile
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym

import pptarena
from pptarena.agents.base import Agent
from pptarena.errors import ConfigError, MachineLostError, MachineStartError, missing_package
from pptarena.rollouts.collect import finished_jobs
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.episode_transfer import PackedEpisode, pack_episode, unpack_episode
from pptarena.rollouts.run import INFRA_RETRIES, Job, run_job
from pptarena.rollouts.store import episode_path, read_meta

__all__ = ["RayCluster", "collect_on_ray", "connected"]

MakeEnv = Callable[[], gym.Env[Any, Any]]
MakeAgent = Callable[[str], Agent]
FindImage = Callable[[], str]
Attempts = tuple[StoredEpisode, ...]

_CLOSE_SEC = 30.0
_MAX_FAILED_STARTS = 3


@dataclass(frozen=True)
class RayCluster:
    """The placement of machines on a cluster.

    Attributes:
        address: Address of its head, such as ``10.0.0.1:6379`` or ``ray://10.0.0.1:10001``;
            ``auto`` for the running local cluster, ``local`` for a new one that ends with this
            process.
        cpus: Ray CPUs per machine; 0 reserves none.
        resources: Other Ray resources per machine, by the names of the nodes.
        start_timeout_sec: How long to wait for the first machine.
    """

    address: str = "auto"
    cpus: float = 1.0
    resources: tuple[tuple[str, float], ...] = ()
    start_timeout_sec: float = 300.0


@dataclass(frozen=True)
class _Node:
    """The node information of an actor."""

    name: str
    version: str
    image: str


class _Player:
    """The actor: runs one episode at a time with its environment and agents."""

    def __init__(self, factories: tuple[MakeEnv, MakeAgent, int, FindImage]) -> None:
        self._make_env, self._make_agent, self._retries, self._image = factories
        self._env: gym.Env[Any, Any] | None = None
        self._agents: dict[str, Agent] = {}

    def node(self) -> _Node:
        name = str(_ray().util.get_node_ip_address())
        return _Node(name, pptarena.__version__, self._image())

    def play(self, job: Job) -> tuple[PackedEpisode, ...]:
        if self._env is None:
            self._env = self._make_env()
        if job.agent not in self._agents:
            self._agents[job.agent] = self._make_agent(job.agent)
        with tempfile.TemporaryDirectory(prefix="pptarena-ray-") as folder:
            root = Path(folder)
            attempts = run_job(job, self._env, self._agents[job.agent], root, self._retries)
            return tuple(pack_episode(attempt, job, root) for attempt in attempts)

    def close(self) -> None:
        if self._env is not None:
            self._env.close()


@contextmanager
def connected(cluster: RayCluster) -> Iterator[None]:
    """Connect to a cluster as a driver; an existing connection is reused and left open.

    Raises:
        ConfigError: If ray is not installed, or no cluster runs at the address.
    """
    ray = _ray()
    if ray.is_initialized():
        yield
        return
    try:
        ray.init(address=cluster.address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError, TimeoutError, OSError) as error:
        raise ConfigError(
            f"no Ray cluster at {cluster.address!r}: {error}; start one with 'ray start --head', "
            "or use --address local"
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def collect_on_ray(
    jobs: Sequence[Job],
    make_env: MakeEnv,
    make_agent: MakeAgent,
    root: Path,
    workers: int = 1,
    infra_retries: int = INFRA_RETRIES,
    cluster: RayCluster | None = None,
    find_image: FindImage = lambda: "",
) -> Generator[tuple[Job, Attempts], None, None]:
    """Run jobs on machines of a cluster and yield each, with its attempts, when it is stored.

    It works like `pptarena.rollouts.collect.collect`: finished episodes of an earlier call are
    yielded first and not repeated. Use it within `connected`.

    Args:
        jobs: The jobs; they may finish in any order.
        make_env: Creates an environment on the node; it is pickled.
        make_agent: Creates an agent by name; it is pickled. API keys come from the environment of
            the node.
        root: Root folder of the store on this computer, held with `lock_store`.
        workers: Number of episodes that run concurrently, if the cluster has the capacity.
        infra_retries: How often a failed attempt is repeated, and how often an episode is restarted
            after its actor was lost.
        cluster: Resources per machine.
        find_image: Returns the hash of the machine image on the calling computer; all nodes must
            have the image of this computer.

    Raises:
        ConfigError: If `workers` is below 1, or a node has another version or image.
        MachineStartError: If no node has the resources for a machine.
        MachineLostError: If the actors of an episode were lost too often; raised after all other
            episodes are stored.
        StoreError: If an episode cannot be written.
        HostError: If machines can never start on a node.
        ImageError: If the machine image of a node is missing or broken.
    """
    if workers < 1:
        raise ConfigError(f"expected at least 1 worker, got {workers}")
    finished = finished_jobs(jobs, root)
    for job in finished:
        folder = episode_path(root, job.agent, job.task.id, job.seed)
        yield job, (StoredEpisode(folder, read_meta(folder)),)
    finished_keys = set(map(_key, finished))
    pending = [job for job in jobs if _key(job) not in finished_keys]
    factories = make_env, make_agent, infra_retries, find_image
    pool = _ActorPool(pending, factories, cluster or RayCluster())
    try:
        for job, attempts in pool.work(min(workers, len(pending)), infra_retries):
            yield job, tuple(unpack_episode(each, job, root) for each in attempts)
    finally:
        pool.close()


class _ActorPool:
    """The actors of one run; each is starting, playing or ending."""

    def __init__(
        self,
        jobs: Sequence[Job],
        factories: tuple[MakeEnv, MakeAgent, int, FindImage],
        cluster: RayCluster,
    ) -> None:
        self._ray = _ray()
        self._pending = deque(jobs)
        self._cluster, self._image = cluster, factories[-1]()
        self._factories = self._ray.put(factories)
        self._actor = self._ray.remote(_Player)
        self._starting: dict[Any, Any] = {}  # reference to its node information: the actor
        self._playing: dict[
            Any, tuple[Any, Job]
        ] = {}  # reference to its episode: the actor, the job
        self._failed_starts = 0  # in sequence

    def work(
        self, machines: int, max_losses: int
    ) -> Iterator[tuple[Job, tuple[PackedEpisode, ...]]]:
        losses: Counter[tuple[str, str, int]] = Counter()
        abandoned: list[Job] = []
        for _ in range(machines):
            self._start()
        while self._pending or self._playing:
            ref = self._next_ready()
            if ref in self._starting:
                self._handle_started(ref)
                continue
            actor, job = self._playing.pop(ref)
            try:
                episodes = self._result(ref)
            except MachineLostError:
                losses[_key(job)] += 1
                if losses[_key(job)] <= max_losses:
                    self._pending.appendleft(job)
                else:
                    abandoned.append(job)
                if self._pending:
                    self._start()
                continue
            self._assign_job(actor)
            yield job, episodes
        if abandoned:
            names = ", ".join(f"{each.agent} {each.task.id} seed {each.seed}" for each in abandoned)
            raise MachineLostError(
                f"actors were lost {max_losses + 1} times each for: {names}; check 'ray status' "
                "and the memory of the nodes, then run the same command again"
            )

    def close(self) -> None:
        """End all actors and their machines."""
        actors = [*self._starting.values(), *(actor for actor, _ in self._playing.values())]
        for actor in actors:
            self._ray.kill(actor)
        self._starting.clear()
        self._playing.clear()

    def _start(self) -> None:
        options = {"num_cpus": self._cluster.cpus, "scheduling_strategy": "SPREAD"}
        actor = self._actor.options(
            **options, resources=dict(self._cluster.resources), max_restarts=0
        ).remote(self._factories)
        self._starting[actor.node.remote()] = actor

    def _next_ready(self) -> Any:
        refs = [*self._playing, *self._starting]
        # While episodes run, starting machines may wait for their resources.
        timeout_sec = None if self._playing else self._cluster.start_timeout_sec
        ready, _ = self._ray.wait(refs, num_returns=1, timeout=timeout_sec)
        if not ready:
            raise MachineStartError(
                f"no machine started in {self._cluster.start_timeout_sec:g} s: each requires "
                f"{self._cluster.cpus:g} cores {dict(self._cluster.resources) or ''}, the cluster "
                f"has {self._ray.available_resources()} free; see 'ray status'"
            )
        return ready[0]

    def _handle_started(self, ref: Any) -> None:
        actor = self._starting.pop(ref)
        try:
            node = self._result(ref)
        except MachineLostError as error:
            self._failed_starts += 1
            if self._failed_starts > _MAX_FAILED_STARTS:
                raise MachineStartError(f"no machine starts on the cluster: {error}") from error
            self._start()
            return
        self._failed_starts = 0
        if node.version != pptarena.__version__:
            raise ConfigError(
                f"node {node.name}: expected pptarena {pptarena.__version__}, got {node.version}"
            )
        if node.image != self._image:
            raise ConfigError(
                f"node {node.name}: expected the machine image {self._image or 'none'}, as here, "
                f"got {node.image or 'none'}; run 'pptarena image build' there and here"
            )
        self._assign_job(actor)

    def _assign_job(self, actor: Any) -> None:
        """Assign the next job to an actor, or end the actor if no job is pending."""
        if self._pending:
            job = self._pending.popleft()
            self._playing[actor.play.remote(job)] = actor, job
            return
        with suppress(self._ray.exceptions.RayError):
            self._ray.get(actor.close.remote(), timeout=_CLOSE_SEC)
        self._ray.kill(actor)

    def _result(self, ref: Any) -> Any:
        """Return the result of an actor call; exceptions of the actor are raised unchanged."""
        exceptions = self._ray.exceptions
        try:
            return self._ray.get(ref)
        except exceptions.RayTaskError as error:
            raise error.cause from error
        except exceptions.RayError as error:
            raise MachineLostError(f"an actor of the cluster was lost: {error}") from error


def _key(job: Job) -> tuple[str, str, int]:
    return job.agent, job.task.id, job.seed


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise missing_package("--executor ray", "ray", "ray") from error
    return ray
