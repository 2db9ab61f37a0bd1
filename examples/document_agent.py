"""A rule-based agent for the document environment: reads the outline and calls a tool.

python -m examples.document_agent
"""

import re

import gymnasium as gym

import pptarena  # noqa: F401 - registers the environments


def play() -> float:
    """Hide the slide titled as a backup; return the score."""
    env = gym.make("PPTArenaDoc-v0", task="meridian-hide-backup", judge=None)
    observation, info = env.reset(seed=0)
    print(observation["instruction"])
    for slide in re.split(r"\n(?=slide )", observation["outline"]):
        match = re.match(r"slide \d+, id (\d+)", slide)
        if match and "backup" in slide.lower():
            call = {"tool": "hide_slide", "arguments": {"slide": int(match[1])}}
            observation, reward, _, _, info = env.step(call)
            print(f"{call}: {observation['result']}, reward {reward}")
    *_, info = env.step({"tool": "done"})
    env.close()
    return float(info["score"])


if __name__ == "__main__":
    print(f"score {play()}")
