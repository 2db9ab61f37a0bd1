"""A page of tasks: instructions, slides before and after, rubrics, and videos of solved episodes.

The page is one HTML file without scripts or external resources.
"""

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from pptarena.errors import StoreError, TaskError
from pptarena.rewards import Rubric, RubricNode
from pptarena.rollouts.report.film import film
from pptarena.rollouts.report.pictures import FIDELITIES, Fidelity, PicturePool
from pptarena.rollouts.report.slides import Renderer, SlideComparer
from pptarena.rollouts.report.static_page import embedded_image, static_page
from pptarena.rollouts.store import read_meta, stored_episodes
from pptarena.tasks import Task
from pptarena.tasks.goals import goal_decks, has_goal
from pptarena.untrusted import escape_html

__all__ = ["Gallery", "build_gallery", "film_of", "solved_episodes"]

_SLIDES = Fidelity(FIDELITIES[0].scale, 80, 640, "WebP quality 80")
_MAX_SLIDES = 8  # per turn; changes of further slides are listed as text
_FILM_WIDTH_PX = 640
_QUALITY = 60
_MAX_FRAMES = 40
_MAX_OPEN_CHANGES = 6

_STYLE = """
nav { columns: 260px; font-size: 13px; margin: 12px 0 24px; } nav a { display: block; }
.instruction { font-size: 17px; max-width: 80ch; margin: 8px 0; white-space: pre-line; }
ul { margin: 4px 0; padding-left: 20px; font-size: 14px; }
details { margin: 8px 0; } summary { cursor: pointer; }
code { font: 12px/1.4 ui-monospace, monospace; color: var(--muted); }
"""


@dataclass(frozen=True, slots=True)
class Gallery:
    """A gallery page and its gaps.

    Attributes:
        html: The page: one file without external resources.
        without_slides: Why target slides are not shown, by task id.
        films: Number of tasks with a video.
    """

    html: str
    without_slides: Mapping[str, str]
    films: int


