"""Readers of runs, to be tried on runs written by an attacker.

A canary lies next to every hostile folder. A reader (exporter, report, replay, continued run) may
refuse. It must not raise any other error, hang, reveal the canary, or touch anything outside.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium as gym
from tests.security.canaries import differences, fault_of, shows_canary
from tests.security.hostile_runs import Case, CaseFolders

from pptarena.envs import actions
from pptarena.rollouts.collect import collect, lock_store
from pptarena.rollouts.env import make_env
from pptarena.rollouts.exporters import EXPORTERS, episodes_of
from pptarena.rollouts.manifest import claim_manifest, plan_manifest
from pptarena.rollouts.replay import replay_episode
from pptarena.rollouts.report import build_report, write_page
from pptarena.rollouts.run import Job
from pptarena.rollouts.store import find_episodes, read_meta
from pptarena.tasks import get_task

__all__ = ["READERS", "faults_of", "record_honest"]

_TASK = "meridian-hide-backup"
_AGENT = "agent"


def record_honest(root: Path) -> None:
    """Record one episode of two actions on the fake machine at ``agent/<task>/seed-0``."""
    _run(root, (Job(_AGENT, get_task(_TASK), 0),))


def faults_of(case: Case, honest: Path, folder: Path) -> list[str]:
    """Run every reader on one hostile run, and return what went wrong."""
    faults = []
    for name, read in READERS.items():
        folders = CaseFolders(folder / name)
        folders.prepare(honest)
        case.make(folders)
        before = folders.watched()
        if fault := fault_of(lambda read=read, folders=folders: read(folders)):  # type: ignore[misc]
            faults.append(f"{name} {fault}")
        if changed := differences(before, folders.watched()):
            faults.append(f"{name} touches {changed}")
        if shows_canary(folders.out):
            faults.append(f"{name} shows outside content")
        folders.remove()
    return faults


class _Clicker:
    """Clicks the first element, then stops."""

    def reset(self, info: object, seed: int) -> None:
        """Start a new episode."""
        self._has_clicked = False

    def act(self, observation: object, info: Mapping[str, Any]) -> actions.Action:
        """Return the next action."""
        if self._has_clicked:
            return actions.done()
        self._has_clicked = True
        nodes = info["a11y"]["nodes"]
        return actions.click(element=next(node["element"] for node in nodes if node["element"]))


def _fake_env(max_steps: int | None = None) -> gym.Env[Any, Any]:
    return make_env("fake", max_steps=max_steps, width_px=640, height_px=360)


def _export(kind: str) -> Callable[[CaseFolders], object]:
    return lambda folders: EXPORTERS[kind].export(list(episodes_of(folders.run)), folders.out)


def _report(folder_name: str) -> Callable[[CaseFolders], object]:
    def read(folders: CaseFolders) -> None:
        write_page(build_report(folders.run).html, folders.root / folder_name / "report.html")

    return read


def _replay(folders: CaseFolders) -> None:
    for folder in find_episodes(folders.run):
        meta = read_meta(folder)
        with closing(_fake_env(meta.max_steps)) as env:
            replay_episode(env, folder)


def _resume(folders: CaseFolders) -> None:
    _run(folders.run, (Job(_AGENT, get_task(_TASK), 0), Job(_AGENT, get_task(_TASK), 1)))


def _run(root: Path, jobs: tuple[Job, ...]) -> None:
    with lock_store(root):
        claim_manifest(root, plan_manifest(jobs, "fake", None))
        for _ in collect(jobs, _fake_env, lambda _: _Clicker(), root):
            pass


READERS: Mapping[str, Callable[[CaseFolders], object]] = {
    **{f"export {kind}": _export(kind) for kind in EXPORTERS},
    "report into the run": _report("run"),
    "report elsewhere": _report("out"),
    "replay": _replay,
    "run again": _resume,
}
