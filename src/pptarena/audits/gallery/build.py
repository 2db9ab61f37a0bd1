"""Build the gallery page of a suite."""

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
    """A page, and what is missing from it.

    Attributes:
        html: The page: one file without external resources.
        without_slides: Why target slides are not shown, by task id.
        films: Number of tasks with a video.
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
    """Return the gallery of tasks, in the given order.

    Args:
        tasks: The tasks.
        title: Title of the page.
        render: Renders every slide of a deck to PNG; None for a page without slides.
        episodes: Episode folders to show as videos, by task id.
        on_task: Called with each task id before the task is processed.
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
