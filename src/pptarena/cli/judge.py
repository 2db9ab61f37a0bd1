"""``pptarena judge``: two judges of one edit, by its facts and by its looks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.deck_files import deck_bytes
from pptarena.cli.output import print_json, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pptarena.benchmarks.pptarena_uiuc import DualVerdict

__all__ = ["judge"]


def judge(
    deck: Annotated[Path, typer.Argument(help="The edited .pptx file.")],
    original: Annotated[Path, typer.Option(help="The deck before, saved by the same application.")],
    instruction: Annotated[str, typer.Option(help="What was asked for.")],
    reference: Annotated[
        Path | None, typer.Option(help="A .pptx file that is one right result.")
    ] = None,
    style: Annotated[str, typer.Option(help="What a right result is like, in words.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Ask a model whether an edit did what was asked, and how its slides look.

    One judge gets the instruction and what changed, as facts; the other gets pictures of the
    slides that look otherwise, drawn by the machine image. Each gives 0 to 5. The model is that of
    PPTARENA_JUDGE_MODEL and PPTARENA_JUDGE_URL. A deck without any change scores 0 without a
    question.

    Example: pptarena judge done.pptx --original deck.pptx --instruction "Hide the last slide."
    """
    from pptarena.benchmarks.pptarena_uiuc import DualJudge
    from pptarena.rewards.judges.client import JudgeClient
    from pptarena.rewards.judges.config import JudgeConfig
    from pptarena.vm_images.office_renderer import OfficeRenderer

    if not instruction.strip():
        raise ConfigError("--instruction: expected what was asked for, got an empty text")
    config = JudgeConfig.from_environment()
    if config is None:
        raise ConfigError(
            "no judge model is configured. Set PPTARENA_JUDGE_MODEL to the name of a model and, if "
            "OpenAI does not serve it, PPTARENA_JUDGE_URL to the address of its service"
        )
    with JudgeClient(config) as client:
        verdict = DualJudge(client, OfficeRenderer()).judge(
            instruction,
            deck_bytes(original),
            deck_bytes(deck),
            style_target=style,
            reference=None if reference is None else deck_bytes(reference),
        )
    if json:
        print_json(verdict.to_json())
        return
    for line in _lines(verdict):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)


def _lines(verdict: "DualVerdict") -> "Iterator[str]":
    yield f"score {verdict.score:.2f}, as published {verdict.published_score:.2f}"
    yield f"instruction {verdict.instruction.score:g} of 5: {verdict.instruction.reason}"
    if verdict.visual is None:
        yield "looks: nothing that can be seen changed"
        return
    yield f"looks {verdict.visual.score:.1f} of 5"
    for slide in verdict.visual.slides:
        by = "" if slide.judged else ", not looked at by the model"
        yield f"  slide {slide.slide}: {slide.score:g}{by}: {slide.reason}"
