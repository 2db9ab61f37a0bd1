"""Play recorded plans as Navi does, with elements from pixels alone: do they suffice to act on?

python -m tools.scripted_navi runs/macro --out runs/pixels --machine sandbox

A script takes the place of Navi's model. It knows the plan of a solved episode, reads the list of
elements in Navi's request, and answers in the dialect ``waa``. A click that was recorded at an
element of the accessibility tree is aimed at the ID of a pixel element: the closest one with the
same name or text, else the closest one, among those with their center in the recorded box. Elements
with the same text may be 40 pixels away, since some boxes of the tree are shifted. If there is no
such element, the task is not solved. Clicks at bare points of a slide keep their point. A click on
the text of a shape edits the text; where the recorded click selected the shape, the script also
presses Escape.

The episodes are stored in ``--out``, so ``pptarena report`` shows them. The same command continues
there: stored episodes are not played again, except with ``--again`` those that are not solved.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from pptarena.agents.dialects import get_dialect
from pptarena.agents.dialects.base import Screen
from pptarena.agents.model import ModelSettings
from pptarena.agents.navi import NaviAgent
from pptarena.envs.action import Action
from pptarena.errors import AgentError
from pptarena.models import Answer, Reply, Request
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import EpisodeMeta, StepRecord
from pptarena.rollouts.play import play
from pptarena.rollouts.reading import read_json
from pptarena.rollouts.store import episode_path, find_episodes, read_meta, read_steps
from pptarena.tasks import find_task

NAME = "navi-script"
"""Name of the agent in the store."""

_SOLVED = 0.999
_SHIFT_PX = 40
_NUMBER = r"([\d.]+)"
_ELEMENT = re.compile(
    rf"^\[(\d+)\] ([a-z ]+) (['\"].*['\"]).* at \({', '.join([_NUMBER] * 4)}\)$", re.MULTILINE
)
_SEE = "waa-text"  # the script looks at no picture
_ESCAPE, _END = 'computer.keyboard.press("escape")', "\n```"
_TEXT_TOKENS = 50_000  # the list of elements is never shortened


class Script:
    """Answers Navi's requests with the actions of a plan, one per request."""

    def __init__(self) -> None:
        self._size = (1, 1)
        self._steps: list[StepRecord] = []
        self._folder = Path()

    def start(self, folder: Path) -> None:
        """Start the plan of a stored episode."""
        width, height = read_meta(folder).screen
        self._folder, self._size = folder, (width, height)
        self._steps = list(read_steps(folder))

    def ask(self, request: Request) -> Answer:
        """Return the next action as code.

        Raises:
            AgentError: If the plan is over, or no element in the list fits its next action.
        """
        if not self._steps:
            raise AgentError("the plan is over, but the episode is not")
        step = self._steps.pop(0)
        elements = _ELEMENT.findall(request.turns[-1].text)
        action = self._aimed(step, elements)
        screen = Screen(self._size, [(0.5, 0.5)] * len(elements))
        reply = get_dialect("waa").render(action, screen, f"Step {step.step} of the plan.")
        if action.element and self._selects(step):
            role = next(each[1] for each in elements if int(each[0]) == action.element)
            if role == "label":
                reply = Reply(f"{reply.text.removesuffix(_END)}\n{_ESCAPE}{_END}")
        return Answer(reply)

    def _selects(self, step: StepRecord) -> bool:
        """Return whether a recorded click selected a shape without editing its text."""
        if step.action.kind != "click" or not self._steps:
            return False
        if step.aim.target is None or step.aim.target["role"] != "panel":
            return False
        nodes = read_json(self._folder, self._steps[0].a11y_file)["nodes"]
        focused = [node for node in nodes if "focused" in node["states"]]
        return any(
            node["role"] == "panel" and "selected" in node["states"] for node in focused
        ) and all(node["role"] != "paragraph" for node in focused)

    def _aimed(self, step: StepRecord, elements: Sequence[tuple[str, ...]]) -> Action:
        action, target, point = step.action, step.aim.target, step.aim.point
        plain = {name: getattr(action, name) for name in ("kind", "keys", "text", "amount")}
        if not action.element or target is None or point is None:
            return Action(**plain, xy=action.xy, end_xy=action.end_xy)
        width, height = self._size
        left, top, wide, high = target["box"]
        texts = set(filter(None, map(_plain, self._texts(step))))
        found = []
        for number, _, name, *corners in elements:
            x0, y0, x1, y1 = map(float, corners)
            x, y = (x0 + x1) / 2 * width, (y0 + y1) / 2 * height
            distance = abs(x - point[0]) + abs(y - point[1])
            same, inside = _plain(name) in texts, left <= x < left + wide and top <= y < top + high
            if inside or (same and distance <= _SHIFT_PX):
                found.append((not same, distance, int(number)))
        if not found:
            name = f"{target['role']} {target['name']!r}"
            raise AgentError(f"step {step.step}: no pixel element in {name} {target['box']}")
        return Action(**plain, element=min(found)[2], end_xy=action.end_xy)

    def _texts(self, step: StepRecord) -> Iterator[str]:
        """Yield the name and the text of the target."""
        target = step.aim.target or {}
        yield target["name"]
        if step.a11y_file:
            for node in read_json(self._folder, step.a11y_file)["nodes"]:
                if (node["role"], node["box"]) == (target["role"], target["box"]):
                    yield node["text"]

    def close(self) -> None:
        """Do nothing: there is no connection."""


