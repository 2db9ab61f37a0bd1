"""``pptarena score``: the rubric of a task on a deck."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import print_json, stderr, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from rich.tree import Tree

    from pptarena.envs.judging import Judging
    from pptarena.rewards import ScoredNode
    from pptarena.rewards.looks import Looks
    from pptarena.tasks.importers.rubric_file import RubricFile

__all__ = ["score"]


def score(
    task: Annotated[
        str,
        typer.Argument(help="Id of a task, as in 'pptarena tasks list', or a rubric's .json file."),
    ],
    deck: Annotated[Path, typer.Argument(help="The edited .pptx file.")],
    original: Annotated[
        Path | None,
        typer.Option(
            help="The deck before, saved by the same application; a rubric's file needs it. "
            "[default: the task's own deck]"
        ),
    ] = None,
    judge: Annotated[
        bool,
        typer.Option(
            "--judge/--no-judge",
            help="Ask the judge that PPTARENA_JUDGE_MODEL names, if it names one.",
        ),
    ] = True,
    look: Annotated[
        bool,
        typer.Option(
            "--look/--no-look",
            help="Draw the slides with the machine image, if there is one: what is covered or "
            "cannot be read does not count. Without it only facts are asked.",
        ),
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="Print the scored tree as JSON.")] = False,
) -> None:
    """Score a deck by the rubric of a task, or by one in a file.

    In episodes the comparison starts from the deck as the application saves it unchanged, because
    saving alone moves things. Without --original it starts from the task's deck as it is in the
    package: small differences of saving are tolerated, larger ones may cost in
    'nothing else changed'. A file may hold a rubric, a task, or a rubric of PPT-Eval, whose
    programs run in a sandbox.

    A judge answers the leaves that no program can check and puts the reasons of parents into
    words. It is reached as PPTARENA_JUDGE_MODEL and PPTARENA_JUDGE_URL say; without one, such
    leaves are not judged.

    What can be seen is decided by pictures of the slides, which the image's application draws; the
    tree says "looked" then. Without an image it is estimated, and a note says so.

    Example: pptarena score meridian-hide-backup final.pptx --original original.pptx --json
    """
    from pptarena.rewards.deck.files import read_bytes

    subject, own_deck = _subject(task)
    if original is None and own_deck is None:
        raise ConfigError(f"{task} names no deck; give the one before with --original")
    before = read_bytes(original) if original is not None else own_deck or b""
    node = _score(subject, before, read_bytes(deck), judge, look)
    if json:
        print_json(node.to_json())
        return
    stdout().print(_tree(node))


def _subject(task: str) -> "tuple[RubricFile, bytes | None]":
    """Return the rubric of a task's id or of a file, and the task's own deck."""
    from pptarena.tasks import get_task
    from pptarena.tasks.importers.rubric_file import RubricFile, load_rubric_file

    if task.endswith(".json"):
        return load_rubric_file(Path(task)), None
    found = get_task(task)
    return RubricFile(found.rubric, found.scope, found.instruction), found.deck_bytes()


def _score(
    subject: "RubricFile", before: bytes, after: bytes, judged: bool, look: bool
) -> "ScoredNode":
    from pptarena.envs.judging import Judging
    from pptarena.rewards.imported import score_imported
    from pptarena.rewards.judges import JudgeConfig
    from pptarena.vm_images.office_renderer import OfficeRenderer

    rubric, scope = subject.rubric, subject.scope
    looks = _looks(before, after) if look else None
    config = JudgeConfig.from_environment() if judged else None
    if config is None:
        return score_imported(
            rubric, before, after, scope=scope, renderer=OfficeRenderer(), looks=looks
        )
    with Judging(config) as judging:
        node = score_imported(
            rubric,
            before,
            after,
            scope=scope,
            judge=judging.judge(before, after),
            model=judging.client,
            renderer=OfficeRenderer(),
            looks=looks,
        )
        return _explained(judging, subject.instruction, node)


def _looks(before: bytes, after: bytes) -> "Looks | None":
    from pptarena.rewards.looks import Looks
    from pptarena.vm_images.image import find_image
    from pptarena.vm_images.warm_renderer import shared_renderer

    if find_image() is None:
        stderr().print(
            "no machine image: what can be seen is estimated, not drawn (pptarena image build)",
            style="yellow",
        )
        return None
    return Looks(shared_renderer(), before, after)


def _explained(judging: "Judging", instruction: str, node: "ScoredNode") -> "ScoredNode":
    from pptarena.errors import JudgeError
    from pptarena.rewards.judges import explain

    try:
        return explain(judging.client, instruction, node)
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
