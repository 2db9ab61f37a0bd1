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
from train_ppo import learner_config

from pptarena import make_sb3

Policy = Callable[[Any, Any], Any]


def play(env: Any, policy: Policy, episodes: int, seed: int) -> list[tuple[str, float]]:
    """Return task and score of the same number of episodes of every environment.

    Taking the first episodes that end would favor short ones.
    """
    env.seed(seed)
    observation = env.reset()
    remaining = np.full(env.num_envs, -(-episodes // env.num_envs))
    results: list[tuple[str, float]] = []
    while remaining.any():
        masks = np.stack(env.env_method("action_masks"))
        observation, _, _, infos = env.step(policy(observation, masks))
        for index, info in enumerate(infos):
            if "episode" in info and remaining[index] and not info["infra_error"]:
                remaining[index] -= 1
                results.append((info["episode"]["task_id"], float(info["episode"]["score"])))
    return results


def model_policy(model: MaskablePPO) -> Policy:
    """Return a policy that samples from a model, as in training."""
    return lambda observation, masks: model.predict(observation, action_masks=masks)[0]


def random_policy(seed: int) -> Policy:
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
    default_models = [
        f"trained={options.run / 'model.zip'}",
        f"untrained={options.run / 'untrained.zip'}",
    ]
    parts = (model.partition("=") for model in options.models or default_models)
    models = {name: MaskablePPO.load(file) for name, _, file in parts}
    scores: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for suite in options.suites:
        env = make_sb3(
            options.machines,
            config=learner_config(suite),
            processes=options.machines > 1,
            suite=suite,
            machine=options.machine,
            max_steps=options.max_steps,
        )
        try:
            policies = {name: model_policy(model) for name, model in models.items()}
            if not options.no_chance:
                policies["chance"] = random_policy(options.seed)
            scores[suite] = {
                name: play(env, policy, options.episodes, options.seed)
                for name, policy in policies.items()
            }
        finally:
            env.close()
        for name, results in scores[suite].items():
            values = [score for _, score in results]
            low, high = interval(values)
            print(
                f"{suite:40} {name:10} {np.mean(values):.2f} ({low:.2f} to {high:.2f}), "
                f"whole goals {np.mean(np.array(values) == 1.0):.2f}, {len(values)} episodes",
                flush=True,
            )
    (options.run / options.name).write_text(json.dumps(scores, indent=1) + "\n")


if __name__ == "__main__":
    main()
