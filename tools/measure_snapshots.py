"""Measure forks, equality and leaks of restored machines.

    python tools/measure_snapshots.py forks --count 8
    python tools/measure_snapshots.py places
    python tools/measure_snapshots.py episodes --count 20 --steps 60
    python tools/measure_snapshots.py restores --count 1000

``forks`` plays an episode, forks it, lets the forks repeat the same actions and then play different
ones. ``places`` forks in a text edit, with a dialog or a menu open and in a slide show, and plays
the fork and the original alike. ``episodes`` plays random episodes on a restored and on a started
sandbox. ``restores`` resets one sandbox again and again and counts what is left behind. Prints one
JSON object and exits with 1 if anything differs or is left behind.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from pptarena.agents import make_agent
from pptarena.envs import PPTArenaEnv
from pptarena.envs.machines.memory import process_tree, tree_cpu_sec
from pptarena.paths import cache_home
from pptarena.tasks import list_tasks

State = tuple[dict[str, Any], dict[str, Any]]

_TASK = "meridian-hide-backup"
_PLACES = {
    "text edit": ("Tab", "F2"),
    "dialog": ("ctrl+h",),
    "menu": ("alt+f",),
    "slide show": ("F5",),
}
_AFTERWARDS = ("Down", "Return", "Escape", "ctrl+z")
_BEFORE_FORK, _SAME, _DIFFERENT = 50, 16, 10  # steps


def main() -> int:
    """Run one measurement."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", choices=tuple(_MEASUREMENTS))
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--agent", default="random")
    parser.add_argument("--machine", default="sandbox")
    options = parser.parse_args()
    found = _MEASUREMENTS[options.what](options)
    sys.stdout.write(json.dumps(found) + "\n")
    return 0 if found["ok"] else 1


def forks(options: argparse.Namespace) -> dict[str, Any]:
    """Fork a played episode; the forks repeat the same actions, then play different ones."""
    env = PPTArenaEnv(task=_TASK, machine=options.machine, max_steps=10_000)
    state = env.reset(seed=0)
    agent = make_agent("busy")
    agent.reset(state[1], 0)
    for _ in range(_BEFORE_FORK):
        state = _step(env, agent.act(*state))
    began, cpu_sec = time.monotonic(), tree_cpu_sec(os.getpid())
    with env.checkpoint() as kept:
        saved = time.monotonic()
        twins = env.fork(options.count, kept)
    found: dict[str, Any] = {
        "checkpoint_sec": round(saved - began, 2),
        "forks_sec": round(time.monotonic() - saved, 2),
        "cpu_sec": round(tree_cpu_sec(os.getpid()) - cpu_sec, 2),
        "memory_mb": [round((twin.machine.memory_bytes() or 0) / 1e6) for twin in twins],
    }
    agent.reset(state[1], 1)
    states = [twin.last() for twin in twins]
    found["same_steps"], found["equal_steps"] = _SAME, 0
    for _ in range(_SAME):
        action = agent.act(*states[0])
        states = [_step(twin, action) for twin in twins]
        found["equal_steps"] += all(equal(states[0], other) for other in states[1:])
    agents = [make_agent("busy") for _ in twins]
    for number, (player, (_, info)) in enumerate(zip(agents, states, strict=True)):
        player.reset(info, 2 + number)
    for _ in range(_DIFFERENT):
        states = [
            _step(twin, player.act(*state))
            for twin, player, state in zip(twins, agents, states, strict=True)
        ]
    found["different_screens"] = len({state[0]["screenshot"].tobytes() for state in states})
    found["infra_errors"] = sum(state[1]["infra_error"] is not None for state in states)
    (child,) = twins[-1].fork(1)
    (grandchild,) = child.fork(1)
    first, *others = (
        _step(each, {"kind": "key", "keys": "tab"}) for each in (twins[-1], child, grandchild)
    )
    found["forks_of_forks_equal"] = all(equal(first, other) for other in others)
    for used in (env, *twins, child, grandchild):
        used.close()
    found["ok"] = (
        found["equal_steps"] == _SAME
        and found["forks_of_forks_equal"]
        and not found["infra_errors"]
    )
    return found


