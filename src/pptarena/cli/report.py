"""``pptarena report``: one HTML file to look at a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, stderr, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rollouts.report import Report

__all__ = ["report"]


def report(
    folder: Annotated[Path, typer.Argument(help="An episode, or a folder of episodes.")],
    out: Annotated[
        Path | None, typer.Option(help="File to write.", show_default="report.html in the folder")
    ] = None,
    max_mb: Annotated[
        float | None,
        typer.Option(
            min=0.0, help="Largest size in megabytes; pictures get smaller to keep to it."
        ),
    ] = None,
    slides: Annotated[
        bool, typer.Option(help="Show slides before and after; needs the machine image.")
    ] = True,
    all_slides: Annotated[
        bool, typer.Option("--all-slides", help="Show slides without a change too.")
    ] = False,
) -> None:
    """Write a report of stored episodes: results with confidence intervals, and every step.

    It is one file that needs no server and no network. Screens are kept without loss unless
    --max-mb asks for less. Slides are rendered the first time, some seconds a deck.

    Example: pptarena report runs/demo --out report.html
    """
    from pptarena.rollouts.report import write_report

    target = folder / "report.html" if out is None else out
    if target.is_dir():
        raise ConfigError(f"expected a file to write to, got the folder {target}")
    made = _build(folder, max_mb, slides, all_slides)
    write_report(made, target)
    for name, why in made.unreadable:
        stderr().print(f"left out: {name}: {why}", markup=False, soft_wrap=True)
    if slides and made.not_rendered:
        stderr().print(f"no pictures of slides: {made.not_rendered}", markup=False, soft_wrap=True)
    count = f"{made.episodes} episode{'' if made.episodes == 1 else 's'}"
    size_mb = target.stat().st_size / 1e6
    told = f"{count}, {size_mb:.1f} MB, screens {made.fidelity.words}: {target}"
    stdout().print(told, markup=False, highlight=False, soft_wrap=True)


def _build(folder: Path, max_mb: float | None, slides: bool, all_slides: bool) -> "Report":
    from pptarena.rollouts.report import build_report
    from pptarena.vm_images.office_renderer import OfficeRenderer

    render = OfficeRenderer().render if slides else None
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="")

        def watch(done: int, total: int, name: str) -> None:
            progress.update(bar, completed=done, total=total, note=name)

        made = build_report(folder, render, all_slides=all_slides, max_mb=max_mb, on_episode=watch)
        progress.update(bar, note="")
    return made
