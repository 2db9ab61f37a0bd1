"""The manifest of a folder of episodes, which ensures that all its episodes have the same settings.

``manifest.json`` is in the root of the store. It is written before the first episode and checked
by every later command that adds episodes.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from pptarena.envs.config import EnvConfig
from pptarena.envs.machines.registry import choose_machine
from pptarena.errors import ConfigError, StoreError
from pptarena.files import atomic_write
from pptarena.rollouts.env_options import comparable_options, machine_options
from pptarena.rollouts.episode import DOCUMENT, NO_SCREEN
from pptarena.rollouts.episode_files import read_json
from pptarena.rollouts.play import versions
from pptarena.rollouts.record_checks import (
    MAX_NAME_CHARS,
    Check,
    check_fields,
    each,
    integer,
    optional,
    text,
)
from pptarena.rollouts.run import Job
from pptarena.rollouts.store import find_episodes
from pptarena.rollouts.task_digest import task_digest

__all__ = ["Manifest", "claim_manifest", "plan_manifest", "read_manifest", "task_digest"]

_FILE = "manifest.json"
_FORMAT = 1
_NAME = text(MAX_NAME_CHARS)
_CHECKS: dict[str, Check] = {
    "format": integer(0, 1000),
    **dict.fromkeys(("machine", "image", "reward"), _NAME),
    "screen": each(integer(1, 16_384), 2),
    "max_steps": optional(integer(0, 1_000_000)),
    **dict.fromkeys(("versions", "tasks", "agents"), each(_NAME)),
    "seeds": each(integer(0, 2**64)),
    "options": lambda value: "" if isinstance(value, dict) else "an object",
}
_REMOVED_FIELDS = {"episodes"}  # in older manifests


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The settings of the episodes in a folder.

    Attributes:
        machine: Type of machine; ``"document"`` for the document environment.
        image: Hash of the machine image; empty for machines without one.
        screen: Width and height in pixels.
        reward: ``"dense"`` or ``"sparse"``.
        max_steps: Step budget of every episode; None if each task has its own.
        versions: Versions of pptarena, Python, gymnasium and numpy.
        tasks: `task_digest` of each task by its id.
        agents: Names of the agents.
        seeds: Seeds of the episodes.
        options: Other options of the environment, as JSON.
    """

    machine: str
    image: str
    screen: tuple[int, int]
    reward: str
    max_steps: int | None
    versions: Mapping[str, str]
    tasks: Mapping[str, str]
    agents: tuple[str, ...]
    seeds: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``manifest.json``."""
        return {"format": _FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`.

        Raises:
            StoreError: If the format differs, or a key is missing or unknown.
        """
        if isinstance(value, Mapping):
            value = {"options": {}, **value}  # missing in older manifests
        data = check_fields(value, _CHECKS, "a manifest")
        if data.pop("format") != _FORMAT:
            raise StoreError(f"expected format {_FORMAT}, got {value['format']}")
        if unknown := set(value) - set(_CHECKS) - _REMOVED_FIELDS:
            raise StoreError(f"not a manifest: unknown: {', '.join(sorted(unknown))[:200]}")
        lists = {name: tuple(data[name]) for name in ("screen", "agents", "seeds")}
        return cls(**{**data, **lists})


def plan_manifest(
    jobs: Sequence[Job], machine: str, max_steps: int | None, image: str = "", **options: Any
) -> Manifest:
    """Return the manifest of jobs that run in the environment of `make_env`.

    Args:
        jobs: The jobs.
        machine: Type of machine; ``"document"`` for the environment of `make_document_env`.
        max_steps: Step budget of every episode; None for each task's own.
        image: Hash of the machine image; used for machines that run on it.
        options: Other options of the environment, as `read_env_options` returns them.

    Raises:
        ConfigError: If the machine or a setting is unknown, or a value is not allowed.
    """
    screen = NO_SCREEN
    if machine == DOCUMENT:
        image = ""
    else:
        machine_type, config = choose_machine(machine, machine_options(options))
        machine, screen = machine_type.kind, (config.width_px, config.height_px)
        image = image if machine_type.runs_image else ""
    tasks = {job.task.id: job.task for job in jobs}
    return Manifest(
        machine=machine,
        image=image,
        screen=screen,
        reward=options.get("reward", EnvConfig().reward),
        max_steps=max_steps,
        versions=versions(),
        tasks={name: task_digest(task) for name, task in tasks.items()},
        agents=tuple(dict.fromkeys(job.agent for job in jobs)),
        seeds=tuple(dict.fromkeys(job.seed for job in jobs)),
        options=comparable_options(options),
    )


def read_manifest(root: Path) -> Manifest | None:
    """Return the manifest of a store; None if it has none.

    Raises:
        StoreError: If it cannot be read.
    """
    if not os.path.lexists(root / _FILE):
        return None
    value = read_json(root.resolve(), _FILE)
    try:
        return Manifest.from_json(value)
    except StoreError as error:
        raise StoreError(f"{root / _FILE}: {error}") from error


def claim_manifest(root: Path, manifest: Manifest) -> None:
    """Add a manifest to that of a folder, which must have the same settings.

    Agents, tasks and seeds are added to those of the folder. Settings may change only while the
    folder has no episodes.

    Args:
        root: Root folder of the store, held with `lock_store`.
        manifest: The manifest of the jobs that run next.

    Raises:
        ConfigError: If the settings differ, which the message lists, or the folder has episodes and
            no manifest.
        StoreError: If the manifest cannot be read or written.
    """
    existing = read_manifest(root)
    has_episodes = next(find_episodes(root), None) is not None
    if has_episodes and existing is None:
        raise ConfigError(
            f"{root} has episodes but no {_FILE}, so their settings are unknown: choose another "
            "--out ('pptarena runs compare A B' compares folders)"
        )
    differing = [] if existing is None else list(_differences(existing, manifest))
    if has_episodes and differing:
        raise ConfigError(
            f"{root} has episodes with other settings ({'; '.join(differing)}): use the same "
            "settings, or choose another --out"
        )
    merged = manifest if existing is None or differing else _union(existing, manifest)
    if merged == existing:
        return
    try:
        root.mkdir(parents=True, exist_ok=True)
        with atomic_write(root / _FILE) as file:
            file.write((json.dumps(merged.to_json(), indent=1) + "\n").encode())
    except OSError as error:
        raise StoreError(f"{root / _FILE} cannot be written: {error}") from error


def _union(existing: Manifest, added: Manifest) -> Manifest:
    return replace(
        existing,
        tasks={**existing.tasks, **added.tasks},
        agents=tuple(dict.fromkeys((*existing.agents, *added.agents))),
        seeds=tuple(dict.fromkeys((*existing.seeds, *added.seeds))),
    )


def _differences(recorded: Manifest, current: Manifest) -> Iterator[str]:
    """Yield the differences that prevent episodes from being added to a folder."""
    for name in ("machine", "image", "screen", "reward", "max_steps", "options"):
        old, new = getattr(recorded, name), getattr(current, name)
        if old != new:
            yield f"{name}: {json.dumps(old)}, now {json.dumps(new)}"
    for name in sorted({*recorded.versions, *current.versions}):
        old, new = recorded.versions.get(name, "none"), current.versions.get(name, "none")
        if old != new:
            yield f"version of {name}: {old}, now {new}"
    if changed := sorted(t for t, d in recorded.tasks.items() if current.tasks.get(t, d) != d):
        yield f"changed tasks: {', '.join(changed)}"
