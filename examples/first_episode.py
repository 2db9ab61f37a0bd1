"""A first episode: reset, print the observation, take three actions.

Run it with ``python examples/first_episode.py`` (real LibreOffice; build the image first with
``pptarena image build``) or ``python examples/first_episode.py fake`` (no setup).
"""

import sys

import gymnasium as gym

import pptarena  # registers the environments
from pptarena.envs import actions


def main() -> None:
    """Click the first element that has a name, press Escape, finish."""
    machine = sys.argv[1] if len(sys.argv) > 1 else "sandbox"
    env = gym.make("PPTArena-v0", machine=machine)
    obs, info = env.reset(seed=0)
    print(f"pptarena {pptarena.__version__}, task {info['task_id']}: {info['instruction']}")
    print(f"screen {obs['screenshot'].shape}, {obs['element_count']} elements, such as:")
    named = [node for node in info["a11y"]["nodes"] if node["element"] and node["name"]]
    for node in named[:5]:
        print(f"  {node['element']:3} {node['role']} {node['name']!r}")

    click = actions.click(element=named[0]["element"])
    for action in (click, actions.key("Escape"), actions.done()):
        obs, reward, terminated, truncated, info = env.step(actions.to_space(action))
        error = f" (refused: {info['action_error']})" if info["action_error"] else ""
        print(f"{action}: reward {float(reward):.2f}, score {info['score']:.2f}{error}")
        if terminated or truncated:
            break
    env.close()


if __name__ == "__main__":
    main()
