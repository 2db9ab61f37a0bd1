"""How fast `PPTArenaDoc-v0` is on a deck of 40 slides, in CPU time of one process.

    python tools/document_speed.py [--calls 200] [--profile]

The deck is that of ``pptarena dev bench --scoring``: text, pictures, tables, charts, notes and
animations.
"""

import argparse
import cProfile
import json
import pstats
import sys
import time
from collections.abc import Iterator
from typing import Any

from pptarena.cli.speed_deck import EDITED_SLIDE, SLIDES, speed_deck
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.rewards import Scope
from pptarena.tasks.task import INTACT_RUBRIC, Task


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--profile", action="store_true", help="where scored steps spend it")
    given = parser.parse_args()
    task = _task(speed_deck())
    found: dict[str, object] = {"slides": SLIDES, "calls": given.calls}
    found["calls_per_sec"] = _rate(task, given.calls, score_when="end", facts=False)
    found["calls_with_facts_per_sec"] = _rate(task, given.calls, score_when="end", facts=True)
    profile = cProfile.Profile() if given.profile else None
    found["scored_steps_per_sec"] = _rate(task, given.calls, score_when="change", profile=profile)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    if profile is not None:
        pstats.Stats(profile).sort_stats("cumtime").print_stats("decks|rewards|envs|opc", 60)


def _task(deck: bytes) -> Task:
    return Task(
        id="speed",
        suite="here",
        difficulty="easy",
        level="L1",
        edit_types=(),
        deck=deck,
        instruction="Edit.",
        max_steps=100_000,
        rubric=INTACT_RUBRIC,
        scope=Scope(),
    )


def _rate(
    task: Task, calls: int, profile: cProfile.Profile | None = None, **settings: Any
) -> float:
    """Return calls per second of CPU time, excluding the first five calls."""
    env = PPTArenaDocEnv(task=task, judge=None, **settings)
    env.reset(seed=0)
    edits = _edits(env)
    for _ in range(5):
        env.step(next(edits))
    begin = time.process_time()
    if profile is not None:
        profile.enable()
    for _ in range(calls):
        info = env.step(next(edits))[4]
        assert info["action_error"] is None, info["action_error"]
    if profile is not None:
        profile.disable()
    spent = time.process_time() - begin
    env.close()
    return round(calls / spent, 1)


def _edits(env: PPTArenaDocEnv) -> Iterator[ToolCall]:
    """Yield different edits of four slides in turn: text, positions, formatting."""
    ids = env.unwrapped._require_episode()._document.slide_ids()  # type: ignore[attr-defined]
    slides = [ids[EDITED_SLIDE - 1 + 7 * each] for each in range(4)]
    title = {each: _title(env, each) for each in slides}
    for number in range(10**9):
        slide = slides[number % 4]
        at = {"slide": slide, "shape": title[slide]}
        yield (
            ToolCall.of("set_text", **at, text=f"Edited {number}"),
            ToolCall.of("move_shape", **at, left_cm=number % 19 / 10),
            ToolCall.of("set_run_format", **at, size_pt=20 + number % 17),
            ToolCall.of("set_notes", slide=slide, text=f"Notes {number}"),
        )[number // 4 % 4]


def _title(env: PPTArenaDocEnv, slide: int) -> int:
    document = env.unwrapped._require_episode()._document  # type: ignore[attr-defined]
    return int(document.slide(slide).shapes.title.shape_id)


if __name__ == "__main__":
    main()
