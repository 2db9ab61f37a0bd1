"""Whether `PPTArenaDoc-v0` with ``baseline="application"`` scores a deck as the screen does.

    python tools/document_agreement.py --suites bench extra --seconds 600
    python tools/document_agreement.py --sandbox meridian-hide-backup ...
    python tools/document_agreement.py --runs runs/macro runs/random

Of every task whose goal is an edit of the file, four decks are scored: the goal, the goal with a
slide of it gone, with a title spoilt, and the original with a title spoilt; of tasks of several
turns also the goals of all turns, as they are and with a title spoilt at last. On one side the
document environment holds the deck, the application saves what the environment writes, and that is
scored; on the other side the application saves the deck itself and the grader of the screen scores
it. With ``--sandbox``, demonstrations play in real sandboxes, and what their application saved is
scored by the document environment. With ``--runs``, the decks that stored episodes of screens ended
with are scored by it, and the score is compared with the one that was stored; of those that differ,
the line names the parts of the rubric that do. One line of JSON a deck, then how many agree. Exits
with 1 if one does not.
"""

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.decks.edits import shape_elements
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.envs import PPTArenaEnv
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import EnvConfig
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.doc_episode import DocEpisode
from pptarena.envs.document.toolbox import ENDS
from pptarena.envs.document.zipped import WrittenParts
from pptarena.envs.grading import Grading
from pptarena.errors import ActionError
from pptarena.rollouts.episode import DOCUMENT, EpisodeMeta
from pptarena.rollouts.store import find_episodes, read_meta, read_steps
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import turn_file
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.goals import goal_deck, goals_of_turns, has_goal
from pptarena.vm_images.office import Office

_SAME = 1e-9


