"""``pptarena tasks gallery``: an HTML page that shows tasks."""

from pathlib import Path
from typing import Annotated

import typer

from pptarena.cli.options import AsJson, Suite, TaskArguments
from pptarena.cli.output import new_progress, print_json, print_line, print_note
from pptarena.errors import ConfigError

__all__ = ["gallery"]


def gallery(
    ids: TaskArguments = None,
    suite: Suite = "starter",
    out: Annotated[Path, typer.Option(help="File to write.", metavar="FILE")] = Path(
        "gallery.html"
    ),
    runs: Annotated[
        Path | None,
        typer.Option(
            help="Folder of episodes; the shortest solved episode of a task becomes its video.",
            metavar="FOLDER",
        ),
    ] = None,
    slides: Annotated[
        bool, typer.Option(help="Show pictures of the slides; needs the machine image.")
    ] = True,
    json: AsJson = False,
) -> None:
    """Write an HTML page that shows tasks.

    Shows instruction, slides before and after, and rubric. The page is one file that needs no
    server and no network. It shows the slides that the target deck changes; they are rendered the
    first time, which takes some seconds a deck. For videos, first run: pptarena run --agent macro
    --suite NAME --out FOLDER

    Example:
      pptarena tasks gallery --suite bench --out gallery.html
    """
    from pptarena.rollouts.report.build import write_page
    from pptarena.rollouts.report.gallery import build_gallery, solved_episodes
    from pptarena.tasks import pick_tasks
    from pptarena.vm_images.office import Office

    if out.is_dir():
        raise ConfigError(f"--out: {out} is a folder; choose a file")
    tasks = pick_tasks(ids or (), suite)
    episodes = {} if runs is None else solved_episodes(runs)
    render = Office().render if slides else None
    title = f"Tasks of {suite}" if not ids else "Tasks"
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=len(tasks), completed=-1, note="")

        def on_task(task_id: str) -> None:
            progress.update(bar, advance=1, note=task_id)

        gallery_page = build_gallery(tasks, title, render, episodes, on_task)
        progress.update(bar, completed=len(tasks), note="")
    write_page(gallery_page.html, out)
    without_slides = dict(gallery_page.without_slides) if slides else {}
    for cause in dict.fromkeys(without_slides.values()):
        ids_without = [task_id for task_id, reason in without_slides.items() if reason == cause]
        names = ", ".join(ids_without[:3]) + (" ..." if len(ids_without) > 3 else "")
        print_note(f"slides of {names} are not shown: {cause}")
    size_mb = out.stat().st_size / 1e6
    if json:
        print_json(
            {
                "out": str(out),
                "tasks": len(tasks),
                "videos": gallery_page.films,
                "size_mb": round(size_mb, 1),
                "without_slides": without_slides,
            }
        )
        return
    videos = f", {gallery_page.films} with a video" if runs is not None else ""
    print_line(f"{len(tasks)} tasks{videos}, {size_mb:.1f} MB: {out}")
