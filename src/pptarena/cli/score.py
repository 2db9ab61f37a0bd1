"""``pptarena score``: the rubric of a task on a deck."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import print_json, stdout

if TYPE_CHECKING:
    from rich.tree import Tree

    from pptarena.rewards import ScoredNode

__all__ = ["score"]


def score(
    task: Annotated[str, typer.Argument(help="Id of the task, as in 'pptarena tasks list'.")],
    deck: Annotated[Path, typer.Argument(help="The edited .pptx file.")],
    original: Annotated[
        Path | None,
        typer.Option(
            help="The deck before, saved by the same application. [default: the task's own deck]"
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the scored tree as JSON.")] = False,
) -> None:
    """Score a deck by the rubric of a task.

    In episodes the comparison starts from the deck as the application saves it unchanged, because
    saving alone moves things. Without --original it starts from the task's deck as it is in the
    package: small differences of saving are tolerated, larger ones may cost in
    'nothing else changed'.

    Example: pptarena score meridian-hide-backup final.pptx --original original.pptx --json
    """
    from pptarena.rewards import read_deck
    from pptarena.rewards import score as score_deck
    from pptarena.tasks import get_task

    found = get_task(task)
    before = read_deck(found.deck_bytes() if original is None else original)
    node = score_deck(found.rubric, before, read_deck(deck), found.scope)
    if json:
        print_json(node.to_json())
        return
    stdout().print(_tree(node))


def _tree(node: "ScoredNode") -> "Tree":
    from rich.text import Text
    from rich.tree import Tree

    mark, style = _mark(node.score)
    value = "not judged" if node.score is None else f"{node.score:.2f}"
    line = Text.assemble(
        (f"{mark} {value} ", style),
        (node.name, "bold"),
        ("" if node.critical else " (not critical)", "dim"),
    )
    line.append(f"\n{node.reason}" if not node.children else "")
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
