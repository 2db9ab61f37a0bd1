"""``pptarena tasks check --oracle``: goals reached inside the application."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from pptarena.cli.output import new_progress, print_json, stdout

if TYPE_CHECKING:
    from pptarena.audits.application_oracle import OracleProof
    from pptarena.tasks import Task

__all__ = ["check_oracle"]


def check_oracle(tasks: "Sequence[Task]", json: bool, by_gold: bool = False) -> None:
    """Reach the goals of tasks inside the application and print what that scores.

    Args:
        tasks: Whose goals; each needs macros, or a gold deck.
        json: Whether to print one JSON object.
        by_gold: Whether what gold decks change is set, and not what macros say.

    Raises:
        HostError: If bubblewrap is missing or not allowed to make namespaces.
        ImageError: If there is no image.
        typer.Exit: With 1 if a goal is not reached, or a task has not what is needed.
    """
    from rich.text import Text

    from pptarena.audits.application_oracle import prove_in_application

    proofs: list[OracleProof] = []
    with new_progress() as progress:
        bar = progress.add_task("in the application", total=len(tasks), note="")
        for proof in prove_in_application(tasks, by_gold=by_gold):
            proofs.append(proof)
            progress.update(bar, advance=1, note=proof.task)
    good = sum(proof.ok for proof in proofs)
    if json:
        print_json({"ok": good == len(proofs), "tasks": [proof.to_json() for proof in proofs]})
    else:
        for proof in proofs:
            shown = "-" if proof.score is None else f"{proof.score:.2f}"
            mark, style = ("✓", "green") if proof.ok else ("✗", "red")
            words = f"{mark} {proof.task}: {shown}" + (f", {proof.reason}" * bool(proof.reason))
            stdout().print(Text(words, style), soft_wrap=True)
        stdout().print(f"{good} of {len(proofs)} goals are reached inside the application.")
    if good < len(proofs):
        raise typer.Exit(1)
