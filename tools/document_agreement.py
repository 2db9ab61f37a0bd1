"""Whether `PPTArenaDoc-v0` with ``baseline="application"`` scores a deck as the screen does.

    python tools/document_agreement.py --suites bench office turns --seconds 600
    python tools/document_agreement.py --sandbox meridian-hide-backup ...

Of every task whose goal is an edit of the file, four decks are scored: the goal, the goal with a
slide of it gone, with a title spoilt, and the original with a title spoilt. On one side the
document environment holds the deck, the application saves what the environment writes, and that is
scored; on the other side the application saves the deck itself and the grader of the screen scores
it. With
``--sandbox``, demonstrations play in real sandboxes, and what their application saved is scored by
the document environment. One line of JSON a deck.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.audits.goals import goal_deck, has_goal
from pptarena.decks.edits import shape_elements
from pptarena.envs import PPTArenaEnv
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import EnvConfig
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.grading import Grading
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.grow.edits import opened, saved
from pptarena.vm_images.office_saver import OfficeSaver


def main() -> None:
    """Compare, and print a line for each deck, then how many agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suites", nargs="*", default=["bench", "office", "turns"])
    parser.add_argument("--seconds", type=float, default=600.0, help="no new task after these")
    parser.add_argument("--every", type=int, default=1, help="take every n-th task only")
    parser.add_argument("--sandbox", nargs="*", default=[], help="tasks to play on the screen")
    given = parser.parse_args()
    begin, count, same = time.monotonic(), 0, 0
    rows = _sandbox(given.sandbox) if given.sandbox else _files(given.suites, given.every)
    for row in rows:
        count, same = count + 1, same + (row["screen"] == row["document"])
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()
        if time.monotonic() - begin > given.seconds:
            break
    sys.stdout.write(json.dumps({"decks": count, "agree": same}) + "\n")


def _files(suites: list[str], every: int) -> Iterator[dict[str, Any]]:
    tasks = [task for suite in suites for task in list_tasks(suite) if has_goal(task)]
    for task in tasks[::every]:
        with TemporaryDirectory() as folder:
            for name, deck in _variants(task):
                screen = _on_screen(task, deck, BaselineStore(Path(folder)))
                document = _on_document(task, deck)
                yield {"task": task.id, "deck": name, "screen": screen, "document": document}


def _variants(task: Task) -> Iterator[tuple[str, bytes]]:
    goal = goal_deck(task)
    yield "goal", goal
    yield "a slide gone", _without_slide(goal)
    yield "a title spoilt", _spoilt(goal)
    yield "only a title spoilt", _spoilt(task.deck_bytes())


def _without_slide(deck: bytes) -> bytes:
    presentation = opened(deck)
    entry = presentation.slides._sldIdLst[-1]
    presentation.part.drop_rel(entry.rId)
    presentation.slides._sldIdLst.remove(entry)
    return saved(presentation)


def _spoilt(deck: bytes) -> bytes:
    presentation = opened(deck)
    for slide in presentation.slides:
        if slide.shapes.title is not None and shape_elements(slide._element):
            slide.shapes.title.text = "Spoilt"
            break
    return saved(presentation)


def _on_screen(task: Task, deck: bytes, baselines: BaselineStore) -> float:
    file, saver = task.deck_bytes(), OfficeSaver()
    grading = Grading.of(EnvConfig(judge=None), baselines, drawable=True)
    grader = grading.grader(task, file, "compared", lambda: saver.save(file))
    grader.grade(saver.save(deck), is_last=True)
    return grader.score


def _on_document(task: Task, deck: bytes) -> float:
    env = PPTArenaDocEnv(task=task, baseline="application", judge=None, score_when="end")
    env.reset(seed=0)
    episode = env._episode
    assert episode is not None
    episode._document.replace(deck)
    episode._revision += 1
    if episode.is_last_turn:
        info = env.step(ToolCall("done", {}))[4]
    else:
        episode.grade_finally(infeasible=False)
        info = {"score": episode._grader._grader.score}
    env.close()
    return float(info["score"])


def _sandbox(tasks: list[str]) -> Iterator[dict[str, Any]]:
    for name in tasks:
        task = get_task(name)
        env = PPTArenaEnv(task=task, machine="sandbox", judge=None)
        observation, info = env.reset(seed=0)
        agent: Any = DemonstrationAgent()
        agent.reset(info, 0)
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
            over = terminated or truncated
        final = env._session.require_episode()._grader._grader.current_file()
        env.close()
        yield {
            "task": name,
            "deck": "saved by the sandbox",
            "screen": info["score"],
            "document": _on_document(task, final),
        }


if __name__ == "__main__":
    main()
