"""``pptarena tasks gallery``: one HTML file with all tasks of a suite to look at."""

from pathlib import Path
from typing import Annotated

import typer

from pptarena.cli.output import new_progress, stderr, stdout
from pptarena.errors import ConfigError

__all__ = ["gallery"]


def gallery(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="TASK", help="Ids or paths of tasks; default: all of the suite."),
    ] = None,
    suite: Annotated[
        str, typer.Option(help="Suite of tasks: a name, a folder or a .jsonl file.")
    ] = "starter",
    out: Annotated[Path, typer.Option(help="File to write.")] = Path("gallery.html"),
    runs: Annotated[
        Path | None,
        typer.Option(help="Folder of episodes; the shortest that solved a task is its film."),
    ] = None,
    slides: Annotated[
        bool, typer.Option(help="Show slides as pictures; needs the machine image.")
    ] = True,
) -> None:
    """Write a page of tasks: instruction, slides at the start and at the goal, what is scored.

    It is one file that needs no server and no network. Slides are shown where the goal of a task is
    known as a deck, and only those that the goal changes; they are drawn the first time, some
    seconds a deck. Films come from a run: pptarena run --agent macro --suite NAME --out FOLDER.

    Example: pptarena tasks gallery --suite office --runs runs/macro --out gallery.html
    """
    from pptarena.audits.gallery import build_gallery
    from pptarena.audits.gallery.films import solved_episodes
    from pptarena.rollouts.report.build import write_page
    from pptarena.tasks import pick_tasks
    from pptarena.vm_images.office_renderer import OfficeRenderer

    if out.is_dir():
        raise ConfigError(f"expected a file to write to, got the folder {out}")
    tasks = pick_tasks(ids or (), suite)
    episodes = {} if runs is None else solved_episodes(runs)
    render = OfficeRenderer().render if slides else None
    title = f"Tasks of {suite}" if not ids else "Tasks"
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=len(tasks), completed=-1, note="")

        def watch(task_id: str) -> None:
            progress.update(bar, advance=1, note=task_id)

        made = build_gallery(tasks, title, render, episodes, watch)
        progress.update(bar, completed=len(tasks), note="")
    write_page(made.html, out)
    if slides:
        for task_id, why in made.without_slides.items():
            told = f"no slides of {task_id}: {why}"
            stderr().print(told, markup=False, highlight=False, soft_wrap=True)
    films = f", {made.films} with a film" if runs is not None else ""
    told = f"{len(tasks)} tasks{films}, {out.stat().st_size / 1e6:.1f} MB: {out}"
    stdout().print(told, markup=False, highlight=False, soft_wrap=True)
