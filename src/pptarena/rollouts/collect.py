"""Run episodes into a store, with any number of workers; finished episodes are never repeated.

A run can be killed at any time. Episodes are stored atomically: the next call removes partial ones,
keeps the finished ones and runs the rest.
"""

import fcntl
import os
import queue
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.agents.base import Agent
from pptarena.decks.package.markup import isolate_xml_names
from pptarena.errors import ConfigError, StoreError
from pptarena.files import lock_file
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.live.publisher import publisher
from pptarena.rollouts.run import INFRA_RETRIES, Job, run_job
from pptarena.rollouts.store import episode_path, read_meta, remove_partial_episodes

__all__ = ["collect", "finished_jobs", "lock_store", "run_jobs"]

Attempts = tuple[StoredEpisode, ...]
OnStep = Callable[[int, Job, StepRecord], None]


class _Stopped(Exception):
    """Raised inside an episode to abandon it when the run ends."""


def finished_jobs(jobs: Sequence[Job], root: Path) -> list[Job]:
    """Return the jobs whose episode is in the store."""
    return [job for job in jobs if _is_finished(job, root)]


@contextmanager
def lock_store(root: Path) -> Iterator[None]:
    """Lock a store for writing, and remove partial episodes that a crash left.

    Raises:
        ConfigError: If another process holds the lock.
        StoreError: If it cannot be written.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        handle = lock_file(root / ".lock")
    except OSError as error:
        raise StoreError(f"{root} cannot be written: {error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConfigError(f"another process is running episodes into {root}") from error
        remove_partial_episodes(root)
        yield
    finally:
        os.close(handle)


def collect(
    jobs: Sequence[Job],
    make_env: Callable[[], gym.Env[Any, Any]],
    make_agent: Callable[[str], Agent],
    root: Path,
    workers: int = 1,
    infra_retries: int = INFRA_RETRIES,
    on_step: OnStep = lambda worker, job, step: None,
) -> Generator[tuple[Job, Attempts], None, None]:
    """Run jobs and yield each, with its attempts, when it is finished.

    Finished episodes of an earlier call are yielded first and not repeated. One worker runs the
    jobs in their order, in the thread of the caller. Several run in threads of their own, so jobs
    may finish in any order and a failing machine does not delay the others. An attempt that the
    machine failed is stored under a separate name and repeated. If the caller stops early, running
    episodes are abandoned and leave no files.

    Args:
        jobs: The jobs.
        make_env: Creates an environment; each worker has one, which is closed at the end.
        make_agent: Creates an agent by name; each worker has its own.
        root: Root folder of the store, held with `lock_store`.
        workers: Number of episodes that run concurrently.
        infra_retries: How often a failed attempt is repeated.
        on_step: Called after every step with the number of the worker, from 0, in its thread.

    Raises:
        ConfigError: If `workers` is below 1.
        StoreError: If an episode cannot be written.
        HostError: If machines can never start on this computer.
        ImageError: If the machine image is missing or broken.
    """
    if workers < 1:
        raise ConfigError(f"expected at least 1 worker, got {workers}")
    for job in finished_jobs(jobs, root):
        folder = episode_path(root, job.agent, job.task.id, job.seed)
        yield job, (StoredEpisode(folder, read_meta(folder)),)
    pool = _WorkerPool(jobs, make_env, make_agent, root, infra_retries, on_step)
    yield from pool.work(workers)


def run_jobs(
    jobs: Sequence[Job],
    env: gym.Env[Any, Any],
    agents: Mapping[str, Agent],
    root: Path,
    infra_retries: int = INFRA_RETRIES,
    on_step: Callable[[Job, StepRecord], None] = lambda job, step: None,
) -> Iterator[tuple[Job, Attempts]]:
    """Run jobs in one environment, which the caller closes; deprecated, use `collect`."""
    warnings.warn("run_jobs is now collect", DeprecationWarning, stacklevel=2)
    return collect(
        jobs,
        lambda: _CallerOwnedEnv(env),
        agents.__getitem__,
        root,
        infra_retries=infra_retries,
        on_step=lambda worker, job, step: on_step(job, step),
    )


class _CallerOwnedEnv(gym.Wrapper[Any, Any, Any, Any]):
    """An environment that the caller of `run_jobs` closes."""

    def close(self) -> None:
        """Do nothing: the caller closes the environment."""


def _is_finished(job: Job, root: Path) -> bool:
    return os.path.lexists(episode_path(root, job.agent, job.task.id, job.seed))


class _WorkerPool:
    """The workers of one run, which take jobs from one queue."""

    def __init__(
        self,
        jobs: Sequence[Job],
        make_env: Callable[[], gym.Env[Any, Any]],
        make_agent: Callable[[str], Agent],
        root: Path,
        infra_retries: int,
        on_step: OnStep,
    ) -> None:
        self._pending = deque(job for job in jobs if not _is_finished(job, root))
        self._done: queue.Queue[tuple[Job, Attempts] | BaseException | None] = queue.Queue()
        self._stop = threading.Event()
        self._make_env, self._make_agent = make_env, make_agent
        self._root, self._retries, self._on_step = root, infra_retries, on_step

    def work(self, workers: int) -> Iterator[tuple[Job, Attempts]]:
        count = min(workers, len(self._pending))
        return self._run_threads(count) if count > 1 else self._episodes(0)

    def _run_threads(self, count: int) -> Iterator[tuple[Job, Attempts]]:
        threads = [
            threading.Thread(target=self._run_worker, args=(number,), name=f"pptarena-run-{number}")
            for number in range(count)
        ]
        for thread in threads:
            thread.start()
        try:
            running = count
            while running:
                item = self._done.get()
                if item is None:
                    running -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
        finally:
            self._stop.set()
            publisher().release()  # an episode may wait for a person
            for thread in threads:
                thread.join()

    def _run_worker(self, worker: int) -> None:
        isolate_xml_names()  # agents and environments may use python-pptx in this thread
        try:
            for item in self._episodes(worker):
                self._done.put(item)
        except _Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 (raised again in the thread of the caller)
            self._done.put(error)
        finally:
            self._done.put(None)

    def _episodes(self, worker: int) -> Iterator[tuple[Job, Attempts]]:
        """Run jobs in one environment until the queue is empty."""
        if not self._pending:
            return
        agents: dict[str, Agent] = {}
        with closing(self._make_env()) as env:
            while not self._stop.is_set():
                try:
                    job = self._pending.popleft()
                except IndexError:
                    break
                if job.agent not in agents:
                    agents[job.agent] = self._make_agent(job.agent)
                yield job, self._run(job, env, agents[job.agent], worker)

    def _run(self, job: Job, env: gym.Env[Any, Any], agent: Agent, worker: int) -> Attempts:
        def report(step: StepRecord) -> None:
            if self._stop.is_set():
                raise _Stopped
            self._on_step(worker, job, step)

        return run_job(job, env, agent, self._root, self._retries, report)