def places(options: argparse.Namespace) -> dict[str, Any]:
    """Fork where an action is half done; the fork and the original continue alike."""
    env = PPTArenaEnv(task=_TASK, machine=options.machine, max_steps=100)
    equal_steps = {}
    for name, keys in _PLACES.items():
        env.reset(seed=0)
        before = env.last()
        for each in keys:
            state = _step(env, {"kind": "key", "keys": each})
        (twin,) = env.fork(1)
        shown = not equal(before, state) and equal(env.last(), twin.last())
        equal_steps[name] = int(shown)
        for each in _AFTERWARDS:
            action = {"kind": "key", "keys": each}
            equal_steps[name] += equal(_step(env, action), _step(twin, action))
        twin.close()
    env.close()
    all_equal = all(count == 1 + len(_AFTERWARDS) for count in equal_steps.values())
    return {"of": 1 + len(_AFTERWARDS), "equal": equal_steps, "ok": all_equal}


def episodes(options: argparse.Namespace) -> dict[str, Any]:
    """Play the same random episodes on a restored and on a started sandbox."""
    envs = [
        PPTArenaEnv(
            suite="bench",
            machine=options.machine,
            max_steps=options.steps,
            snapshots=snapshots,
        )
        for snapshots in (True, False)
    ]
    tasks = list_tasks("bench")
    steps = 0
    different: list[str] = []
    restored = 0
    for number in range(options.count):
        task = tasks[number * len(tasks) // options.count]
        states = [env.reset(seed=number, options={"task": task}) for env in envs]
        restored += envs[0].machine.restore_sec is not None
        agent = make_agent(options.agent)
        agent.reset(states[0][1], number)
        for step in range(options.steps):
            if not equal(*states):
                different.append(f"{task.id} after {step} steps")
                break
            action = agent.act(*states[0])
            states = [_step(env, action) for env in envs]
            steps += 1
            if any(state[1]["over"] for state in states):
                break
        sys.stderr.write(f"{number + 1} of {options.count}: {task.id}\n")
    for env in envs:
        env.close()
    return {
        "episodes": options.count,
        "restored": restored,
        "steps": steps,
        "different": different,
        "ok": not different and restored == options.count,
    }


def restores(options: argparse.Namespace) -> dict[str, Any]:
    """Reset one sandbox repeatedly; count processes, mounts, descriptors and files before/after."""
    env = PPTArenaEnv(task=_TASK, machine=options.machine)
    first, _ = env.reset(seed=0)
    env.reset(seed=0)
    before, began, unlike = _held(), time.monotonic(), 0
    for _ in range(options.count):
        observation, _ = env.reset(seed=0)
        unlike += not np.array_equal(observation["screenshot"], first["screenshot"])
    wall_sec = time.monotonic() - began
    after = _held()
    env.close()
    left = {name: after[name] - count for name, count in before.items() if after[name] > count}
    return {
        "restores": options.count,
        "wall_sec": round(wall_sec / options.count, 3),
        "unlike": unlike,
        "before": before,
        "left": left,
        "ok": not unlike and not left,
    }


def equal(first: State, second: State) -> bool:
    """Return whether two observations show the same pixels and the same accessibility tree."""
    trees = [
        [{**node, "element": None} for node in info["a11y"]["nodes"]] for _, info in (first, second)
    ]
    same = np.array_equal(first[0]["screenshot"], second[0]["screenshot"])
    return bool(same and trees[0] == trees[1])


def _step(env: PPTArenaEnv, action: Any) -> State:
    observation, _, terminated, truncated, info = env.step(action)
    return observation, {**info, "over": terminated or truncated}


def _held() -> dict[str, int]:
    """Return the processes, mounts, descriptors and files of pptarena and CRIU that are in use."""
    files = [
        *Path("/tmp").iterdir(),
        *Path("/dev/shm").iterdir(),
        *(cache_home() / "snapshots").rglob("*"),
    ]
    own = [file for file in files if "pptarena" in str(file) or "criu" in file.name]
    return {
        "processes": len(process_tree(os.getpid())),
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "files": len(own),
    }


_MEASUREMENTS = {"forks": forks, "places": places, "episodes": episodes, "restores": restores}

if __name__ == "__main__":
    sys.exit(main())
