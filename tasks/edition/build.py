"""Build an edition of a suite: a folder of tasks on decks with other names and figures."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from pptarena.decks import read_deck
from pptarena.decks.package.files import read_bytes
from pptarena.decks.validity import validate_deck
from pptarena.errors import DeckError, TaskError, UnscoredError
from pptarena.rewards import score
from pptarena.tasks import Task, get_task
from pptarena.tasks.canary import CANARY
from pptarena.tasks.deck_source import deck_label, read_source
from pptarena.tasks.edition.deck_names import load_names, supported_decks
from pptarena.tasks.edition.files import file_texts, rewrite_deck, rewrite_file
from pptarena.tasks.edition.order import slide_ids
from pptarena.tasks.edition.style import named_colors
from pptarena.tasks.edition.substitution import Substitution
from pptarena.tasks.edition.task_text import rewrite_task, task_texts
from pptarena.tasks.edition.variant import Variant, draw_variant
from pptarena.tasks.goals import goal_decks, has_goal
from pptarena.tasks.quality.proofs import prove_leaves
from pptarena.tasks.registry import packaged_ids, packaged_spec
from pptarena.tasks.solution_macros import has_macros, macros_of
from pptarena.tasks.task_file import load_task
from pptarena.tasks.task_files import read_files

__all__ = ["NOTICE", "EditedTask", "Edition", "make_edition"]

NOTICE = "EDITION.md"
"""File name of an edition's description in its folder."""


def faults_of(folder: Path, by: Substitution) -> list[str]:
    """Return the faults of an edition's task folder; empty if the task is proven.

    Args:
        folder: The task's folder.
        by: The substitution that was applied.
    """
    try:
        task = load_task(folder)
        return [
            *_score_faults(task),
            *_leaf_faults(task),
            *_validity_faults(folder),
            *_leftover_names(folder, by),
        ]
    except (DeckError, TaskError, UnscoredError) as error:
        return [str(error)]


def _score_faults(task: Task) -> Iterator[str]:
    """Yield the turns whose original does not score 0, or whose target deck does not score 1."""
    decks = (task.deck_bytes(), *goal_decks(task))
    if len(decks) <= len(task.turns) + 1:
        yield f"the target deck of turn {len(decks)} is not known"
    for number, (before, after) in enumerate(pairwise(decks), 1):
        turn = task.at(number)
        if not turn.feasible:
            continue
        start, end = read_deck(before), read_deck(after)
        for deck, name, expected in ((start, "the original", 0.0), (end, "the target deck", 1.0)):
            actual = score(turn.rubric, start, deck, turn.scope, gold=end, targets=(end,)).score
            if actual != expected:
                yield f"turn {number}: {name} scores {actual}, expected {expected}"


def _leaf_faults(task: Task) -> Iterator[str]:
    for leaf in prove_leaves(task) or ():
        if not leaf.ok:
            yield f"the leaf {leaf.name!r} is {leaf.verdict}: {leaf.reason}"


