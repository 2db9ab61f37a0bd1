"""``pptarena report``: an HTML report of a run."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson, EpisodeFolder
from pptarena.cli.output import new_progress, print_json, print_line, print_note
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rollouts.report import Report

__all__ = ["report"]

_OTHER_PAGES = (".pdf", ".md", ".json", ".gif", ".webp", ".png", ".mp4", ".docx", ".pptx")


def report(
    folder: EpisodeFolder,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File to write.", metavar="FILE", show_default="report.html in the folder"
        ),
    ] = None,
    max_mb: Annotated[
        float | None,
        typer.Option(
            min=0.0, help="Size limit in megabytes; shrinks the screenshots.", metavar="X"
        ),
    ] = None,
    slides: Annotated[
        bool,
        typer.Option(help="Show slides before and after; needs the machine image."),
    ] = True,
    all_slides: Annotated[
        bool, typer.Option("--all-slides", help="Also show slides without a change.")
    ] = False,
    video: Annotated[
        Path | None,
        typer.Option(
            help="Write a film of one episode instead: .gif, .webp or .png (animated).",
            metavar="FILE",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Write an HTML report of stored episodes, or a film of one.

    Shows results with confidence intervals and every step. The report is one file that needs no
    server and no network. Screenshots are lossless unless --max-mb is set. Slides are rendered the
    first time, which takes some seconds a deck.

    With --video, FOLDER is one episode. The film shows the screen before every action, the pointer,
    the element that the action aims at, the action in words, and the score.

    Examples:
      pptarena report runs/demo --out report.html
      pptarena report runs/demo/random/my-task/seed-0 --video film.gif
    """
    from pptarena.rollouts.report import write_page
    from pptarena.rollouts.store import require_run_folder

    if video is not None:
        _write_film(folder, out, video, json)
        return

    require_run_folder(folder)
    target = folder / "report.html" if out is None else out
    if target.is_dir():
        raise ConfigError(f"--out: {target} is a folder; choose a file")
    if target.suffix.lower() in _OTHER_PAGES:
        raise ConfigError(f"--out: {target}: a report is an HTML file; choose a .html file")
    built = _build(folder, max_mb, slides, all_slides)
    write_page(built.html, target)
    print_note(*(f"skipped {name}: {reason}" for name, reason in built.unreadable))
    if slides and built.not_rendered:
        print_note(f"slides are not shown: {built.not_rendered}")
    size_mb = target.stat().st_size / 1e6
    if json:
        print_json(
            {
                "out": str(target),
                "episodes": built.episodes,
                "size_mb": round(size_mb, 1),
                "screenshots": built.fidelity.description,
                "skipped": [[str(name), str(reason)] for name, reason in built.unreadable],
            }
        )
        return
    count = f"{built.episodes} episode{'' if built.episodes == 1 else 's'}"
    print_line(f"{count}, {size_mb:.1f} MB, screenshots {built.fidelity.description}: {target}")


def _write_film(folder: Path, out: Path | None, video: Path, json: bool) -> None:
    from pptarena.rollouts.report.film import write_film

    if out is not None:
        raise ConfigError("--out names a report and --video a film: leave out one")
    with new_progress() as progress:
        progress.add_task("film", total=None, note=str(folder))
        episode = write_film(folder, video)
    size_mb = round(video.stat().st_size / 1e6, 1)
    if json:
        print_json({"video": str(video), "episode": str(episode), "size_mb": size_mb})
    else:
        print_line(f"Film of {episode}, {size_mb} MB: {video}")


def _build(folder: Path, max_mb: float | None, slides: bool, all_slides: bool) -> "Report":
    from pptarena.rollouts.report import build_report
    from pptarena.vm_images.office import Office

    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="")
        office = Office()
        current = ""

        def on_episode(done: int, total: int, name: str) -> None:
            nonlocal current
            current = name
            progress.update(bar, completed=done, total=total, note=name)

        def render(file: bytes) -> Sequence[bytes]:
            progress.update(bar, note=f"{current}: rendering slides")
            pictures = office.render(file)
            progress.update(bar, note=current)
            return pictures

        built = build_report(
            folder,
            render if slides else None,
            all_slides=all_slides,
            max_mb=max_mb,
            on_episode=on_episode,
        )
        progress.update(bar, note="")
    return built
