"""``pptarena score``: the rubric of a task on a deck."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import print_json, stderr, stdout

if TYPE_CHECKING:
    from rich.tree import Tree

    from pptarena.envs.judging import Judging
    from pptarena.rewards import ScoredNode
    from pptarena.tasks import Task

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
    judge: Annotated[
        bool,
        typer.Option(
            "--judge/--no-judge",
            help="Ask the judge that PPTARENA_JUDGE_MODEL names, if it names one.",
        ),
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="Print the scored tree as JSON.")] = False,
) -> None:
    """Score a deck by the rubric of a task.

    In episodes the comparison starts from the deck as the application saves it unchanged, because
    saving alone moves things. Without --original it starts from the task's deck as it is in the
    package: small differences of saving are tolerated, larger ones may cost in
    'nothing else changed'.

    A judge answers the leaves that no program can check and puts the reasons of parents into
    words. It is reached as PPTARENA_JUDGE_MODEL and PPTARENA_JUDGE_URL say; without one, such
    leaves are not judged.

    Example: pptarena score meridian-hide-backup final.pptx --original original.pptx --json
    """
    from pptarena.rewards.deck.files import read_bytes
    from pptarena.tasks import get_task

    found = get_task(task)
    before = found.deck_bytes() if original is None else read_bytes(original)
    node = _score(found, before, read_bytes(deck), judge)
    if json:
        print_json(node.to_json())
        return
    stdout().print(_tree(node))


def _score(task: "Task", before: bytes, after: bytes, judged: bool) -> "ScoredNode":
    from pptarena.envs.judging import Judging
    from pptarena.rewards import read_deck, score
    from pptarena.rewards.judges import JudgeConfig

    decks = read_deck(before), read_deck(after)
    config = JudgeConfig.from_environment() if judged else None
    if config is None:
        return score(task.rubric, *decks, task.scope)
    with Judging(config) as judging:
        node = score(task.rubric, *decks, task.scope, judging.judge(before, after))
        return _explained(judging, task, node)


def _explained(judging: "Judging", task: "Task", node: "ScoredNode") -> "ScoredNode":
    from pptarena.errors import JudgeError
    from pptarena.rewards.judges import explain

    try:
        return explain(judging.client, task.instruction, node)
    except JudgeError as error:
        stderr().print(f"the judge explained nothing: {error}", style="yellow")
        return node


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
