"""Best of n from one state: fork a running episode and type a different title in each fork.

Run it with ``python examples/checkpoint_search.py`` (the fake machine, no setup) or ``python
examples/checkpoint_search.py --machine sandbox`` (real desktops, as root).
"""

import argparse
import contextlib
from typing import Any

from pptarena.envs import PPTArenaEnv, actions

TASK = "meridian-retitle-products"
OLD_TITLE = "Tents overtook footwear"
CANDIDATES = (
    "Tents are our largest line",
    "Tents are now our largest line",
    "Our largest line: tents",
    "Tents overtook footwear, at last",
)


def main() -> None:
    """Go to the slide, fork, and compare the scores of the candidates."""
    parser = argparse.ArgumentParser(description="Best of n from one state of an episode.")
    parser.add_argument("--machine", default="fake", help="fake (the default), sandbox or qemu")
    machine = parser.parse_args().machine
    with contextlib.ExitStack() as stack:
        env = stack.enter_context(contextlib.closing(PPTArenaEnv(task=TASK, machine=machine)))
        _, info = env.reset(seed=0)
        print(f"{info['task_id']}: {info['instruction']}")
        info = env.step(actions.key("Page_Down", repeat=6))[4]
        env.step(actions.triple_click(element=largest_element(info, OLD_TITLE)))

        forks = env.fork(len(CANDIDATES))
        for fork in forks:
            stack.callback(fork.close)
        scores = [finish(fork, text) for fork, text in zip(forks, CANDIDATES, strict=True)]
        for score, text in zip(scores, CANDIDATES, strict=True):
            print(f"  {score:.2f}  {text!r}")

        # The original episode is unaffected; finish it with the best title.
        best = CANDIDATES[scores.index(max(scores))]
        print(f"the best of {len(CANDIDATES)} gives {finish(env, best):.2f}: {best!r}")


def finish(env: PPTArenaEnv, title: str) -> float:
    """Type a title over the selected one, end the episode and return its score."""
    env.step(actions.type_text(title))
    return float(env.step(actions.done())[4]["score"])


def largest_element(info: dict[str, Any], text: str) -> int:
    """Return the largest element with a text: the shape on the slide, not its thumbnail."""
    matches = [
        node
        for node in info["a11y"]["nodes"]
        if node["element"] and text in (node["name"], node["text"])
    ]
    return int(max(matches, key=lambda node: node["box"][2] * node["box"][3])["element"])


if __name__ == "__main__":
    main()