@dataclass(frozen=True, slots=True)
class _Slide:
    """A slide that the target deck changes.

    Attributes:
        before, after: Position in each deck, from 1; None if the slide is not in that deck.
        before_picture, after_picture: Index of the picture in the pool; None if there is no
            picture.
        changes: Descriptions of the differences.
    """

    before: int | None
    after: int | None
    before_picture: int | None
    after_picture: int | None
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of a task.

    Attributes:
        instruction: The instruction.
        feasible: Whether the turn is feasible.
        rubric: The rubric.
        slides: The slides that the target deck changes.
        changes: Descriptions of all changes.
        missing: Why slides are not shown; empty if they are.
    """

    instruction: str
    feasible: bool
    rubric: Rubric
    slides: tuple[_Slide, ...] = ()
    changes: tuple[str, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class _TaskView:
    """One task.

    Attributes:
        task: The task.
        turns: Its turns, at least one.
        film: An animated WebP file of a solved episode; None if there is none.
    """

    task: Task
    turns: tuple[_Turn, ...]
    film: bytes | None = None


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
    views: list[_TaskView] = []
    for task in tasks:
        on_task(task.id)
        folder = (episodes or {}).get(task.id)
        views.append(_view_task(task, comparer, None if folder is None else film_of(folder)))
    missing = {
        view.task.id: turn.missing
        for view in views
        for turn in view.turns
        if turn.missing and turn.feasible
    }
    pictures = tuple(pool.encoded(_SLIDES))
    html = _page(title, views, pictures)
    return Gallery(html, missing, sum(view.film is not None for view in views))


def solved_episodes(root: Path) -> dict[str, Path]:
    """Return the folder of the shortest episode that scored 1, by task id.

    Unreadable episodes are skipped.

    Raises:
        StoreError: If the folder does not exist.
    """
    if not root.is_dir():
        raise StoreError(
            f"{root}: expected a folder of episodes, as written by `pptarena run --out`"
        )
    shortest: dict[str, tuple[int, Path]] = {}
    for folder in stored_episodes(root):
        try:
            meta = read_meta(folder)
        except StoreError:
            continue
        if meta.score != 1:
            continue
        if meta.task not in shortest or meta.steps < shortest[meta.task][0]:
            shortest[meta.task] = meta.steps, folder
    return {task: folder for task, (_, folder) in shortest.items()}


def film_of(folder: Path) -> bytes | None:
    """Return the video of an episode as an animated WebP file; None if no screenshot is stored.

    Long episodes are sampled evenly down to about `_MAX_FRAMES` frames.
    """
    try:
        frames = list(film(folder))
    except StoreError:
        return None
    stride = -(-len(frames) // _MAX_FRAMES)
    sampled = [*frames[:-1:stride], frames[-1]]
    first, *others = [_downscale(picture) for picture, _ in sampled]
    options = {"quality": _QUALITY, "method": 4, "minimize_size": True, "loop": 0}
    times_ms = [time_ms for _, time_ms in sampled]
    stream = io.BytesIO()
    first.save(stream, "WEBP", save_all=True, append_images=others, duration=times_ms, **options)
    return stream.getvalue()


def _downscale(picture: Image.Image) -> Image.Image:
    height_px = max(1, round(picture.height * _FILM_WIDTH_PX / picture.width))
    return picture.resize((_FILM_WIDTH_PX, height_px), Image.Resampling.BOX)


def _view_task(task: Task, comparer: SlideComparer, film: bytes | None = None) -> _TaskView:
    """Return the view of a task; missing slides are explained in `_Turn.missing`.

    Args:
        task: The task.
        comparer: Compares the decks before and after each turn.
        film: Video of an episode.
    """
    targets, missing = _target_decks(task)
    decks = (task.deck_bytes(), *targets)
    turns = []
    turn_fields = ((task.instruction, task.feasible, task.rubric), *map(_turn_fields, task.turns))
    for number, (instruction, feasible, rubric) in enumerate(turn_fields):
        turn = _Turn(instruction, feasible, rubric)
        if not feasible:
            turn = _Turn(instruction, feasible, rubric, missing="the deck does not change")
        elif number + 1 < len(decks):
            comparison = comparer.compare_files(decks[number], decks[number + 1])
            slides = tuple(map(_slide, comparison["slides"][:_MAX_SLIDES]))
            changes = tuple(comparison["changes"])
            turn = _Turn(instruction, feasible, rubric, slides, changes, comparison["missing"])
        else:
            turn = _Turn(instruction, feasible, rubric, missing=missing)
        turns.append(turn)
    return _TaskView(task, tuple(turns), film)


def _target_decks(task: Task) -> tuple[tuple[bytes, ...], str]:
    no_target = "the task has no target deck"
    if task.feasible and not has_goal(task):
        return (), no_target
    try:
        return goal_decks(task), no_target
    except TaskError as error:
        return (), str(error)


def _turn_fields(turn: Any) -> tuple[str, bool, Rubric]:
    return turn.instruction, turn.feasible, turn.rubric


def _slide(slide: Mapping[str, Any]) -> _Slide:
    return _Slide(
        slide["before"],
        slide["after"],
        slide["before_picture"],
        slide["after_picture"],
        tuple(slide["changes"]),
    )


def _page(title: str, views: Sequence[_TaskView], pictures: Sequence[bytes]) -> str:
    """Return the page; texts of tasks and decks are escaped.

    Args:
        title: Title of the page.
        views: The tasks, in order.
        pictures: WebP files, indexed by the picture numbers of the views.
    """
    links = "".join(
        f'<a href="#{escape_html(view.task.id)}">{escape_html(view.task.id)}</a>' for view in views
    )
    body = (
        f"<h1>{escape_html(title)}</h1>\n<p>{escape_html(_counts(views))}</p>\n<nav>{links}</nav>\n"
        f"{''.join(_section(view, pictures) for view in views)}"
    )
    return static_page(f"{title} · pptarena tasks", body, _STYLE)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _counts(views: Sequence[_TaskView]) -> str:
    difficulties = Counter(view.task.difficulty for view in views)
    decks = len({view.task.file_name for view in views})
    parts = [f"{_counted(len(views), 'task')} on {_counted(decks, 'deck')}"]
    parts += [f"{difficulties[each]} {each}" for each in difficulties]
    kinds = Counter(kind for view in views for kind in view.task.edit_types)
    edit_types = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    return f"{', '.join(parts)}. Edit types: {edit_types or 'none'}."


def _section(view: _TaskView, pictures: Sequence[bytes]) -> str:
    task = view.task
    kind = ", ".join(
        (task.difficulty, task.level, f"deck {task.file_name}", *task.edit_types)
        + (() if task.feasible else ("infeasible",))
    )
    turns = "".join(
        _turn(turn, number, len(view.turns), pictures)
        for number, turn in enumerate(view.turns, start=1)
    )
    wordings = "".join(f"<li>{escape_html(each)}</li>" for each in task.paraphrases)
    wordings = (
        f"<details><summary>Other wordings</summary><ul>{wordings}</ul></details>"
        if wordings
        else ""
    )
    film = ""
    if view.film is not None:
        alt = f"Screen recording of {task.id}"
        film = f"<details><summary>Film</summary>{embedded_image(view.film, alt)}</details>"
    return (
        f'<section id="{escape_html(task.id)}"><h2>{escape_html(task.id)}</h2>'
        f'<div class="kind">{escape_html(kind)}</div>{turns}{wordings}{film}</section>\n'
    )


def _turn(turn: _Turn, number: int, total: int, pictures: Sequence[bytes]) -> str:
    heading = f"<h3>Turn {number} of {total}</h3>" if total > 1 else ""
    missing = f'<p class="kind">No slides: {escape_html(turn.missing)}.</p>' if turn.missing else ""
    slides = "".join(_pair(slide, pictures) for slide in turn.slides)
    changes = ""
    if turn.changes:
        items = "".join(f"<li>{escape_html(change)}</li>" for change in turn.changes)
        count = f"{len(turn.changes)} change{'' if len(turn.changes) == 1 else 's'} to the target"
        # Some changes, such as notes and hidden slides, are not visible on the slides.
        shown = " open" if len(turn.changes) <= _MAX_OPEN_CHANGES else ""
        changes = f"<details{shown}><summary>{count}</summary><ul>{items}</ul></details>"
    return (
        f'{heading}<p class="instruction">{escape_html(turn.instruction)}</p>'
        f"{missing}{slides}{changes}{_rubric(turn.rubric)}"
    )


def _pair(slide: _Slide, pictures: Sequence[bytes]) -> str:
    sides = (
        ("start", slide.before, slide.before_picture, "new slide"),
        ("target", slide.after, slide.after_picture, "deleted"),
    )
    figures = []
    for side, position, picture, absent in sides:
        if picture is None:
            figures.append(f'<figure><div class="none">{absent}</div></figure>')
            continue
        label = f"{side}, slide {position}"
        caption = f"<figcaption>{label}</figcaption>"
        figures.append(f"<figure>{embedded_image(pictures[picture], label)}{caption}</figure>")
    return f'<div class="pair">{"".join(figures)}</div>'


def _rubric(rubric: Rubric) -> str:
    return (
        f"<details open><summary>Scored, {escape_html(rubric.strategy)}</summary>"
        f"<ul>{_node(rubric.root)}</ul></details>"
    )


def _node(node: RubricNode) -> str:
    notes = ["critical"] if node.critical else []
    notes += [f"weight {node.weight:g}"] if node.weight != 1 else []
    notes += ["best of"] if node.is_any else []
    note = f' <span class="kind">({", ".join(notes)})</span>' if notes else ""
    check = ""
    if node.check is not None:
        arguments = json.dumps(dict(node.raw_args or {}), ensure_ascii=False)
        check = f"<br><code>{escape_html(node.check.name)} {escape_html(arguments)}</code>"
    children = _list(_node(child) for child in node.children)
    return f"<li>{escape_html(node.name)}{note}{check}{children}</li>"


def _list(items: Iterable[str]) -> str:
    content = "".join(items)
    return f"<ul>{content}</ul>" if content else ""
