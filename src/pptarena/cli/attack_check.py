"""``pptarena tasks check --attacks``: try to raise scores without doing the tasks."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

from pptarena.cli.deck_files import required_renderer
from pptarena.cli.output import new_progress, print_json, print_line, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.tasks import Task
    from pptarena.tasks.quality.attacks import AttackResult, KindShare

__all__ = ["DERIVED_PER_TASK", "check_attacks"]

DERIVED_PER_TASK = 12
"""Number of attacks derived from a target deck."""

_COLUMNS = 8
_PER_VARIANT = 3  # derived attacks per derived variant


def check_attacks(
    tasks: "Sequence[Task]",
    json: bool,
    look: bool,
    sample: int = DERIVED_PER_TASK,
    derived: bool = False,
) -> None:
    """Score attacks on tasks and variants of their solutions, and print the results.

    Args:
        tasks: The tasks; infeasible ones are skipped and listed.
        json: Whether to print one JSON object instead of tables.
        look: Whether to render the slides, as at the end of an episode.
        sample: Number of attacks derived from each target deck, plus a third as many variants.
        derived: Whether only derived attacks are tried.

    Raises:
        ConfigError: If all tasks are infeasible.
        ImageError: If slides must be rendered and there is no image.
        TaskError: If a task has no target deck.
        typer.Exit: With 1 if an attack gains too much, a variant scores too little or a deck cannot
            be edited.
    """
    from pptarena.tasks.quality.attacks import ALLOWED_GAIN, shares

    infeasible = [task.id for task in tasks if not task.feasible]
    tasks = [task for task in tasks if task.feasible]
    if not tasks:
        raise ConfigError(f"--attacks needs feasible tasks; infeasible: {', '.join(infeasible)}")
    attacks, variants, failed = _run(tasks, look, sample, derived)
    kinds = shares((*attacks, *variants))
    unexpected = [result for result in (*attacks, *variants) if not result.ok]
    if json:
        print_json(
            {
                "ok": not unexpected and not failed,
                "allowed_gain": ALLOWED_GAIN,
                "looked": look,
                "left_out": infeasible,
                "failed": failed,
                "kinds": [result.to_json() for result in kinds],
                "attacks": [result.to_json() for result in attacks],
                "variants": [result.to_json() for result in variants],
            }
        )
    else:
        if not derived:
            _print([task for task in tasks if task.id not in failed], attacks, variants)
        _print_kinds(kinds)
        for name, reason in failed.items():
            stdout().print(f"✗ {name}: not attacked: {reason}", style="red", soft_wrap=True)
        _print_bad(unexpected)
        if infeasible:
            print_line(f"Skipped infeasible tasks: {', '.join(infeasible)}")
    if unexpected or failed:
        raise typer.Exit(1)


def _run(
    tasks: "Sequence[Task]", look: bool, sample: int, derived: bool
) -> "tuple[list[AttackResult], list[AttackResult], dict[str, str]]":
    """Return the results of attacks and of variants, and the errors of unreadable decks by task."""
    from pptarena.errors import DeckError
    from pptarena.tasks.goals import goal_deck, has_goal
    from pptarena.tasks.quality.attacks import (
        ATTACKS,
        VARIANTS,
        Material,
        attack_target,
        attack_task,
        try_equivalents,
        try_variants,
    )

    renderer = required_renderer() if look else None
    for task in tasks:
        if not has_goal(task):
            goal_deck(task)  # raises its TaskError before the first attack

    attacks: list[AttackResult] = []
    variants: list[AttackResult] = []
    failed: dict[str, str] = {}
    with new_progress() as progress:
        attacks_per_task = sample + sample // _PER_VARIANT
        attacks_per_task += 0 if derived else len(ATTACKS) + len(VARIANTS)
        total = len(tasks) * attacks_per_task
        bar = progress.add_task("attacks", total=total, note="")
        for number, task in enumerate(tasks):
            progress.update(bar, completed=number * attacks_per_task)

            def on_attack(name: str, task: str = task.id) -> None:
                progress.update(bar, advance=1, note=f"{task}: {name}")

            try:
                material = Material(task, task.deck_bytes(), goal_deck(task))
                task_attacks = (
                    () if derived else attack_task(material, on_attack, renderer=renderer)
                )
                task_attacks += attack_target(material, sample, on_attack, renderer)
                task_variants = (
                    () if derived else try_variants(material, on_attack, renderer=renderer)
                )
                task_variants += try_equivalents(
                    material, sample // _PER_VARIANT, on_attack, renderer
                )
            except DeckError as error:
                failed[task.id] = str(error)
                continue
            attacks += task_attacks
            variants += task_variants
        progress.update(bar, completed=total, note="")
    return attacks, variants, failed


def _print(
    tasks: "Sequence[Task]",
    attacks: "Sequence[AttackResult]",
    variants: "Sequence[AttackResult]",
) -> None:
    from pptarena.tasks.quality.attacks import ATTACKS, VARIANTS

    for start in range(0, len(tasks), _COLUMNS):
        ids = [task.id for task in tasks[start : start + _COLUMNS]]
        for number, name in enumerate(ids, start + 1):
            print_line(f"{number}  {name}")
        _print_table("attack: gain", [a.name for a in ATTACKS], ids, attacks, start, signed=True)
        _print_table(
            "variant: score", [v.name for v in VARIANTS], ids, variants, start, signed=False
        )


def _print_table(
    title: str,
    names: Iterable[str],
    ids: Sequence[str],
    results: "Sequence[AttackResult]",
    start: int,
    *,
    signed: bool,
) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    table.add_column(title, no_wrap=True)
    for number in range(start + 1, start + len(ids) + 1):
        table.add_column(str(number), justify="right")
    by_cell = {(result.task, result.attack): result for result in results}
    for name in names:
        cells = [Text(name)]
        for id in ids:
            result = by_cell.get((id, name))
            value = (
                "-"
                if result is None
                else f"{result.gain:+.2f}"
                if signed
                else f"{result.score:.2f}"
            )
            is_unexpected = result is not None and not result.ok
            cells.append(
                Text(f"{value}{' ✗' if is_unexpected else ''}", "red" if is_unexpected else "")
            )
        table.add_row(*cells)
    stdout().print(table)


def _print_kinds(kinds: "Sequence[KindShare]") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    table.add_column("kind", no_wrap=True)
    for name in ("tried", "held", "share", "worst"):
        table.add_column(name, justify="right")
    for kind_share in kinds:
        cells = (
            str(kind_share.tried),
            str(kind_share.held),
            f"{kind_share.share:.0%}",
            f"{kind_share.worst:.2f}",
        )
        table.add_row(Text(kind_share.kind), *cells)
    stdout().print(table)


def _print_bad(unexpected: "Sequence[AttackResult]") -> None:
    from pptarena.tasks.quality.attacks import ALLOWED_GAIN

    for result in unexpected:
        scores = f"scores {result.score:.2f}, expected {result.deserved:.2f}"
        stdout().print(f"✗ {result.task}: {result.attack}: {scores}", style="red", soft_wrap=True)
    if not unexpected:
        print_line(f"No attack gains more than {ALLOWED_GAIN:g}; all variants score as expected.")
