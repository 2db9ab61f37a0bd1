"""Repeat solved episodes with elements from pixels alone: do they suffice to act on?

python -m tools.pixel_replay runs/macro --machine sandbox

The plan of a solved episode is repeated in an environment with ``elements="pixels"``. Every action
that was aimed at an element of the accessibility tree is aimed at the pixel element that is closest
to the recorded point, among those with their center inside the recorded box. If there is none, the
task is not solved. Actions at bare points keep their point, keys and texts are repeated.

This is no agent: the plan is recorded. It measures what detection costs an agent that knows what to
do. An object per task and the sum are printed as JSON lines.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.envs.action import Action
from pptarena.errors import PPTArenaError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import StepRecord
from pptarena.rollouts.store import find_episodes, read_meta, read_steps
from pptarena.tasks import find_task

_SOLVED = 0.999


def main() -> None:
    """Repeat the episodes and print the results."""
    parser = argparse.ArgumentParser(description="Repeat episodes with elements from pixels.")
    parser.add_argument("run", type=Path, help="a run with elements of the tree")
    parser.add_argument("--machine", default="sandbox")
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--detectors", default="text,boxes")
    options = parser.parse_args()
    results = []
    names = options.detectors.split(",")
    env = make_env(options.machine, elements="pixels", detectors=names, score_when="end")
    with closing(env):
        for folder in find_episodes(options.run):
            meta = read_meta(folder)
            chosen = meta.difficulty == options.difficulty and meta.feasible
            if chosen and (meta.score or 0.0) >= _SOLVED:
                task = find_task(meta.task, place=meta.task_place)
                result = {"task": meta.task, **_repeat(env, task, read_steps(folder))}
                results.append(result)
                _write(result)
    solved = sum(each["score"] >= _SOLVED for each in results)
    _write({"tasks": len(results), "solved": solved})


def _write(value: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _repeat(env: gym.Env[Any, Any], task: Any, steps: Sequence[StepRecord]) -> dict[str, Any]:
    """Return score, reason of failure, and the numbers of aimed actions and bare points."""
    counts = {"aimed": 0, "bare": 0}
    score, reason = 0.0, ""
    try:
        _, info = env.reset(seed=0, options={"task": task})
        for step in steps:
            if (action := _aimed(step, info, counts)) is None:
                target = step.aim.target or {}
                reason = f"step {step.step}: no pixel element in {target.get('role')} "
                reason += f"{target.get('name')!r} {target.get('box')}"
                break
            _, _, terminated, truncated, info = env.step(action)
            if info["action_error"] or info["infra_error"]:
                reason = str(info["action_error"] or info["infra_error"])
                break
            if terminated or truncated:
                score = float(info["score"])
    except PPTArenaError as error:
        reason = str(error)
    return {"score": score, **counts, "reason": reason}


def _aimed(step: StepRecord, info: Mapping[str, Any], counts: dict[str, int]) -> Action | None:
    """Return the action at a pixel element or bare point; None if no pixel element fits."""
    action, target, point = step.action, step.aim.target, step.aim.point
    plain = {name: getattr(action, name) for name in ("kind", "keys", "text", "amount")}
    if not action.element or target is None or point is None:
        counts["bare"] += action.xy is not None
        return Action(**plain, xy=action.xy, end_xy=action.end_xy)
    counts["aimed"] += 1
    left, top, width, height = target["box"]
    found = []
    for node in info["a11y"]["nodes"]:
        x, y = node["box"][0] + node["box"][2] // 2, node["box"][1] + node["box"][3] // 2
        if node["element"] and left <= x < left + width and top <= y < top + height:
            found.append((abs(x - point[0]) + abs(y - point[1]), node["element"]))
    return Action(**plain, element=min(found)[1], end_xy=action.end_xy) if found else None


if __name__ == "__main__":
    main()
