"""Group rollouts from one state, and their group-relative advantages.

Run it with ``python examples/group_advantages.py`` (the fake machine, no setup) or ``python
examples/group_advantages.py --machine sandbox`` (real desktops, as root).
"""

import argparse
import contextlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from pptarena.envs import PPTArenaEnv, actions
from pptarena.envs.actions import Action
from pptarena.rollouts.groups import group_advantages, group_rollouts

TASK = "meridian-retitle-products"
TITLES = (
    "Tents are now our largest line",
    "Tents are our largest line",
    "Our tents",
    "Tents overtook footwear",
)


class Sampler:
    """A stand-in for a policy: samples a title, types it and ends the episode."""

    def __init__(self) -> None:
        self._plan: list[Action] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Sample a title."""
        title = np.random.default_rng(seed).choice(TITLES)
        self._plan = [actions.type_text(str(title)), actions.done()]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action."""
        return self._plan.pop(0)


def main() -> None:
    """Go to the state of interest, sample a group from it and compare its members."""
    parser = argparse.ArgumentParser(description="Group rollouts from one state.")
    parser.add_argument("--machine", default="fake", help="fake (the default), sandbox or qemu")
    parser.add_argument("--size", type=int, default=6, help="rollouts in the group")
    options = parser.parse_args()
    env = PPTArenaEnv(task=TASK, machine=options.machine)
    with contextlib.closing(env):
        _, info = env.reset(seed=0)
        print(f"{info['task_id']}: {info['instruction']}")
        info = env.step(actions.key("Page_Down", repeat=6))[4]
        env.step(actions.triple_click(element=_title_element(info)))

        group = group_rollouts(env, Sampler, options.size)
        advantages = group_advantages([member.total_reward for member in group])
        for member, advantage in zip(group, advantages, strict=True):
            value = "none" if advantage is None else f"{advantage:+.2f}"
            print(f"  reward {member.total_reward:.2f}  advantage {value}  {member.actions[0]}")


def _title_element(info: Mapping[str, Any]) -> int:
    """Return the largest element with the old title: the shape on the slide, not its thumbnail."""
    matches = [
        node
        for node in info["a11y"]["nodes"]
        if node["element"] and TITLES[-1] in (node["name"], node["text"])
    ]
    return int(max(matches, key=lambda node: node["box"][2] * node["box"][3])["element"])


if __name__ == "__main__":
    main()
