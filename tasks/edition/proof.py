"""Prove a task of an edition: no work scores 0, the target scores 1, and no old name remains."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from pptarena.decks import read_deck
from pptarena.decks.package.files import read_bytes
from pptarena.decks.validity import validate_deck
from pptarena.errors import DeckError, TaskError, UnscoredError
from pptarena.rewards import score
from pptarena.tasks import Task
from pptarena.tasks.edition.files import file_texts
from pptarena.tasks.edition.substitution import Substitution
from pptarena.tasks.edition.task_text import task_texts
from pptarena.tasks.goals import goals_of_turns
from pptarena.tasks.quality.proofs import prove_leaves
from pptarena.tasks.task_file import load_task

__all__ = ["faults_of"]


def faults_of(folder: Path, by: Substitution) -> list[str]:
    """Return the faults of an edition's task folder; empty if the task is proven.

    Args:
        folder: The task's folder.
        by: The substitution that was applied.
    """
    try:
        task = load_task(folder)
        return [*_scores(task), *_leaves(task), *_broken(folder), *_left(folder, by)]
    except (DeckError, TaskError, UnscoredError) as error:
        return [str(error)]


def _scores(task: Task) -> Iterator[str]:
    """Yield the turns in which no work scores above 0 or the target scores below 1."""
    decks = (task.deck_bytes(), *goals_of_turns(task))
    if len(decks) <= len(task.turns) + 1:
        yield f"the goal of turn {len(decks)} is not known"
    for number, (before, after) in enumerate(pairwise(decks), 1):
        turn = task.at(number)
        if not turn.feasible:
            continue
        start, end = read_deck(before), read_deck(after)
        for deck, name, expected in ((start, "no work", 0.0), (end, "the goal", 1.0)):
            found = score(turn.rubric, start, deck, turn.scope, gold=end, targets=(end,)).score
            if found != expected:
                yield f"turn {number}: {name} scores {found}, expected {expected}"


def _leaves(task: Task) -> Iterator[str]:
    for leaf in prove_leaves(task) or ():
        if not leaf.ok:
            yield f"the leaf {leaf.name!r} is {leaf.verdict}: {leaf.reason}"


def _broken(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.pptx")):
        problems = validate_deck(read_bytes(path))
        if problems:
            yield f"{path.name}: {len(problems)} problems, first {problems[0]}"


def _left(folder: Path, by: Substitution) -> Iterator[str]:
    """Yield the remaining old names."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if path.name == "task.json":
            texts = list(task_texts(json.loads(path.read_text("utf-8"))))
        else:
            texts = file_texts(path.name, read_bytes(path))
        left = {word for text in (path.name, *texts) for word in by.leftovers(text)}
        for word in sorted(left):
            yield f"{path.name}: {word!r} is still there"
