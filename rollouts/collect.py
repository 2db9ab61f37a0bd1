"""Collect episodes on several machines concurrently; finished episodes are never repeated.

A collection can be killed at any time. Episodes are stored atomically: the next call removes
partial ones, keeps the finished ones and runs the rest.
"""

import fcntl
import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.agents.base import Agent
from pptarena.errors import ConfigError, StoreError
from pptarena.files import lock_file
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.run import INFRA_RETRIES, Job, run_job
from pptarena.rollouts.store import clear_interrupted, episode_path, read_meta

__all__ = ["collect", "finished_jobs", "lock_store"]

Attempts = tuple[StoredEpisode, ...]
OnStep = Callable[[int, Job, StepRecord], None]


class _Stopped(Exception):
    """Raised inside an episode that is abandoned because the collection ends."""


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
            raise ConfigError(f"another process is collecting into {root}") from error
        clear_interrupted(root)
        yield
    finally:
        os.close(handle)


def collect(
    jobs: Sequence[Job],
    make_env: Callable[[], gym.Env[Any, Any]],
    make_agent: Callable[[str], Agent],
    root: Path,
    machines: int = 1,
    infra_retries: int = INFRA_RETRIES,
    on_step: OnStep = lambda machine, job, step: None,
) -> Generator[tuple[Job, Attempts], None, None]:
    """Run jobs on several machines and yield each, with its attempts, when it is finished.

    Finished episodes of an earlier call are yielded first and not repeated. A failing machine does
    not delay the others: its episode is run again on a fresh machine. When the caller stops early,
    running episodes are abandoned and leave no files.

    Args:
        jobs: The jobs; they may finish in any order.
        make_env: Creates an environment; each machine has one, which is closed at the end.
        make_agent: Creates an agent by name; each machine has its own.
        root: Root folder of the store, held with `lock_store`.
        machines: Number of machines.
        infra_retries: How often a failed attempt is repeated.
        on_step: Called after every step with the number of the machine, from 0, in its thread.

    Raises:
        ConfigError: If `machines` is below 1.
        StoreError: If an episode cannot be written.
        HostError: If machines can never start on this computer.
        ImageError: If the machine image is missing or broken.
    """
    if machines < 1:
        raise ConfigError(f"expected at least 1 machine, got {machines}")
    for job in finished_jobs(jobs, root):
        place = episode_path(root, job.agent, job.task.id, job.seed)
        yield job, (StoredEpisode(place, read_meta(place)),)
    crew = _Crew(jobs, make_env, make_agent, root, infra_retries, on_step)
    yield from crew.work(machines)


def _is_finished(job: Job, root: Path) -> bool:
    return os.path.lexists(episode_path(root, job.agent, job.task.id, job.seed))


class _Crew:
    """The threads of one collection, one for each machine."""

    def __init__(
        self,
        jobs: Sequence[Job],
        make_env: Callable[[], gym.Env[Any, Any]],
        make_agent: Callable[[str], Agent],
        root: Path,
        infra_retries: int,
        on_step: OnStep,
    ) -> None:
        self._left = deque(job for job in jobs if not _is_finished(job, root))
        self._done: queue.Queue[tuple[Job, Attempts] | BaseException | None] = queue.Queue()
        self._stop = threading.Event()
        self._make_env, self._make_agent = make_env, make_agent
        self._root, self._retries, self._on_step = root, infra_retries, on_step

    def work(self, machines: int) -> Iterator[tuple[Job, Attempts]]:
        count = min(machines, len(self._left))
        threads = [
            threading.Thread(target=self._serve, args=(number,), name=f"pptarena-collect-{number}")
            for number in range(count)
        ]
        for thread in threads:
            thread.start()
        try:
            working = count
            while working:
                item = self._done.get()
                if item is None:
                    working -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()

    def _serve(self, machine: int) -> None:
        agents: dict[str, Agent] = {}
        try:
            with closing(self._make_env()) as env:
                while not self._stop.is_set():
                    try:
                        job = self._left.popleft()
                    except IndexError:
                        break
                    if job.agent not in agents:
                        agents[job.agent] = self._make_agent(job.agent)
                    self._done.put((job, self._run(job, env, agents[job.agent], machine)))
        except _Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 (raised again in the thread of the caller)
            self._done.put(error)
        finally:
            self._done.put(None)

    def _run(self, job: Job, env: gym.Env[Any, Any], agent: Agent, machine: int) -> Attempts:
        def report(step: StepRecord) -> None:
            if self._stop.is_set():
                raise _Stopped
            self._on_step(machine, job, step)

        # Another machine may take it first; then the preparation is wasted.
        following = self._left[0].task if self._left else None
        return run_job(job, env, agent, self._root, self._retries, following, report)
