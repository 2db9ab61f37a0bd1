"""Render the gallery as one HTML file without scripts or external resources."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from pptarena.audits.gallery.views import SlideView, TaskView, TurnView
from pptarena.rewards import Rubric, RubricNode
from pptarena.rollouts.report.still_page import still_image, still_page
from pptarena.untrusted import escape_html

__all__ = ["gallery_page"]

_FEW_CHANGES = 6

_STYLE = """
nav { columns: 260px; font-size: 13px; margin: 12px 0 24px; } nav a { display: block; }
.said { font-size: 17px; max-width: 80ch; margin: 8px 0; white-space: pre-line; }
ul { margin: 4px 0; padding-left: 20px; font-size: 14px; }
details { margin: 8px 0; } summary { cursor: pointer; }
code { font: 12px/1.4 ui-monospace, monospace; color: var(--muted); }
"""


def gallery_page(title: str, views: Sequence[TaskView], pictures: Sequence[bytes]) -> str:
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
    return still_page(f"{title} · pptarena tasks", body, _STYLE)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _counts(views: Sequence[TaskView]) -> str:
    difficulties = Counter(view.task.difficulty for view in views)
    decks = len({view.task.file_name for view in views})
    parts = [f"{_counted(len(views), 'task')} on {_counted(decks, 'deck')}"]
    parts += [f"{difficulties[each]} {each}" for each in difficulties]
    kinds = Counter(kind for view in views for kind in view.task.edit_types)
    listed = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    return f"{', '.join(parts)}. Edit types: {listed or 'none named'}."


def _section(view: TaskView, pictures: Sequence[bytes]) -> str:
    task = view.task
    kind = ", ".join(
        (task.difficulty, task.level, f"deck {task.file_name}", *task.edit_types)
        + (() if task.feasible else ("cannot be done",))
    )
    turns = "".join(
        _turn(turn, number, len(view.turns), pictures)
        for number, turn in enumerate(view.turns, start=1)
    )
    also = "".join(f"<li>{escape_html(each)}</li>" for each in task.paraphrases)
    also = f"<details><summary>Other wordings</summary><ul>{also}</ul></details>" if also else ""
    film = ""
    if view.film is not None:
        alt = f"What the screen showed while {task.id} was carried out"
        film = f"<details><summary>Film</summary>{still_image(view.film, alt)}</details>"
    return (
        f'<section id="{escape_html(task.id)}"><h2>{escape_html(task.id)}</h2>'
        f'<div class="kind">{escape_html(kind)}</div>{turns}{also}{film}</section>\n'
    )


def _turn(turn: TurnView, number: int, of: int, pictures: Sequence[bytes]) -> str:
    head = f"<h3>Turn {number} of {of}</h3>" if of > 1 else ""
    missing = f'<p class="kind">No slides: {escape_html(turn.missing)}.</p>' if turn.missing else ""
    slides = "".join(_pair(slide, pictures) for slide in turn.slides)
    changes = ""
    if turn.changes:
        items = "".join(f"<li>{escape_html(change)}</li>" for change in turn.changes)
        count = f"{len(turn.changes)} change{'' if len(turn.changes) == 1 else 's'} of the goal"
        # Some changes, such as notes and hidden slides, are not visible on the slides.
        shown = " open" if len(turn.changes) <= _FEW_CHANGES else ""
        changes = f"<details{shown}><summary>{count}</summary><ul>{items}</ul></details>"
    return (
        f'{head}<p class="said">{escape_html(turn.instruction)}</p>{missing}{slides}{changes}'
        f"{_rubric(turn.rubric)}"
    )


def _pair(slide: SlideView, pictures: Sequence[bytes]) -> str:
    sides = (
        ("start", slide.before, slide.before_picture, "not there yet"),
        ("goal", slide.after, slide.after_picture, "not there any more"),
    )
    figures = []
    for side, position, picture, absent in sides:
        if picture is None:
            figures.append(f'<figure><div class="none">{absent}</div></figure>')
            continue
        said = f"{side}, slide {position}"
        caption = f"<figcaption>{said}</figcaption>"
        figures.append(f"<figure>{still_image(pictures[picture], said)}{caption}</figure>")
    return f'<div class="pair">{"".join(figures)}</div>'


def _rubric(rubric: Rubric) -> str:
    return (
        f"<details open><summary>Scored, {escape_html(rubric.strategy)}</summary>"
        f"<ul>{_node(rubric.root)}</ul></details>"
    )


def _node(node: RubricNode) -> str:
    notes = ["critical"] if node.critical else []
    notes += [f"weight {node.weight:g}"] if node.weight != 1 else []
    notes += ["the best of these"] if node.is_any else []
    notes += ["one after the other"] if node.sequential else []
    note = f' <span class="kind">({", ".join(notes)})</span>' if notes else ""
    check = ""
    if node.check is not None:
        told = json.dumps(dict(node.raw_args or {}), ensure_ascii=False)
        check = f"<br><code>{escape_html(node.check.name)} {escape_html(told)}</code>"
    below = _list(_node(child) for child in node.children)
    return f"<li>{escape_html(node.name)}{note}{check}{below}</li>"


def _list(items: Iterable[str]) -> str:
    joined = "".join(items)
    return f"<ul>{joined}</ul>" if joined else ""