def main() -> None:
    """Play the plans of a run and print the table."""
    parser = argparse.ArgumentParser(description="Play plans with elements from pixels.")
    parser.add_argument("run", type=Path, help="a run with elements of the tree")
    parser.add_argument("--out", type=Path, required=True, help="folder of the episodes")
    parser.add_argument("--machine", default="sandbox")
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--detectors", default="text,boxes")
    parser.add_argument("--again", action="store_true", help="play unsolved tasks again")
    options = parser.parse_args()
    script = Script()
    settings = ModelSettings(model="script", see=_SEE, text_tokens=_TEXT_TOKENS, name=NAME)
    agent = NaviAgent(settings, service=script)
    names = options.detectors.split(",")
    env = make_env(options.machine, elements="pixels", detectors=names, score_when="end")
    with closing(env):
        for source in _plans(options.run, options.difficulty):
            meta = read_meta(source)
            place = episode_path(options.out, NAME, meta.task, meta.seed)
            if place.exists():
                if _solved(place) or not options.again:
                    continue
                shutil.rmtree(place)
            script.start(source)
            task = find_task(meta.task, place=meta.task_place)
            failed = episode_path(options.out, NAME, meta.task, meta.seed, 1)
            stored = play(
                env,
                agent,
                agent_name=NAME,
                task=task,
                seed=meta.seed,
                place=place,
                failed_place=failed,
            )
            sys.stderr.write(f"{_row(stored.folder)}\n")
    sys.stdout.write("\n".join(_table(options.out)) + "\n")


def _plans(run: Path, difficulty: str) -> list[Path]:
    """Return the solved episodes of feasible tasks, the shortest first."""
    found = []
    for folder in find_episodes(run):
        meta = read_meta(folder)
        if meta.difficulty == difficulty and meta.feasible and (meta.score or 0.0) >= _SOLVED:
            found.append((meta.steps, folder))
    return [folder for _, folder in sorted(found)]


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _solved(folder: Path) -> bool:
    return (read_meta(folder).score or 0.0) >= _SOLVED


def _table(out: Path) -> Iterator[str]:
    yield "| task | score | steps | by ID | by point | why not |"
    yield "|---|---|---|---|---|---|"
    folders = [each for each in find_episodes(out) if read_meta(each).infra_error is None]
    yield from map(_row, folders)
    solved = sum(map(_solved, folders))
    yield f"\n{solved} of {len(folders)} tasks solved"


def _row(folder: Path) -> str:
    meta: EpisodeMeta = read_meta(folder)
    steps = list(read_steps(folder))
    by_id = sum(step.action.element > 0 for step in steps)
    by_point = sum(step.action.xy is not None for step in steps)
    score = "none" if meta.score is None else f"{meta.score:.2f}"
    reason = (meta.infra_error or meta.agent_error or "").strip().splitlines()
    cells = (meta.task, score, meta.steps, by_id, by_point, reason[-1] if reason else "")
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
