"""PPO of RLlib with action masks, one machine per environment.

make test-rllib                                # creates .venv-rllib, a separate environment
.venv-rllib/bin/python examples/train_rllib.py --out runs/rllib --machine sandbox --runners 2
.venv-rllib/bin/python examples/train_rllib.py --out runs/rllib --address HOST:6379   # a cluster

It wraps the result of `learner_env` so that observations are a dict with the action mask and the
screen features, which RLlib accepts directly. Measured results are those of examples/train_ppo.py.
On a cluster every computer needs pptarena and its image; a runner whose machine fails is restarted.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import ray
from gymnasium.wrappers import FlattenObservation
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from pptarena.wrappers import LearnerConfig, learner_env

CONFIG = LearnerConfig(
    marks=64,
    pointer=("click",),
    keys=("Delete", "ctrl+b", "ctrl+m", "ctrl+z", "Escape"),
    done=False,
    screenshot_px=None,
    name_size=32,
    instruction_size=32,
    goal=1.0,
    roles=("panel", "image"),
)


class MaskedScreen(gym.ObservationWrapper[Any, Any, Any]):
    """Observations for RLlib's masking module: ``action_mask`` and ``observations``."""

    def __init__(self, settings: dict[str, Any]) -> None:
        learner = learner_env(CONFIG, **settings)
        super().__init__(FlattenObservation(learner))
        flat_space = self.env.observation_space
        assert isinstance(flat_space, gym.spaces.Box)
        assert isinstance(self.env.action_space, gym.spaces.Discrete)
        masks = gym.spaces.Box(0.0, 1.0, (int(self.env.action_space.n),), np.float32)
        screen = gym.spaces.Box(-np.inf, np.inf, flat_space.shape, np.float32)
        self.observation_space = gym.spaces.Dict({"action_mask": masks, "observations": screen})

    def observation(self, observation: Any) -> dict[str, Any]:
        """Add the mask of valid actions."""
        masks = self.env.get_wrapper_attr("action_masks")()
        return {
            "action_mask": np.asarray(masks, np.float32),
            "observations": np.asarray(observation, np.float32),
        }


def main() -> None:
    """Train for a few updates, and save the results."""
    parser = argparse.ArgumentParser(description="PPO of RLlib.")
    parser.add_argument("--out", type=Path, required=True, help="folder of curve.json and model")
    parser.add_argument("--suite", default="all#first-steps")
    parser.add_argument("--machine", default="sandbox")
    parser.add_argument("--max-steps", type=int, default=6)
    parser.add_argument("--runners", type=int, default=2, help="processes with a machine each")
    parser.add_argument("--updates", type=int, default=2)
    parser.add_argument("--batch", type=int, default=256, help="steps of an update")
    parser.add_argument("--address", help="a Ray cluster; without it one is started here")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    ray.init(address=options.address, include_dashboard=False)
    config = (
        PPOConfig()
        .environment(
            MaskedScreen,
            env_config={
                "suite": options.suite,
                "machine": options.machine,
                "max_steps": options.max_steps,
                "reward": "dense",
            },
        )
        .env_runners(
            num_env_runners=options.runners,
            num_cpus_per_env_runner=1,
            rollout_fragment_length="auto",
            sample_timeout_s=600,
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"fcnet_hiddens": [128, 128]},
            )
        )
        .training(train_batch_size_per_learner=options.batch, minibatch_size=64, num_epochs=4)
        .debugging(seed=options.seed)
    )
    algorithm = config.build_algo()
    curve = []
    for number in range(1, options.updates + 1):
        results = algorithm.train()["env_runners"]
        row = {
            "update": number,
            "steps": int(results["num_env_steps_sampled_lifetime"]),
            "episodes": int(results["num_episodes_lifetime"]),
            "mean_return": float(results["episode_return_mean"]),
        }
        print(json.dumps(row), flush=True)
        curve.append(row)
    algorithm.save_to_path(str((options.out / "model").absolute()))
    (options.out / "curve.json").write_text(json.dumps(curve, indent=1))
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
