"""``pptarena tasks draft`` and ``tasks new``: create task folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.options import AsJson
from pptarena.cli.output import print_json, print_line, print_note, quoted, stdout
from pptarena.errors import ConfigError, TaskError

if TYPE_CHECKING:
    from pptarena.tasks.draft import Draft
    from pptarena.tasks.quality.proofs import LeafProof

__all__ = ["draft", "new"]

_STYLES = {"ok": "green", "open": "magenta", "dead": "red", "idle": "red"}
_Attachments = Annotated[
    list[Path] | None,
    typer.Option(
        "--file",
        help="Attachment: a file next to the deck in the machine. Repeatable.",
        metavar="FILE",
    ),
]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing folder.")]


def draft(
    deck: Annotated[
        Path, typer.Argument(help="The .pptx file that the task starts from.", metavar="DECK")
    ],
    gold: Annotated[Path, typer.Argument(help="The same deck with the task done.", metavar="GOLD")],
    instruction: Annotated[str, typer.Option(help="The instruction of the task.", metavar="TEXT")],
    id: Annotated[
        str,
        typer.Option(
            help="Id of the task.", metavar="ID", show_default="the name of the folder or of GOLD"
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the task.", metavar="FOLDER", show_default="./<id>"),
    ] = None,
    file: _Attachments = None,
    force: _Force = False,
    json: AsJson = False,
) -> None:
    """Create a task from a deck and an edited copy of it.

    Each group of changes becomes a rubric item: a check that fits, or "gold_match" if no check
    does. The scope is what the edited copy changes. The task is then verified: the original must
    score 0, the edited copy 1, and every rubric item must be scored on both. Otherwise nothing is
    written.

    Save both files with the same program, ideally the machine's application; otherwise the task
    asks for differences caused by saving. The draft infers changes, not intent: review the rubric.

    Example:
      pptarena tasks draft deck.pptx done.pptx --instruction "Hide slide 3."
    """
    from pptarena.decks.package.files import read_bytes
    from pptarena.rewards import read_deck
    from pptarena.tasks.draft import draft_task, write_draft
    from pptarena.tasks.draft.folder import require_id, require_new, slug_of
    from pptarena.tasks.quality.proofs import prove_draft

    if not instruction.strip():
        raise ConfigError("--instruction is empty: give the instruction of the task")
    name = id or slug_of(gold.stem if out is None else out.absolute().name)
    require_id(name)
    folder = Path(name) if out is None else out
    require_new(folder, force=force)
    original, goal = read_deck(deck), read_deck(gold)
    files = read_bytes(deck), read_bytes(gold)
    _warn_about_programs(*files)
    drafted = draft_task(original, goal, id=name, instruction=instruction.strip())
    proof = prove_draft(drafted.task["rubric"], drafted.scope, original, goal)
    leaves, scores = proof.leaves, (proof.original, proof.goal)
    if json:
        proofs = [leaf.to_json() for leaf in leaves]
        scores_json = {"original": scores[0], "goal": scores[1]}
        print_json({"task": dict(drafted.task), "scores": scores_json, "leaves": proofs})
    else:
        _print(leaves, scores)
    if proof.problem:
        raise TaskError(f"nothing was written: {proof.problem}")
    write_draft(folder, drafted, *files, files=_attachments(file), force=force)
    if not json:
        _print_end(drafted, folder)


def new(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder of the new task; its name is the id.", metavar="FOLDER"),
    ],
    deck: Annotated[
        Path, typer.Option(help="The .pptx file that the task starts from.", metavar="FILE")
    ],
    file: _Attachments = None,
    force: _Force = False,
    json: AsJson = False,
) -> None:
    """Create a task folder with a deck and a task file to fill in.

    If you have an edited copy of the deck, 'pptarena tasks draft' writes the complete task.

    Example:
      pptarena tasks new my-task --deck deck.pptx
    """
    from pptarena.decks.package.files import read_bytes
    from pptarena.rewards import read_deck
    from pptarena.tasks.draft import write_template
    from pptarena.tasks.draft.folder import slug_of

    read_deck(deck)
    id = slug_of(folder.absolute().name)
    path = write_template(folder, read_bytes(deck), id, files=_attachments(file), force=force)
    if json:
        print_json({"id": id, "task_file": str(path)})
        return
    print_line(
        f"wrote {path}",
        "Fill in the fields marked WRITE HERE: the instruction and the rubric. For an example, see",
        "pptarena tasks show meridian-hide-backup --json",
        "Set edit_types, difficulty and max_steps, and list in scope what the task may change.",
        'Save a target deck, if you have one, as gold.pptx and add "gold": "gold.pptx".',
        f"Next: pptarena tasks check {quoted(folder)}",
    )


def _attachments(paths: list[Path] | None) -> dict[str, bytes]:
    """Return the attachments by name.

    Raises:
        TaskError: If a file cannot be read, two files have the same name, or they are too large.
    """
    from pptarena.tasks.task_files import TaskFile, read_files, require_files

    files = [TaskFile(path.name, path) for path in paths or ()]
    require_files(files, "deck.pptx")
    return dict(read_files(files))


def _warn_about_programs(deck: bytes, gold: bytes) -> None:
    """Warn if LibreOffice saved only one of the two files."""
    from pptarena.decks.saving.libreoffice import is_saved_by_libreoffice

    if is_saved_by_libreoffice(deck) is not is_saved_by_libreoffice(gold):
        print_note(
            "LibreOffice saved one of the two files and another program the other, so the task may "
            "ask for differences caused by saving. Save both with the same program.",
            style="yellow",
        )


def _print(leaves: "Sequence[LeafProof]", scores: tuple[float | None, float | None]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column in ("rubric item", "check", "original", "target", "verdict"):
        table.add_column(column, justify="right" if column in ("original", "target") else "left")
    for leaf in leaves:
        numbers = (_number(leaf.on_original), _number(leaf.on_goal))
        verdict = Text(leaf.verdict, _STYLES[leaf.verdict])
        table.add_row(Text(leaf.name), Text(leaf.check), *numbers, verdict)
    table.add_row("all", "", _number(scores[0]), _number(scores[1]), "", style="bold")
    stdout().print(table)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _print_end(draft: "Draft", folder: Path) -> None:
    from pptarena.rewards import load_rubric
    from pptarena.tasks.never_saved import never_saved

    unsaved_items = never_saved(load_rubric(draft.task["rubric"]))
    lines: list[Any] = [
        f"no check fits {name!r}: it is compared with the edited deck" for name in draft.compared
    ]
    lines += [
        f"{name!r} cannot score in LibreOffice: {reason}" for name, reason in unsaved_items.items()
    ]
    task = draft.task
    kinds = ", ".join(task["edit_types"])
    lines.append(f"wrote {folder}: {task['difficulty']}, {task['max_steps']} steps, {kinds}")
    lines.append(f"Next: review {folder / 'task.json'}, then pptarena tasks check {quoted(folder)}")
    print_line(*lines)
