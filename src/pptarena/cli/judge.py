"""``pptarena decks judge``: rate an edit with a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.deck_files import deck_bytes
from pptarena.cli.options import AsJson
from pptarena.cli.output import print_json, print_line
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pptarena.benchmarks.pptarena_uiuc import DualVerdict

__all__ = ["judge"]


def judge(
    deck: Annotated[Path, typer.Argument(help="The edited .pptx file.", metavar="DECK")],
    original: Annotated[
        Path,
        typer.Option(
            help="The deck before the edit, saved by the same application.", metavar="FILE"
        ),
    ],
    instruction: Annotated[str, typer.Option(help="The instruction of the edit.", metavar="TEXT")],
    reference: Annotated[
        Path | None, typer.Option(help="A .pptx file with a correct result.", metavar="FILE")
    ] = None,
    style: Annotated[
        str, typer.Option(help="Description of a correct result.", metavar="TEXT")
    ] = "",
    json: AsJson = False,
) -> None:
    """Rate an edit with a judge model.

    Two judges rate instruction following and visual quality. The first judge gets the instruction
    and the list of changes; the second gets pictures of the slides that look different, rendered by
    the machine image. Each gives 0 to 5. The environment variables PPTARENA_JUDGE_MODEL and
    PPTARENA_JUDGE_URL name the model and its service. An unchanged deck scores 0 without a request.

    Example:
      pptarena decks judge b.pptx --original a.pptx --instruction "Fix it."
    """
    from pptarena.benchmarks.pptarena_uiuc import DualJudge
    from pptarena.rewards.judges.client import JudgeClient, JudgeConfig
    from pptarena.vm_images.office import Office

    if not instruction.strip():
        raise ConfigError("--instruction is empty: give the instruction of the edit")
    config = JudgeConfig.from_environment()
    if config is None:
        raise ConfigError(
            "no judge model is configured. Set PPTARENA_JUDGE_MODEL to the name of a model and, if "
            "OpenAI does not serve it, PPTARENA_JUDGE_URL to the address of its service"
        )
    with JudgeClient(config) as client:
        verdict = DualJudge(client, Office()).judge(
            instruction,
            deck_bytes(original),
            deck_bytes(deck),
            style_target=style,
            reference=None if reference is None else deck_bytes(reference),
        )
    if json:
        print_json(verdict.to_json())
        return
    print_line(*_lines(verdict))


def _lines(verdict: "DualVerdict") -> "Iterator[str]":
    yield f"score {verdict.score:.2f}, as published {verdict.published_score:.2f}"
    yield f"instruction {verdict.instruction.score:g} of 5: {verdict.instruction.reason}"
    if verdict.visual is None:
        yield "visual: no visible change"
        return
    yield f"visual {verdict.visual.score:.1f} of 5"
    for slide in verdict.visual.slides:
        note = "" if slide.judged else ", not shown to the model"
        yield f"  slide {slide.slide}: {slide.score:g}{note}: {slide.reason}"
