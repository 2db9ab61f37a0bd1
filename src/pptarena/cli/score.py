"""``pptarena score``: score a deck against a rubric."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.deck_files import deck_bytes
from pptarena.cli.options import AsJson, JudgeIfConfigured
from pptarena.cli.output import print_json, print_note, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from rich.tree import Tree

    from pptarena.benchmarks.ppteval.rubric_file import RubricFile
    from pptarena.envs.judging import Judging
    from pptarena.rewards import ScoredNode
    from pptarena.tasks import Task
    from pptarena.tasks.scorer import Services

__all__ = ["score"]


def score(
    task: Annotated[
        str,
        typer.Argument(help="Id or path of a task, or a rubric's .json file.", metavar="TASK"),
    ],
    deck: Annotated[Path, typer.Argument(help="The edited .pptx file.", metavar="DECK")],
    original: Annotated[
        Path | None,
        typer.Option(
            help="The deck before the edit, saved by the same application. A rubric's file needs "
            "it.",
            metavar="FILE",
            show_default="the task's deck, saved by the image's application",
        ),
    ] = None,
    as_is: Annotated[
        bool,
        typer.Option(
            "--as-is",
            help="Compare with the task's deck as it is, for a deck that was edited without an "
            "application.",
        ),
    ] = False,
    quirks: Annotated[
        bool,
        typer.Option("--quirks", help="Give programs PPT-Eval's comparison, with its faults."),
    ] = False,
    zero_on_leaf_error: Annotated[
        bool,
        typer.Option(
            "--zero-on-leaf-error",
            help="Score 0 if a program of the rubric fails, as PPT-Eval does.",
            show_default="leave the item unscored, or 0 if it fails on the edited deck only",
        ),
    ] = False,
    judge: JudgeIfConfigured = True,
    look: Annotated[
        bool,
        typer.Option(
            "--look/--no-look",
            help="Render the slides with the machine image, if there is one: hidden and unreadable "
            "content does not count. Without it, visibility is estimated.",
        ),
    ] = True,
    json: AsJson = False,
) -> None:
    """Score a deck against a task's rubric.

    The edited deck is compared with the deck as the application saves it unchanged, as in
    episodes, because saving alone changes details. Without --original, the machine image saves the
    task's deck (some seconds; cached), and also DECK if another program wrote it. With --original
    or --as-is nothing is saved.

    TASK may be the file of a rubric, of a task or of a rubric of PPT-Eval, whose programs run in a
    sandbox.

    A judge scores the rubric items that no program can check, and explains scores. Set
    PPTARENA_JUDGE_MODEL and PPTARENA_JUDGE_URL to use one; without a judge, these items are
    unscored.

    Example:
      pptarena score meridian-hide-backup final.pptx --json
    """
    from pptarena.envs.image_office import save_in_image
    from pptarena.tasks.scorer import Services
    from pptarena.vm_images.image import find_image
    from pptarena.vm_images.office import shared_office

    rubric_file, loaded_task = _load_rubric(task)
    task_deck = loaded_task.deck_bytes() if loaded_task is not None else None
    if original is None and task_deck is None:
        raise ConfigError(f"{task} has no deck: add --original with the deck before the edit")
    if original is not None and as_is:
        raise ConfigError("--original and --as-is exclude each other: remove one")
    after = deck_bytes(deck)
    if original is not None:
        before = deck_bytes(original)
    elif as_is:
        before = task_deck or b""
    else:
        before, after = _save_both(task_deck or b"", after)
    services = Services(
        save=None if as_is else save_in_image,
        renderer=shared_office() if look and find_image() is not None else None,
        zero_on_leaf_error=zero_on_leaf_error,
    )
    node = _score(rubric_file, loaded_task, before, after, services, judged=judge, quirks=quirks)
    if look and services.renderer is None:
        print_note(
            "No machine image: visibility is estimated, not rendered. Build it with: "
            "pptarena image build",
            style="yellow",
        )
    if json:
        print_json(node.to_json())
        return
    stdout().print(_tree(node))


def _save_both(before: bytes, after: bytes) -> tuple[bytes, bytes]:
    """Return both decks as saved by the image's application, and print a note about it."""
    from pptarena.envs.image_office import saved_pair
    from pptarena.errors import ImageError

    try:
        saved = saved_pair(before, after)
    except ImageError as error:
        raise ImageError(
            f"{error}; or add --original with the deck before the edit; or compare files with "
            "--as-is"
        ) from error
    note = "" if saved[1] is after else " DECK is from another program and was saved, too."
    print_note(f"Compared with the task's deck as the application saves it.{note}")
    return saved


def _load_rubric(task: str) -> "tuple[RubricFile, Task | None]":
    """Return the rubric of a task or of a file, and the task."""
    from pptarena.benchmarks.ppteval.rubric_file import RubricFile, load_rubric_file
    from pptarena.tasks import get_task
    from pptarena.tasks.task_file import is_task

    if task.lower().endswith(".pptx"):
        raise ConfigError(f"TASK is the deck {task}: give the task first, then the deck")
    if task.endswith(".json") and not is_task(Path(task)):
        return load_rubric_file(Path(task)), None
    loaded_task = get_task(task)
    return RubricFile(loaded_task.rubric, loaded_task.scope, loaded_task.instruction), loaded_task


def _score(
    rubric_file: "RubricFile",
    task: "Task | None",
    before: bytes,
    after: bytes,
    services: "Services",
    *,
    judged: bool,
    quirks: bool,
) -> "ScoredNode":
    from pptarena.envs.judging import configured_judging
    from pptarena.envs.programs.runner import PythonLeaves
    from pptarena.tasks.scorer import Scorer
    from pptarena.vm_images.office import Office

    rubric, scope = rubric_file.rubric, rubric_file.scope
    with configured_judging(judged) as judging:
        model = None if judging is None else judging.client
        programs = partial(PythonLeaves, model=model, renderer=Office(), quirks=quirks)
        judge = None if judging is None else judging.judge
        all_services = replace(services, judge=judge, programs=programs)
        node = Scorer(task, all_services, original=before, rubric=rubric, scope=scope).score(after)
        return (
            node if judging is None else _add_explanations(judging, rubric_file.instruction, node)
        )


def _add_explanations(judging: "Judging", instruction: str, node: "ScoredNode") -> "ScoredNode":
    from pptarena.errors import JudgeError
    from pptarena.rewards.judges import explain

    try:
        return explain(judging.client, instruction, node)
    except JudgeError as error:
        print_note(f"The judge gave no explanation: {error}", style="yellow")
        return node


def _tree(node: "ScoredNode") -> "Tree":
    from rich.text import Text
    from rich.tree import Tree

    mark, style = _mark(node.score)
    value = "unscored" if node.score is None else f"{node.score:.2f}"
    line = Text.assemble(
        (f"{mark} {value} ", style),
        (node.name, "bold"),
        ("" if node.critical else " (not critical)", "dim"),
        ("" if node.weight == 1 else f" (weight {node.weight:g})", "dim"),
    )
    line.append(f"\n{node.reason}" if node.reason else "", "dim" if node.children else "")
    tree = Tree(line)
    for child in node.children:
        tree.children.append(_tree(child))
    return tree


def _mark(value: float | None) -> tuple[str, str]:
    if value is None:
        return "?", "magenta"
    if value >= 1:
        return "✓", "green"
    return ("◐", "yellow") if value > 0 else ("✗", "red")