def _validity_faults(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.pptx")):
        problems = validate_deck(read_bytes(path))
        if problems:
            yield f"{path.name}: {len(problems)} problems, first {problems[0]}"


def _leftover_names(folder: Path, by: Substitution) -> Iterator[str]:
    """Yield the names of the packaged deck that remain."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if path.name == "task.json":
            texts = list(task_texts(json.loads(path.read_text("utf-8"))))
        else:
            texts = file_texts(path.name, read_bytes(path))
        leftovers = {word for text in (path.name, *texts) for word in by.leftovers(text)}
        for word in sorted(leftovers):
            yield f"{path.name}: the original name {word!r} remains"


@dataclass(frozen=True, slots=True)
class EditedTask:
    """A task of an edition, or the reasons why it is missing.

    Attributes:
        task: Task id, the same as in the original suite.
        deck: Name of the packaged deck.
        faults: Why the task was left out; empty if it is proven.
    """

    task: str
    deck: str
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edition:
    """Builds the tasks of one edition.

    Attributes:
        seed: Seed of the edition; the same seed reproduces it.
        folder: Folder of the suite, with one folder per task.
    """

    seed: int
    folder: Path

    def make(self, task: Task) -> EditedTask:
        """Write and prove a task; remove it if the proof fails.

        Raises:
            TaskError: If the deck has no substitution data, or the target deck is unknown.
            OSError: If the task cannot be written.
        """
        if not isinstance(task.deck, str) or task.deck not in supported_decks():
            return EditedTask(
                task.id, deck_label(task.deck), ("the deck has no substitution data",)
            )
        if task.feasible and not has_goal(task):
            return EditedTask(task.id, task.deck, ("its target deck is not known",))
        if task.id not in packaged_ids():
            return EditedTask(task.id, task.deck, ("it has no task file of its own",))
        variant = _variant(task.deck, self.seed)
        task_folder = self.folder / task.id
        task_folder.mkdir(parents=True)
        for name, content in _contents(task, variant).items():
            (task_folder / name).parent.mkdir(exist_ok=True)
            (task_folder / name).write_bytes(content)
        faults = tuple(faults_of(task_folder, variant.substitution))
        if faults:
            shutil.rmtree(task_folder)
        return EditedTask(task.id, task.deck, faults)


def make_edition(
    tasks: Sequence[Task],
    seed: int,
    folder: Path,
    begin: Callable[[Task], None] = lambda task: None,
) -> tuple[EditedTask, ...]:
    """Write an edition of packaged tasks; tasks that cannot be proven are left out with the reason.

    `NOTICE` lists what the decks still have in common with the packaged ones.

    Args:
        tasks: Packaged tasks.
        seed: Seed of the edition.
        folder: Folder of the suite; must not exist yet.
        begin: Called before each task.

    Raises:
        TaskError: If the folder already exists.
        OSError: If the folder cannot be written.
    """
    if folder.exists():
        raise TaskError(f"{folder}: the folder exists already; name a new one")
    folder.mkdir(parents=True)
    edition, results = Edition(seed, folder), []
    for task in sorted(tasks, key=lambda task: (str(task.deck), task.id)):
        begin(task)
        results.append(edition.make(task))
    (folder / NOTICE).write_text(_notice(seed, results), "utf-8")
    return tuple(results)


def _notice(seed: int, results: Sequence[EditedTask]) -> str:
    decks = sorted({result.deck for result in results if not result.faults})
    left_out = [
        f"- {result.task}: {'; '.join(result.faults)}" for result in results if result.faults
    ]
    unchanged = [
        f"- {deck}: {item} ({reason})"
        for deck in decks
        for item, reason in load_names(deck).kept.items()
    ]
    lines = [f"# Edition {seed}", "", f"{len(results) - len(left_out)} tasks of pptarena. {CANARY}"]
    lines += ["", "Unchanged from the packaged decks:", "", *unchanged]
    if left_out:
        lines += ["", "Left out:", "", *left_out]
    return "\n".join(lines) + "\n"


@cache
def _variant(deck: str, seed: int) -> Variant:
    """Return a deck's variant; colors named in a task of the deck keep their hue."""
    specs = map(_spec, packaged_ids())
    texts = (text for spec in specs if spec["deck"] == deck for text in task_texts(spec))
    named = frozenset(color for text in texts for color in named_colors(text))
    variant = draw_variant(load_names(deck), seed)
    ids = slide_ids(read_source(deck, "deck"))
    moves = {ids[position - 1]: ids[other - 1] for position, other in variant.order.items()}
    return replace(variant, fixed_colors=named, moves=moves)


@cache
def _spec(id: str) -> dict[str, Any]:
    """Return a packaged task file with its macros, because an edition has no solutions."""
    task = get_task(id)
    calls = macros_of(task) if has_macros(task) else ()
    return {**packaged_spec(id), "macros": [call.to_json() for call in calls]}


def _contents(task: Task, variant: Variant) -> dict[str, bytes]:
    """Return the files of a task's folder by relative path."""
    spec: dict[str, Any] = rewrite_task(_spec(task.id), variant.substitution)
    spec |= {"version": 2, "canary": CANARY, "deck": variant.file}
    files = {variant.file: rewrite_deck(task.deck_bytes(), variant)}
    for number, gold in enumerate(goal_decks(task), 1):
        turn = spec if number == 1 else spec["turns"][number - 2]
        if task.at(number).feasible:
            turn["gold"] = f"gold-{number}.pptx"
            files[turn["gold"]] = rewrite_deck(gold, variant)
    paths = []
    for name, content in read_files(task.files).items():
        by = variant.substitution
        paths.append(f"files/{by.text(name)}")
        files[paths[-1]] = rewrite_file(name, content, by)
    if paths:
        spec["files"] = paths
    spec.pop("source", None)
    files["task.json"] = (json.dumps(spec, ensure_ascii=False, indent=2) + "\n").encode()
    return files
