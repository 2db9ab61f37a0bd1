"""Evaluate a model of train_ppo.py on held-out suites; see docs/guides/train_sb3.md.

    python examples/evaluate_ppo.py runs/ppo-0 --suites grown.jsonl#test-deck grown.jsonl#test-words

The trained model, the untrained model and a random policy play the same tasks of each suite.
`--models` adds others: ``cloned=runs/cloned-0/model.zip``. The results are saved in the run's
folder as ``held_out.json``, or under `--name`.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from train_ppo import config_of

from pptarena import make_sb3

Choose = Callable[[Any, Any], Any]


def play(env: Any, choose: Choose, episodes: int, seed: int) -> list[tuple[str, float]]:
    """Return task and score of the same number of episodes of every environment.

    Taking the first episodes that end would favor short ones.
    """
    env.seed(seed)
    observation = env.reset()
    left = np.full(env.num_envs, -(-episodes // env.num_envs))
    found: list[tuple[str, float]] = []
    while left.any():
        masks = np.stack(env.env_method("action_masks"))
        observation, _, _, infos = env.step(choose(observation, masks))
        for number, info in enumerate(infos):
            if "episode" in info and left[number] and not info["infra_error"]:
                left[number] -= 1
                found.append((info["episode"]["task_id"], float(info["episode"]["score"])))
    return found


def by_model(model: MaskablePPO) -> Choose:
    """Return a policy that samples from a model, as in training."""
    return lambda observation, masks: model.predict(observation, action_masks=masks)[0]


def by_chance(seed: int) -> Choose:
    """Return a policy that samples valid actions uniformly."""
    random = np.random.default_rng(seed)
    return lambda _, masks: np.array([random.choice(np.flatnonzero(mask)) for mask in masks])


def interval(scores: list[float], seed: int = 0) -> tuple[float, float]:
    """Return the bounds of a 95 % bootstrap interval of the mean."""
    draws = np.random.default_rng(seed).choice(scores, (2000, len(scores))).mean(1)
    low, high = np.quantile(draws, (0.025, 0.975))
    return float(low), float(high)


def main() -> None:
    """Evaluate, print the table and save all scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path, help="a folder that train_ppo.py wrote")
    parser.add_argument("--suites", nargs="+", required=True)
    parser.add_argument("--models", nargs="+", help="NAME=FILE.zip, instead of the run's two")
    parser.add_argument("--no-chance", action="store_true", help="leave chance out")
    parser.add_argument("--name", default="held_out.json", help="of the file of scores")
    parser.add_argument("--episodes", type=int, default=40, help="of each suite and way to choose")
    parser.add_argument("--machines", type=int, default=2)
    parser.add_argument("--machine", default="sandbox", help="kind of machine")
    parser.add_argument("--max-steps", type=int, help="of an episode, else each task's own")
    parser.add_argument("--seed", type=int, default=1000, help="of the tasks that are drawn")
    options = parser.parse_args()
    torch.set_num_threads(1)  # leave the CPUs to the machines
    own = [f"trained={options.run / 'model.zip'}", f"untrained={options.run / 'untrained.zip'}"]
    named = (each.partition("=") for each in options.models or own)
    models = {way: MaskablePPO.load(file) for way, _, file in named}
    scores: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for suite in options.suites:
        env = make_sb3(
            options.machines,
            config=config_of(suite),
            processes=options.machines > 1,
            suite=suite,
            machine=options.machine,
            max_steps=options.max_steps,
        )
        try:
            ways = {way: by_model(model) for way, model in models.items()}
            if not options.no_chance:
                ways["chance"] = by_chance(options.seed)
            scores[suite] = {
                way: play(env, choose, options.episodes, options.seed)
                for way, choose in ways.items()
            }
        finally:
            env.close()
        for way, found in scores[suite].items():
            values = [score for _, score in found]
            low, high = interval(values)
            print(
                f"{suite:40} {way:10} {np.mean(values):.2f} ({low:.2f} to {high:.2f}), "
                f"whole goals {np.mean(np.array(values) == 1.0):.2f}, {len(values)} episodes",
                flush=True,
            )
    (options.run / options.name).write_text(json.dumps(scores, indent=1) + "\n")


if __name__ == "__main__":
    main()
