"""``pptarena tasks draft`` and ``new``: a task from a deck and a gold deck, or a start by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.output import print_json, stderr, stdout
from pptarena.errors import ConfigError, TaskError

if TYPE_CHECKING:
    from pptarena.audits.leaf_proof import LeafProof
    from pptarena.decks import Deck
    from pptarena.tasks.draft import Draft

__all__ = ["draft", "new"]

_STYLES = {"ok": "green", "open": "magenta", "dead": "red", "idle": "red"}
_Beside = Annotated[
    list[Path] | None,
    typer.Option("--file", help="A file beside the deck in the machine; may be given again."),
]
_Force = Annotated[bool, typer.Option("--force", help="Write a folder anew that is there already.")]


def draft(
    deck: Annotated[Path, typer.Argument(help="The .pptx file that the task starts from.")],
    gold: Annotated[Path, typer.Argument(help="The same deck with the task done.")],
    instruction: Annotated[str, typer.Option(help="What the agent is asked to do.")],
    id: Annotated[
        str, typer.Option(help="Id of the task.", show_default="the name of the folder or of GOLD")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder of the task.", show_default="the id, in this folder")
    ] = None,
    file: _Beside = None,
    force: _Force = False,
    json: Annotated[bool, typer.Option("--json", help="Print the task and its leaves.")] = False,
) -> None:
    """Write a task from a deck and the same deck with the task done.

    Each group of changes becomes a leaf of the rubric: the check that fits, or "gold_match" for
    that place where none does. The scope is what the gold touches. Then it is proved: the original
    scores 0, the gold 1, and every leaf is judged on both; if not, nothing is written.

    Save both files by the same program, best by the application of the machine: what saving alone
    changes would be asked for otherwise. Read the rubric before you use it: it knows what changed,
    not what was meant.

    Example: pptarena tasks draft deck.pptx done.pptx --instruction "Hide the last slide."
    """
    from pptarena.audits.leaf_proof import judge_leaves
    from pptarena.decks.package.files import read_bytes
    from pptarena.rewards import load_rubric, read_deck
    from pptarena.tasks.draft import draft_task, write_draft
    from pptarena.tasks.draft.folder import require_id, require_new, slug_of

    if not instruction.strip():
        raise ConfigError("--instruction: expected a text that is not empty")
    name = id or slug_of(gold.stem if out is None else out.absolute().name)
    require_id(name)
    folder = Path(name) if out is None else out
    require_new(folder, force=force)
    original, goal = read_deck(deck), read_deck(gold)
    files = read_bytes(deck), read_bytes(gold)
    _warn_of_programs(*files)
    found = draft_task(original, goal, id=name, instruction=instruction.strip())
    rubric = load_rubric(found.task["rubric"])
    leaves = judge_leaves(rubric, found.scope, original, goal, goal, (goal,))
    scores = _scores(found, original, goal)
    if json:
        proofs = [leaf.to_json() for leaf in leaves]
        scored = {"original": scores[0], "goal": scores[1]}
        print_json({"task": dict(found.task), "scores": scored, "leaves": proofs})
    else:
        _print(leaves, scores)
    _require_proved(leaves, scores)
    write_draft(folder, found, *files, files=_beside(file), force=force)
    if not json:
        _print_end(found, folder)


def new(
    folder: Annotated[Path, typer.Argument(help="Folder of the new task; its name is the id.")],
    deck: Annotated[Path, typer.Option(help="The .pptx file that the task starts from.")],
    file: _Beside = None,
    force: _Force = False,
) -> None:
    """Start a task folder by hand: the deck, and the least that a task's file has.

    With a deck on which the task is done, 'pptarena tasks draft' writes all of it.

    Example: pptarena tasks new my-task --deck deck.pptx
    """
    from pptarena.decks.package.files import read_bytes
    from pptarena.rewards import read_deck
    from pptarena.tasks.draft import write_start
    from pptarena.tasks.draft.folder import slug_of

    read_deck(deck)
    id = slug_of(folder.absolute().name)
    path = write_start(folder, read_bytes(deck), id, files=_beside(file), force=force)
    for line in (
        f"wrote {path}",
        "Fill in the fields marked WRITE HERE: the instruction and the rubric. An example:",
        "pptarena tasks show meridian-hide-backup --json",
        "Then set edit_types, difficulty and max_steps, and",
        "in scope what the task may touch. A deck with the task done goes beside it as gold.pptx,",
        'with "gold": "gold.pptx" in the file.',
        f"next: pptarena tasks check {folder}",
    ):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)


def _beside(paths: list[Path] | None) -> dict[str, bytes]:
    """Return what is to lie beside the deck, by name.

    Raises:
        TaskError: If a file cannot be read, two have one name, or they are too large.
    """
    from pptarena.tasks.task_files import TaskFile, read_files, require_files

    files = [TaskFile(path.name, path) for path in paths or ()]
    require_files(files, "deck.pptx")
    return dict(read_files(files))


def _warn_of_programs(deck: bytes, gold: bytes) -> None:
    """Say so if one of two files was saved by LibreOffice and the other by something else."""
    from pptarena.decks.saving.libreoffice_files import is_saved_by_libreoffice

    if is_saved_by_libreoffice(deck) is not is_saved_by_libreoffice(gold):
        stderr().print(
            "LibreOffice saved one of the two files, another program the other: what saving alone "
            "changes may be asked for; open both in one program and save them again",
            style="yellow",
            soft_wrap=True,
        )


def _scores(found: "Draft", original: "Deck", goal: "Deck") -> tuple[float | None, float | None]:
    from pptarena.rewards import load_rubric, score

    rubric = load_rubric(found.task["rubric"])
    start, end = (
        score(rubric, original, deck, found.scope, gold=goal, targets=(goal,)).score
        for deck in (original, goal)
    )
    return start, end


def _require_proved(
    leaves: "Sequence[LeafProof]", scores: tuple[float | None, float | None]
) -> None:
    bad = [leaf for leaf in leaves if not leaf.ok]
    if bad:
        said = "; ".join(f"{leaf.name!r} is {leaf.verdict}: {leaf.reason}" for leaf in bad)
        raise TaskError(f"nothing was written: {said}")
    if scores != (0.0, 1.0):
        raise TaskError(
            "nothing was written: expected scores of 0 on the deck and 1 on the gold, "
            f"got {scores[0]} and {scores[1]}"
        )


def _print(leaves: "Sequence[LeafProof]", scores: tuple[float | None, float | None]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column in ("leaf", "check", "original", "goal", "verdict"):
        table.add_column(column, justify="right" if column in ("original", "goal") else "left")
    for leaf in leaves:
        numbers = (_number(leaf.on_original), _number(leaf.on_goal))
        verdict = Text(leaf.verdict, _STYLES[leaf.verdict])
        table.add_row(Text(leaf.name), Text(leaf.check), *numbers, verdict)
    table.add_row("all", "", _number(scores[0]), _number(scores[1]), "", style="bold")
    stdout().print(table)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _print_end(found: "Draft", folder: Path) -> None:
    from pptarena.rewards import load_rubric
    from pptarena.tasks.never_saved import never_saved

    lost = never_saved(load_rubric(found.task["rubric"]))
    lines: list[Any] = [
        f"no check fits {name!r}: the gold is compared there" for name in found.compared
    ]
    lines += [f"{name!r} cannot be earned in LibreOffice: {why}" for name, why in lost.items()]
    task = found.task
    kinds = ", ".join(task["edit_types"])
    lines.append(f"wrote {folder}: {task['difficulty']}, {task['max_steps']} steps, {kinds}")
    lines.append(f"next: read {folder / 'task.json'}, then pptarena tasks check {folder}")
    for line in lines:
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
