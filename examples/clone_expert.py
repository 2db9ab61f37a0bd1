"""Teach the policy of train_ppo.py to imitate the package's expert; see docs/guides/train_sb3.md.

    pptarena generate --decks my-decks --count 1000 --depth 1 --out grown.jsonl
    python examples/clone_expert.py --suite grown.jsonl#train --out runs/cloned-0
    python examples/train_ppo.py --suite grown.jsonl#train --model runs/cloned-0/model.zip

The expert plays the macros of generated tasks (`pptarena.agents.macro_agent`). Its actions are
translated to the policy's actions; episodes that need other actions, or do not end with score 1,
are omitted. `--demos` names files of demonstrations; missing files are created.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from train_ppo import learner_config, new_model

from pptarena import make_sb3
from pptarena.agents.macro_agent import MacroAgent
from pptarena.envs.actions import Action
from pptarena.errors import AgentError, ConfigError
from pptarena.tasks.solution_macros import has_macros
from pptarena.wrappers import SomActions, learner_env

Step = tuple[dict[str, np.ndarray], np.ndarray, int, float]
"""Observation, mask, action number and discounted return."""

RATE = 3e-3
BATCH = 64


def action_numbers(som: SomActions, action: Action) -> list[int]:
    """Return the policy's numbers for an action: several for a repeated key.

    Raises:
        ConfigError: If the policy cannot express the action.
    """
    if action.kind == "key":
        return [som.to_number(Action("key", keys=action.keys))] * max(action.amount, 1)
    if action.kind == "type":
        return [som.to_number(Action("type", text=action.text))]
    if action.keys or not action.element:
        raise ConfigError(f"the policy cannot express {action}")
    return [som.to_number(action)]


def play_expert(env: Any, task: Any, gamma: float) -> list[Step] | None:
    """Return the steps of an episode; None if it cannot be played or does not end with score 1."""
    observation, info = env.reset(options={"task": task})
    som = env if isinstance(env, SomActions) else env.env
    screen = {"screenshot": np.empty(env.unwrapped.observation_space["screenshot"].shape, np.uint8)}
    expert = MacroAgent(lambda _: task)
    steps: list[Step] = []
    rewards: list[float] = []
    is_over = False
    try:
        expert.reset(info, seed=0)
        while not is_over and (action := expert.act(screen, info)).kind != "done":
            for number in action_numbers(som, action):
                steps.append((observation, env.action_masks(), number, 0.0))
                observation, reward, terminated, truncated, info = env.step(number)
                rewards.append(float(reward))
                if is_over := terminated or truncated:
                    break
    except (AgentError, ConfigError):
        return None
    if info["infra_error"] or info["score"] < 1.0:
        return None
    returns = np.zeros(len(steps) + 1)
    for index in reversed(range(len(steps))):
        returns[index] = rewards[index] + gamma * returns[index + 1]
    return [(*step[:3], return_) for step, return_ in zip(steps, returns, strict=False)]


def collect(env: Any, episodes: int, seed: int, gamma: float = 0.9) -> list[Step]:
    """Return the steps of episodes of different tasks, fewer if the suite has no more."""
    tasks = env.get_wrapper_attr("tasks")
    demonstrations: list[Step] = []
    counts: Counter[str] = Counter()
    for index in np.random.default_rng(seed).permutation(len(tasks)):
        task = tasks[int(index)]
        if not has_macros(task):
            continue
        steps = play_expert(env, task, gamma)
        counts["kept" if steps else "left out"] += 1
        demonstrations += steps or []
        if counts.total() % 50 == 0:
            print(f"{dict(counts)}, {len(demonstrations)} steps", flush=True)
        if counts["kept"] == episodes:
            break
    print(f"episodes of the expert: {dict(counts)}, {len(demonstrations)} steps", flush=True)
    return demonstrations


def save_demos(file: Path, steps: list[Step]) -> None:
    """Save steps, one array per field."""
    fields: dict[str, Any] = {
        name: np.stack([step[0][name] for step in steps]).astype(np.float16) for name in steps[0][0]
    }
    masks, numbers, returns = (np.array([step[field] for step in steps]) for field in (1, 2, 3))
    np.savez_compressed(file, **fields, _masks=masks, _numbers=numbers, _returns=returns)


def load_demos(files: Sequence[Path]) -> dict[str, np.ndarray]:
    """Return the steps of all files, one array per field."""
    archives = [np.load(file) for file in files]
    return {
        name: np.concatenate([archive[name] for archive in archives]) for name in archives[0].files
    }


def clone(model: MaskablePPO, demos: dict[str, np.ndarray], epochs: int, seed: int) -> list[float]:
    """Train a model on actions and returns; return the mean likelihood of each epoch."""
    policy, random = model.policy, np.random.default_rng(seed)
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    count = len(demos["_numbers"])
    total = epochs * -(-count // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: 1 - done / total)
    likelihood = []
    policy.set_training_mode(True)
    for _ in range(epochs):
        order = random.permutation(count)
        epoch_likelihoods = []
        for start in range(0, count, BATCH):
            rows = order[start : start + BATCH]
            observations: Any = {
                name: torch.as_tensor(column[rows].astype(np.float32))
                for name, column in demos.items()
                if not name.startswith("_")
            }
            actions = torch.as_tensor(demos["_numbers"][rows])
            masks: Any = demos["_masks"][rows]
            values, log_likelihoods, _ = policy.evaluate_actions(observations, actions, masks)
            returns = torch.as_tensor(demos["_returns"][rows].astype(np.float32))
            loss: Any = -log_likelihoods.mean() + 0.5 * (values.flatten() - returns).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            epoch_likelihoods.append(float(log_likelihoods.detach().exp().mean()))
        likelihood.append(float(np.mean(epoch_likelihoods)))
        print(f"the expert's action has a mean likelihood of {likelihood[-1]:.3f}", flush=True)
    return likelihood


def main() -> None:
    """Collect demonstrations, imitate them, and save the model before and after."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--suite", required=True, help="grown tasks, such as grown.jsonl#train")
    parser.add_argument("--out", type=Path, default=Path("runs/cloned"))
    parser.add_argument("--episodes", type=int, default=500, help="of the expert")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--machine", default="fake", help="kind of machine")
    parser.add_argument("--max-steps", type=int, default=60, help="of an episode of the expert")
    parser.add_argument("--demos", type=Path, nargs="+", help="files .npz of episodes")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    files = options.demos or [options.out / "demos.npz"]
    config, start_sec = learner_config(options.suite), time.monotonic()
    env_options = {"suite": options.suite, "machine": options.machine}
    for file in (path for path in files if not path.exists()):
        env = learner_env(config, max_steps=options.max_steps, **env_options)
        try:
            save_demos(file, collect(env, options.episodes, options.seed))
        finally:
            env.close()
    demos = load_demos(files)
    vector = make_sb3(1, config=config, **env_options)
    try:
        model = new_model(vector, options.seed, config)
        model.save(options.out / "untrained.zip")
        likelihood = clone(model, demos, options.epochs, options.seed)
        model.save(options.out / "model.zip")
    finally:
        vector.close()
    summary = {
        "suite": options.suite,
        "seed": options.seed,
        "steps_of_the_expert": len(demos["_numbers"]),
        "likelihood": likelihood,
        "minutes": (time.monotonic() - start_sec) / 60,
    }
    (options.out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")


if __name__ == "__main__":
    main()
