"""Runs with several workers store each episode completely and once."""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.random_agent import RandomAgent
from pptarena.envs.action import Action
from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.collect import collect, finished_jobs, lock_store
from pptarena.rollouts.env import make_env
from pptarena.rollouts.manifest import claim_manifest, plan_manifest, read_manifest, task_digest
from pptarena.rollouts.run import Job, plan_jobs
from pptarena.rollouts.store import find_episodes, read_meta
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Env = gym.Env[Any, Any]
HOME = os.environ.get("PPTARENA_HOME")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))


def new_env() -> Env:
    return make_env("fake", width_px=320, height_px=240, max_steps=6)


def new_agent(name: str) -> RandomAgent:
    return RandomAgent()


def jobs_of(episodes: int = 2) -> tuple[Job, ...]:
    return plan_jobs(["random"], list_tasks("starter")[:3], episodes, 7)


def digests(root: Path) -> dict[str, str]:
    """Return the digests of all files with reproducible content."""
    kinds = ("*.png", "rubric.json", "step_*.json")
    return {
        str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest()
        for kind in kinds
        for file in root.rglob(kind)
    }


def test_two_workers_store_the_same_episodes_as_one(tmp_path: Path) -> None:
    for workers in (1, 2):
        results = list(collect(jobs_of(), new_env, new_agent, tmp_path / str(workers), workers))
        assert {(job.task.id, job.seed) for job, _ in results} == {
            (job.task.id, job.seed) for job in jobs_of()
        }
        assert len(results) == 6
        assert all(attempts[-1].meta.infra_error is None for _, attempts in results)
    assert digests(tmp_path / "1") == digests(tmp_path / "2") != {}


def test_finished_episodes_are_not_repeated(tmp_path: Path) -> None:
    first = list(collect(jobs_of(1), new_env, new_agent, tmp_path, 2))
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("meta.json")}
    assert len(finished_jobs(jobs_of(), tmp_path)) == len(first) == 3
    again = list(collect(jobs_of(), new_env, new_agent, tmp_path, 2))
    assert len(again) == 6
    assert {file: file.stat().st_mtime_ns for file in before} == before


@pytest.mark.parametrize("workers", [1, 2])
def test_stopped_run_leaves_complete_episodes_only(tmp_path: Path, workers: int) -> None:
    running = collect(jobs_of(4), new_env, new_agent, tmp_path, workers)
    next(running)
    running.close()
    folders = list(find_episodes(tmp_path))
    assert 1 <= len(folders) < 12
    assert not list(tmp_path.rglob(".partial-*"))
    for folder in folders:
        assert read_meta(folder).score is not None


