"""Two environments in separate processes, with random actions.

Run it with ``python examples/vector_rollout.py`` (real LibreOffice) or ``python
examples/vector_rollout.py fake``.
"""

import sys
import time

import gymnasium as gym
import numpy as np

import pptarena  # noqa: F401  (registers the environments)

NUM_ENVS = 2
STEPS = 50


def main() -> None:
    """Take random steps in all environments concurrently and print the speed."""
    machine = sys.argv[1] if len(sys.argv) > 1 else "sandbox"
    envs = gym.make_vec("PPTArena-v0", num_envs=NUM_ENVS, machine=machine)
    try:
        observations, _ = envs.reset(seed=0)
        envs.action_space.seed(0)
        print(f"screenshots {observations['screenshot'].shape}")
        returns = np.zeros(NUM_ENVS)
        start_sec = time.perf_counter()
        for _ in range(STEPS):
            _, rewards, _, _, _ = envs.step(envs.action_space.sample())
            returns += rewards
        duration_sec = time.perf_counter() - start_sec
        print(f"{NUM_ENVS * STEPS / duration_sec:.1f} steps per second, returns {returns}")
    finally:
        envs.close()


if __name__ == "__main__":
    main()