def main() -> None:
    """Compare, print one line per deck, then the number of agreements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suites", nargs="*", default=["bench", "extra"])
    parser.add_argument("--seconds", type=float, default=math.inf, help="no new deck after these")
    parser.add_argument("--every", type=int, default=1, help="take every n-th task only")
    parser.add_argument("--sandbox", nargs="*", default=[], help="tasks to play on the screen")
    parser.add_argument("--runs", nargs="*", type=Path, default=[], help="folders of episodes")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    if given.runs:
        rows = _stored(given.runs, given.every)
    elif given.sandbox:
        rows = _sandbox(given.sandbox)
    else:
        rows = _files(given.suites, given.every)
    count, differing, left_out = 0, Counter[str](), Counter[str]()
    for row in rows:
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()
        if "left out" in row:
            left_out[row["left out"]] += 1
            continue
        count += 1
        if row["document"] is None or abs(row["screen"] - row["document"]) > _SAME:
            differing[row.get("cause", "")] += 1
        if time.monotonic() > end:
            break
    differ = differing.total()
    found = {"decks": count, "agree": count - differ, "differ": differ}
    causes = {"causes": dict(differing), "left_out": dict(left_out)}
    sys.stdout.write(json.dumps(found | causes) + "\n")
    if differ:
        sys.exit(1)


def _files(suites: list[str], every: int) -> Iterator[dict[str, Any]]:
    tasks = [task for suite in suites for task in list_tasks(suite) if has_goal(task)]
    for task in tasks[::every]:
        with TemporaryDirectory() as folder:
            variants = list(_variants(task))
            _save_ahead([task.deck_bytes(), *{deck for _, decks in variants for deck in decks}])
            for name, decks in variants:
                screen = _on_screen(task, decks, BaselineStore(Path(folder)))
                document = _on_document(task, decks)
                yield {"task": task.id, "deck": name, "screen": screen, "document": document}


def _save_ahead(decks: list[bytes]) -> None:
    """Save decks and the document's output for each in one run of the application.

    Starting the application takes longer than saving most decks. The results are cached.
    """
    written = [WrittenParts().of(open_presentation(deck).part.package).packed() for deck in decks]
    Office().save_all([*decks, *written])


def _variants(task: Task) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """Yield possible results of an episode: one deck per completed turn."""
    goal = goal_deck(task)
    yield "goal", (goal,)
    yield "a slide gone", (_without_slide(goal),)
    yield "a title spoilt", (_spoilt(goal),)
    yield "only a title spoilt", (_spoilt(task.deck_bytes()),)
    if task.turns:
        goals = goals_of_turns(task)
        yield "goals of all turns", goals
        yield "goals of all turns, a title spoilt at last", (*goals[:-1], _spoilt(goals[-1]))


def _without_slide(deck: bytes) -> bytes:
    presentation = open_presentation(deck)
    entry = presentation.slides._sldIdLst[-1]
    presentation.part.drop_rel(entry.rId)
    presentation.slides._sldIdLst.remove(entry)
    return save_presentation(presentation)


def _spoilt(deck: bytes) -> bytes:
    presentation = open_presentation(deck)
    for slide in presentation.slides:
        if slide.shapes.title is not None and shape_elements(slide._element):
            slide.shapes.title.text = "Spoilt"
            break
    return save_presentation(presentation)


def _on_screen(task: Task, decks: tuple[bytes, ...], baselines: BaselineStore) -> float:
    file, saver = task.deck_bytes(), Office()
    grading = Grading.of(EnvConfig(judge=None), baselines, drawable=True)
    grader = grading.grader(task, file, "compared", lambda: saver.save(file))
    for number, deck in enumerate(decks):
        if number:
            grader.next_turn()
        grader.grade(saver.save(deck), is_last=True)
        grader.end_turn(infeasible=not _is_feasible(task, number))
    return grader.score


def _on_document(task: Task, decks: tuple[bytes, ...]) -> float:
    env = PPTArenaDocEnv(task=task, baseline="application", judge=None, score_when="end")
    env.reset(seed=0)
    episode = env._require_episode()
    for number, deck in enumerate(decks):
        is_cut_off = number == len(decks) - 1 and not episode.is_last_turn
        _put(episode, deck)
        if is_cut_off:
            episode.grade_finally(infeasible=False)
        else:
            env.step(ToolCall("done" if _is_feasible(task, number) else "fail", {}))
    env.close()
    return episode.score


def _is_feasible(task: Task, turn: int) -> bool:
    """Return whether a turn, 0-based, is feasible."""
    return task.turns[turn - 1].feasible if turn else task.feasible


def _stored(runs: list[Path], every: int) -> Iterator[dict[str, Any]]:
    folders = [folder for run in runs for folder in find_episodes(run)]
    for folder in folders[::every]:
        meta = read_meta(folder)
        row = {"task": meta.task, "deck": str(folder), "screen": meta.score, "document": None}
        if why := _cannot_be_compared(folder, meta):
            yield row | {"left out": why}
            continue
        try:
            score, rubric = _played_again(folder, get_task(meta.task))
        except ActionError as error:
            yield row | {"cause": f"refused: {error}"}
            continue
        row["document"] = score
        if meta.score is not None and abs(meta.score - score) > _SAME:
            stored = json.loads((folder / "rubric.json").read_text("utf-8"))
            row["cause"] = "; ".join(_differences(stored, rubric)) or "the same leaves"
        yield row


def _cannot_be_compared(folder: Path, meta: EpisodeMeta) -> str:
    """Return why an episode cannot be compared; empty if it can."""
    if meta.machine == DOCUMENT:
        return "played on a document"
    if meta.score is None or meta.infra_error is not None:
        return "not scored"
    if meta.overload is not None:
        return "overload: the score is that of what was left"
    if not (folder / "final.pptx").is_file():
        return "no final deck"
    ends = [step for step in read_steps(folder) if step.action.kind in ENDS]
    turns = min(len(ends), len(get_task(meta.task).turns))
    if not all((folder / f"{turn_file(turn)}.pptx").is_file() for turn in range(1, turns + 1)):
        return "the deck of a turn is not stored"
    if meta.task_digest and meta.task_digest != task_digest(get_task(meta.task)):
        return "the task is another one here"
    return ""


def _played_again(folder: Path, task: Task) -> tuple[float, dict[str, Any]]:
    """Return score and rubric of stored decks, each loaded into the document as its turn ends.

    Raises:
        ActionError: If a document refuses a deck.
    """
    ends = [step.action.kind for step in read_steps(folder) if step.action.kind in ENDS]
    env = PPTArenaDocEnv(
        task=task, baseline="application", judge=None, score_when="end", max_steps=10_000
    )
    try:
        env.reset(seed=0)
        episode = env._require_episode()
        for turn, end in enumerate(ends, 1):
            name = turn_file(turn) if turn <= len(task.turns) else "final"
            _put(episode, (folder / f"{name}.pptx").read_bytes())
            infra_error = env.step(ToolCall(end, {}))[4]["infra_error"]
            assert infra_error is None, infra_error
        if len(ends) <= len(task.turns):  # the step budget ended it
            _put(episode, (folder / "final.pptx").read_bytes())
            episode.grade_finally(infeasible=False)
        return episode.score, episode._grader.rubric()
    finally:
        env.close()


def _put(episode: DocEpisode, deck: bytes) -> None:
    episode._document.replace(deck)
    episode._revision += 1


def _differences(stored: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield the leaves of a rubric with different scores, and both reasons."""
    below = list(zip(stored.get("children", ()), now.get("children", ()), strict=False))
    found = [each for pair in below for each in _differences(*pair)]
    if found:
        yield from found
    elif stored["score"] != now["score"]:
        reasons = f"{stored['reason']!r} on the screen, {now['reason']!r} on the document"
        yield f"{stored['name']}: {stored['score']} and {now['score']}, {reasons}"


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
        decks = (*env.turn_decks(), final)
        env.close()
        yield {
            "task": name,
            "deck": "saved by the sandbox",
            "screen": info["score"],
            "document": _on_document(task, decks),
        }


if __name__ == "__main__":
    main()