class BuggyAgent(RandomAgent):
    """Raises an unexpected error."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        raise ZeroDivisionError("a bug")


@pytest.mark.parametrize("workers", [1, 2])
def test_agent_bug_ends_only_its_episodes(tmp_path: Path, workers: int) -> None:
    assert len(list(collect(jobs_of(), new_env, lambda name: BuggyAgent(), tmp_path, workers))) == 6
    assert not list(tmp_path.rglob(".partial-*"))
    for folder in find_episodes(tmp_path):
        meta = read_meta(folder)
        assert (meta.end, meta.infra_error) == ("agent_error", None)
        assert "ZeroDivisionError: a bug" in str(meta.agent_error)


def test_zero_workers_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        list(collect(jobs_of(), new_env, new_agent, tmp_path, 0))


def test_store_is_locked_and_cleaned(tmp_path: Path) -> None:
    partial = tmp_path / "random" / "task" / ".partial-seed-0"
    partial.mkdir(parents=True)
    complete = tmp_path / "random" / "task" / "seed-1"
    complete.mkdir()
    with lock_store(tmp_path):
        assert (partial.exists(), complete.exists()) == (False, True)
        with pytest.raises(ConfigError, match="another process"), lock_store(tmp_path):
            pass
    with lock_store(tmp_path):
        pass
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(StoreError, match="cannot be written"), lock_store(blocked):
        pass


def test_manifest_records_the_settings_and_rejects_others(tmp_path: Path) -> None:
    manifest = plan_manifest(jobs_of(), "fake", 6)
    assert read_manifest(tmp_path) is None
    claim_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    claim_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    assert (manifest.agents, manifest.seeds) == (("random",), (7, 8))
    assert manifest.tasks == {task.id: task_digest(task) for task in list_tasks("starter")[:3]}
    add_episode(tmp_path)
    with pytest.raises(ConfigError, match=r"other settings \(max_steps: 6, now 7\)"):
        claim_manifest(tmp_path, plan_manifest(jobs_of(), "fake", 7))
    other = replace(manifest, tasks={**manifest.tasks, list_tasks("starter")[0].id: "0" * 64})
    with pytest.raises(ConfigError, match=f"changed tasks: {list_tasks('starter')[0].id}"):
        claim_manifest(tmp_path, other)
    several = replace(
        manifest, image="abc", versions={**manifest.versions, "numpy": "0"}, options={"look": "end"}
    )
    with pytest.raises(ConfigError) as caught:
        claim_manifest(tmp_path, several)
    for difference in (
        'image: "", now "abc"; options: {}, now {"look": "end"}; version of numpy: ',
        f"version of numpy: {manifest.versions['numpy']}, now 0",
    ):
        assert difference in str(caught.value)
    assert read_manifest(tmp_path) == manifest
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(StoreError, match="not a manifest: missing: format"):
        claim_manifest(tmp_path, manifest)


def add_episode(root: Path) -> None:
    """Create a minimal episode."""
    folder = root / "random" / "task" / "seed-0"
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text("{}")


def test_manifest_is_the_union_of_all_commands(tmp_path: Path) -> None:
    manifest = plan_manifest(jobs_of(), "fake", 6)
    claim_manifest(tmp_path, manifest)
    add_episode(tmp_path)
    tasks = list_tasks("starter")
    fewer = plan_manifest(plan_jobs(["busy"], tasks[:2], 1, 7), "fake", 6)
    others = plan_manifest(plan_jobs(["idle"], tasks[3:4], 1, 9), "fake", 6)
    claim_manifest(tmp_path, fewer)
    assert read_manifest(tmp_path) == replace(manifest, agents=("random", "busy"))
    claim_manifest(tmp_path, others)
    union = replace(
        manifest,
        agents=("random", "busy", "idle"),
        tasks={**manifest.tasks, **others.tasks},
        seeds=(7, 8, 9),
    )
    assert read_manifest(tmp_path) == union
    claim_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == union


def test_settings_may_change_before_the_first_episode(tmp_path: Path) -> None:
    claim_manifest(tmp_path, plan_manifest(jobs_of(), "fake", 6))
    other = plan_manifest(jobs_of(), "fake", 7)
    claim_manifest(tmp_path, other)
    assert read_manifest(tmp_path) == other


def test_episodes_without_a_manifest_are_rejected(tmp_path: Path) -> None:
    add_episode(tmp_path)
    with pytest.raises(ConfigError, match=r"episodes but no manifest\.json.* choose another --out"):
        claim_manifest(tmp_path, plan_manifest(jobs_of(), "fake", 6))
    assert read_manifest(tmp_path) is None


def test_screen_and_document_episodes_are_not_mixed(tmp_path: Path) -> None:
    document = plan_manifest(jobs_of(), "document", None, image="abc", reward="sparse")
    assert (document.machine, document.image, document.screen) == ("document", "", (1, 1))
    assert document.reward == "sparse"
    claim_manifest(tmp_path, document)
    add_episode(tmp_path)
    screen = plan_manifest(jobs_of(), "fake", None, reward="sparse")
    with pytest.raises(ConfigError, match='machine: "document", now "fake"'):
        claim_manifest(tmp_path, screen)


def test_addresses_are_not_recorded_as_settings() -> None:
    manifest = plan_manifest(jobs_of(), "remote", None, remote_address="10.0.0.1:8000")
    assert manifest.options == {}


def test_manifest_of_the_last_release_is_read(tmp_path: Path) -> None:
    manifest = plan_manifest(jobs_of(), "fake", 6)
    older = {**manifest.to_json(), "episodes": 6}
    (tmp_path / "manifest.json").write_text(json.dumps(older))
    assert read_manifest(tmp_path) == manifest


CODE = "from pptarena.cli import main; main()"


def _start(out: Path, environ: dict[str, str], *options: str) -> "subprocess.Popen[str]":
    command = ("run", "--agent", "random", "--workers", "2", "--json", *options)
    return subprocess.Popen(
        [sys.executable, "-c", CODE, *command, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environ,
    )


def _has_episodes(out: Path, count: int, process: "subprocess.Popen[str]") -> bool:
    return len(list(find_episodes(out))) >= count or process.poll() is not None


def _descendants(pid: int) -> set[tuple[int, str]]:
    """Return the descendants of a process, each with its start time."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append((int(folder.name), fields[19]))
    descendants: set[tuple[int, str]] = set()
    queue = [pid]
    while queue:
        children = parents.get(queue.pop(), [])
        descendants |= set(children)
        queue += [child for child, _ in children]
    return descendants


def _any_alive(processes: set[tuple[int, str]]) -> bool:
    for pid, started in processes:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if fields[19] == started and fields[0] != "Z":
                return True
    return False


@pytest.mark.parametrize(
    ("machine", "tasks", "episodes", "steps"),
    [("fake", 5, 10, 4), pytest.param("sandbox", 2, 6, 2, marks=pytest.mark.image)],
)
def test_run_killed_three_times_stores_each_episode_once(
    tmp_path: Path,
    wait_until: Callable[..., None],
    machine: str,
    tasks: int,
    episodes: int,
    steps: int,
) -> None:
    out, total = tmp_path / "out", tasks * episodes
    environ = {**os.environ}
    if machine == "sandbox":  # its image lies in the user's own home
        environ.pop("PPTARENA_HOME")
        environ.update({} if HOME is None else {"PPTARENA_HOME": HOME})
    ids = ",".join(task.id for task in list_tasks("starter")[:tasks])
    options = ["--machine", machine, "--tasks", ids, "--repeats", str(episodes)]
    options += ["--max-steps", str(steps)]
    for round_ in range(1, 4):
        process = _start(out, environ, *options)
        wait_until(partial(_has_episodes, out, round_ * total // 5, process))
        assert process.poll() is None, "the run ended before it could be killed"
        descendants = _descendants(process.pid)
        assert len(descendants) > 4 or machine == "fake"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        wait_until(lambda descendants=descendants: not _any_alive(descendants))
    files = [folder / "meta.json" for folder in find_episodes(out)]
    modified = {file: file.stat().st_mtime_ns for file in files}
    assert len(modified) >= 3 * total // 5
    last = _start(out, environ, *options)
    stdout, _ = last.communicate(timeout=300)
    assert last.returncode == 0
    summary = json.loads(stdout)
    new = total - len(modified)
    counts = (summary["complete"], summary["new"], summary["missing"])
    assert (len(summary["episodes"]), counts) == (total, (total, new, 0))
    metas = [read_meta(folder) for folder in find_episodes(out)]
    assert len({(meta.task, meta.seed) for meta in metas}) == len(metas) == total
    assert {file: file.stat().st_mtime_ns for file in modified} == modified
    assert not list(out.rglob(".partial-*"))


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Wait for a condition, at most two minutes."""

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    return wait
