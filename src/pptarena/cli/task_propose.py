"""``pptarena tasks propose`` and ``tasks review``: proposed tasks and their reviews."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.options import AsJson, BaseUrl, Dialect, ModelSettings, Seed
from pptarena.cli.output import new_progress, print_json, print_line, quoted, stdout
from pptarena.errors import ConfigError, TaskError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pptarena.rollouts.propose_tasks import Exploration, ProposalOutcome
    from pptarena.tasks.draft.proposals import Proposal

__all__ = ["propose", "review"]

_PROOFS = ("saved", "file")


def propose(
    deck: Annotated[str, typer.Argument(help="A .pptx file, or a packaged deck.", metavar="DECK")],
    out: Annotated[Path, typer.Option(help="Folder of the tasks.", metavar="FOLDER")],
    count: Annotated[
        int, typer.Option(min=1, help="Maximum number of proposals.", metavar="N")
    ] = 10,
    model: Annotated[
        str,
        typer.Option(
            help="Model that explores the deck.",
            metavar="NAME",
            show_default="none: the generator's operators propose",
        ),
    ] = "",
    base_url: BaseUrl = "",
    dialect: Dialect = "tools",
    option: ModelSettings = [],  # noqa: B006 - Typer copies it
    max_steps: Annotated[
        int, typer.Option(min=1, help="Step limit of the exploration.", metavar="N")
    ] = 35,
    prove: Annotated[
        str,
        typer.Option(
            help="'saved': draft and prove with decks saved by LibreOffice (needs the machine "
            "image); 'file': with files as python-pptx writes them.",
            metavar="PROOF",
        ),
    ] = "saved",
    seed: Seed = 0,
    json: AsJson = False,
) -> None:
    """Propose tasks on a deck, and keep those that can be proven.

    A model reads the slides and logs tasks with 'add_tasks_to_dataset', each with a difficulty and
    a slide. It then carries out each task on the document, and the rubric is drafted from the
    result. Without --model, operators of the generator propose edits with their own rubrics.

    A task is kept if the original deck scores 0, the result 1, and every rubric item is scored.
    Proofs do not show that the result is what the instruction asks for: review the tasks with
    'tasks review'. Each folder has the record 'proposal.json'; records of the other proposals are
    in 'unproven', and the episodes of the model in 'runs'.

    Exits with 1 if no task is kept.

    Example:
      pptarena tasks propose deck.pptx --model gpt-5 --out proposals
    """
    from pptarena.rollouts.propose_tasks import Exploration

    if prove not in _PROOFS:
        raise ConfigError(f"--prove: {not_found('proof', prove, _PROOFS)}")
    if not model and (base_url or option):
        raise ConfigError("--base-url and --option need a model: add --model NAME")
    file, name = _deck(deck)
    exploration = Exploration(file, name, out, count, _saver() if prove == "saved" else None)
    model_options = {"model": model, "base_url": base_url or None, "dialect": dialect}
    outcomes = list(
        _with_progress(_propose(exploration, model_options, option, max_steps, seed), count)
    )
    proven = [each for each in outcomes if each.folder is not None]
    if json:
        rows = [_row(each.proposal, each.folder) for each in outcomes]
        print_json({"kept": len(proven), "proposals": rows})
    else:
        stdout().print(_table([each.proposal for each in outcomes]))
        print_line(f"{len(proven)} of {len(outcomes)} proposals kept: {out}")
        if proven:
            print_line(
                f"Next: pptarena tasks review {quoted(proven[0].folder)} --decision keep --by NAME"
            )
    if not proven:
        raise typer.Exit(1)


def review(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Folder of a proposed task to review it, or of all to count.", metavar="FOLDER"
        ),
    ],
    decision: Annotated[
        str,
        typer.Option(
            help="'keep', 'refine' or 'reject'.", metavar="DECISION", show_default="count reviews"
        ),
    ] = "",
    by: Annotated[str, typer.Option(help="Name of the reviewer.", metavar="NAME")] = "",
    reason: Annotated[
        str,
        typer.Option(help="Reason, such as 'unclear'; equal reasons are counted.", metavar="TEXT"),
    ] = "",
    instruction: Annotated[
        str, typer.Option(help="The refined instruction.", metavar="TEXT", show_default="unchanged")
    ] = "",
    rubric: Annotated[
        Path | None,
        typer.Option(help="The refined rubric, a .json file.", metavar="FILE"),
    ] = None,
    json: AsJson = False,
) -> None:
    """Review a proposed task, or count all reviews in a folder.

    A refinement replaces the instruction or the rubric of the task. A refined rubric must be
    proven: the original scores 0, the gold deck 1. The record keeps the text before and after, the
    reason and the reviewer. A rejected task stays in its folder, marked in the record.

    Examples:
      pptarena tasks review proposals/plan-proposal-1 --decision keep --by Ada
      pptarena tasks review proposals
    """
    from pptarena.tasks.draft.proposals import DECISIONS, FILE

    if not decision:
        if by or reason or instruction or rubric:
            raise ConfigError("add --decision keep, refine or reject")
        _count(folder, json)
        return
    if decision not in DECISIONS:
        raise ConfigError(f"--decision: {not_found('decision', decision, DECISIONS)}")
    if not by.strip():
        raise ConfigError("--by is empty: give the name of the reviewer")
    if (decision == "refine") != (bool(instruction.strip()) + (rubric is not None) == 1):
        raise ConfigError(
            "--decision refine needs either --instruction or --rubric; other decisions need neither"
        )
    reviewed = _add_review(
        folder, decision, by.strip(), reason.strip(), instruction.strip(), rubric
    )
    if json:
        print_json(_row(reviewed, folder))
    else:
        print_line(f"{reviewed.id}: {decision}, review {len(reviewed.reviews)}: {folder / FILE}")


def _deck(name: str) -> tuple[bytes, str]:
    from pptarena.decks.package.files import read_bytes
    from pptarena.tasks.deck_files import deck_names, read_deck_file

    path = Path(name).expanduser()
    if not path.exists() and name in deck_names():
        return read_deck_file(name), name
    return read_bytes(path), path.stem


def _saver() -> Any:
    from pptarena.vm_images.image import require_image
    from pptarena.vm_images.office import Office

    require_image()
    return Office().save


def _propose(
    exploration: "Exploration",
    model_options: dict[str, Any],
    option: list[str],
    max_steps: int,
    seed: int,
) -> "Iterator[ProposalOutcome]":
    from pptarena.agents.model import ModelSettings as Settings
    from pptarena.rollouts.propose_tasks import propose_by_model, propose_by_operators

    if not model_options["model"]:
        return propose_by_operators(exploration, seed)
    return propose_by_model(exploration, Settings.from_options(option, **model_options), max_steps)


def _with_progress(
    outcomes: "Iterator[ProposalOutcome]", count: int
) -> "Iterator[ProposalOutcome]":
    with new_progress() as progress:
        bar = progress.add_task("proposals", total=count, note="")
        for each in outcomes:
            progress.update(bar, advance=1, note=each.proposal.id)
            yield each


def _row(proposal: "Proposal", folder: Path | None) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(proposal), "folder": None if folder is None else str(folder)}


def _table(proposals: "Sequence[Proposal]") -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name in ("task", "difficulty", "slide", "instruction", "problem"):
        table.add_column(name, overflow="fold")
    for each in proposals:
        slide = "" if each.slide is None else str(each.slide)
        texts = (each.id, each.difficulty, slide, each.instruction, each.problem)
        table.add_row(*map(Text, texts))
    return table


def _add_review(
    folder: Path, decision: Any, by: str, reason: str, instruction: str, rubric: Path | None
) -> "Proposal":
    import json as jsons

    from pptarena.files import atomic_write, read_text
    from pptarena.tasks.draft.proposals import FILE, Proposal, Review

    proposal = Proposal.read(folder / FILE)
    review = Review(by, decision, reason)
    if decision == "refine":
        task = jsons.loads(read_text(folder / "task.json"))
        part = "instruction" if rubric is None else "rubric"
        new = instruction if rubric is None else _proven_rubric(folder, task, rubric)
        old = task[part]
        task[part] = new
        texts = (each if isinstance(each, str) else jsons.dumps(each) for each in (old, new))
        review = Review(by, decision, reason, part, *texts)
        with atomic_write(folder / "task.json") as file:
            file.write((jsons.dumps(task, ensure_ascii=False, indent=2) + "\n").encode())
    proposal = proposal.reviewed(review)
    proposal.write(folder / FILE)
    return proposal


def _proven_rubric(folder: Path, task: dict[str, Any], path: Path) -> Any:
    import json as jsons

    from pptarena.files import read_text
    from pptarena.rewards import load_scope, read_deck
    from pptarena.tasks.quality.proofs import prove_draft

    try:
        rubric = jsons.loads(read_text(path))
    except (OSError, ValueError) as error:
        raise TaskError(f"--rubric: cannot read {path}: {error}") from error
    original, gold = (read_deck(folder / task[name]) for name in ("deck", "gold"))
    if problem := prove_draft(rubric, load_scope(task["scope"]), original, gold).problem:
        raise TaskError(f"nothing was changed: {problem}")
    return rubric


def _count(folder: Path, json: bool) -> None:
    from collections import Counter

    from rich.table import Table

    from pptarena.tasks.draft.proposals import refinements, stored_proposals

    proposals = list(stored_proposals(folder))
    if not proposals:
        raise ConfigError(f"found no proposed tasks in {folder}")
    last_decisions = Counter(
        each.reviews[-1].decision if each.reviews else "not reviewed"
        for each in proposals
        if not each.problem
    )
    counts = {"proposed": len(proposals), "proven": sum(not each.problem for each in proposals)}
    refinement_reasons = {part: refinements(proposals, part) for part in ("instruction", "rubric")}
    refined = {
        part: sum(any(r.part == part for r in each.reviews) for each in proposals)
        for part in refinement_reasons
    }
    if json:
        reasons = {
            part: dict(refinement_reasons[part].most_common()) for part in refinement_reasons
        }
        print_json(
            {**counts, "last_decision": last_decisions, "refined": refined, "reasons": reasons}
        )
        return
    table = Table("tasks", "", "reason")
    rows = [(count, name, "") for name, count in (*counts.items(), *last_decisions.most_common())]
    for part in refinement_reasons:
        rows.append((refined[part], f"{part} refined", ""))
        rows += [
            (count, "", reason or "no reason")
            for reason, count in refinement_reasons[part].most_common()
        ]
    for count, name, reason in rows:
        table.add_row(str(count), name, reason)
    stdout().print(table)
