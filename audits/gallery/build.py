"""The gallery: all views of a suite, and the page that is made of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pptarena.audits.gallery.films import film_of
from pptarena.audits.gallery.page import gallery_page
from pptarena.audits.gallery.views import TaskView, view_task
from pptarena.rollouts.report.pictures import FIDELITIES, Fidelity, PicturePool
from pptarena.rollouts.report.slides import Renderer, SlideComparer
from pptarena.tasks import Task

__all__ = ["Gallery", "build_gallery"]

_SLIDES = Fidelity(FIDELITIES[0].scale, 80, 640, "WebP quality 80")


@dataclass(frozen=True, slots=True)
class Gallery:
    """A page, and what could not be put into it.

    Attributes:
        html: The page, one file that loads nothing from elsewhere.
        without_slides: Why slides of a task's goals are not shown, by task.
        films: How many tasks have a film.
    """

    html: str
    without_slides: Mapping[str, str]
    films: int


def build_gallery(
    tasks: Sequence[Task],
    title: str,
    render: Renderer | None,
    episodes: Mapping[str, Path] | None = None,
    on_task: Callable[[str], None] = lambda _: None,
) -> Gallery:
    """Return the gallery of some tasks, in their order.

    Args:
        tasks: The tasks.
        title: What stands at the top of the page.
        render: Makes a PNG file of every slide of a deck; None for words only.
        episodes: Folders of episodes that are shown as films, by task id.
        on_task: Told the id of each task before it is looked at.
    """
    pool = PicturePool()
    comparer = SlideComparer(pool, render)
    views: list[TaskView] = []
    for task in tasks:
        on_task(task.id)
        folder = (episodes or {}).get(task.id)
        views.append(view_task(task, comparer, None if folder is None else film_of(folder)))
    missing = {
        view.task.id: turn.missing
        for view in views
        for turn in view.turns
        if turn.missing and turn.feasible
    }
    pictures = tuple(pool.encoded(_SLIDES))
    html = gallery_page(title, views, pictures)
    return Gallery(html, missing, sum(view.film is not None for view in views))
