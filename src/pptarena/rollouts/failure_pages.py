"""Pages about failed episodes: one table over all agents, and a page with pictures per ending."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import StoreError
from pptarena.rollouts.endings import CAUSES, ENDINGS, TERMS, Ending, EndingRow, Term
from pptarena.rollouts.episode import IMPORTED, StepRecord, StoredEpisode
from pptarena.rollouts.exporters.action_text import operation_text
from pptarena.rollouts.reading import FINAL_PICTURE, read_picture
from pptarena.rollouts.report.build import write_page
from pptarena.rollouts.report.pictures import Fidelity, PicturePool
from pptarena.rollouts.report.slides import Renderer, SlideComparer
from pptarena.rollouts.report.still_page import column_meanings, still_image, still_page
from pptarena.rollouts.store import read_steps
from pptarena.untrusted import escape_html

__all__ = ["Failure", "write_failure_pages"]

_SMALL = Fidelity(1.0, 70, 480, "WebP quality 70")
_SHOWN_STEPS = 2  # last actions, besides the end
_SHOWN_SLIDES = 2
_MAX_REASON = 400
_SOLVED = "solved"
_STYLE = """
table { border-collapse: collapse; margin: 12px 0; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 6px 12px; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; font-weight: 600; }
th { font-weight: 400; color: var(--muted); font-size: 13px; vertical-align: bottom; }
.shots { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; margin: 10px 0; }
.tag { background: var(--box); border-radius: 10px; padding: 2px 9px; font-size: 13px; }
p { margin: 4px 0; max-width: 100ch; } nav a { margin-right: 14px; }
@media (max-width: 800px) { .shots { grid-template-columns: 1fr; } }
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """An episode with its ending.

    Attributes:
        name: Name of the agent.
        episode: The episode.
        ending: How it ended.
    """

    name: str
    episode: StoredEpisode
    ending: Ending


def write_failure_pages(
    folder: Path, rows: Sequence[EndingRow], failures: Sequence[Failure], render: Renderer | None
) -> list[Path]:
    """Write ``index.html`` and one page per ending other than "solved"; return their paths.

    An episode on a screen is shown with its last screens. Others are shown with the slides that
    they changed.

    Args:
        folder: The folder; it is created if it does not exist.
        rows: The table over all agents.
        failures: The episodes; solved ones are ignored.
        render: Renders slides; None shows no slides.

    Raises:
        StoreError: If a page cannot be written.
    """
    groups = {
        ending: [each for each in failures if each.ending.ending == ending]
        for ending in ENDINGS
        if ending != _SOLVED
    }
    groups = {ending: found for ending, found in groups.items() if found}
    pages = [folder / "index.html"]
    write_page(_index(rows, groups), pages[0])
    for ending, found in groups.items():
        pages.append(folder / _file(ending))
        write_page(_page(ending, found, render), pages[-1])
    return pages


def _file(ending: str) -> str:
    return f"{ending.replace(' ', '-')}.html"


def _index(rows: Sequence[EndingRow], groups: Mapping[str, Sequence[Failure]]) -> str:
    endings = [name for name in ENDINGS if any(row.endings[name] for row in rows)]
    causes = [name for name in CAUSES if any(row.causes[name] for row in rows)]
    sums = ("repeats", "without_effect", "refused")
    terms = [TERMS[name] for name in (*endings, *causes, *sums)]
    heads = [
        ("agent", "Name of the agent."),
        ("episodes", "Episodes of the agent, without infrastructure failures."),
        *terms,
        ("actions", "Actions of all episodes."),
    ]
    lines = [
        [
            row.agent,
            str(row.episodes),
            *(str(row.endings[name]) for name in endings),
            *(str(row.causes[name]) for name in causes),
            *(str(getattr(row, name)) for name in sums),
            str(row.steps),
        ]
        for row in rows
    ]
    links = "".join(
        f'<section><h2><a href="{_file(ending)}">{escape_html(_title(ending))}</a></h2>'
        f'<p>{TERMS[ending].meaning}</p><p class="kind">{len(found)} '
        f"episode{'' if len(found) == 1 else 's'}</p></section>"
        for ending, found in groups.items()
    )
    notes = (
        "Each episode has one ending. Failed episodes that were played to their end have a cause: "
        + ", ".join(TERMS[name].label for name in causes)
        if causes
        else "Each episode has one ending"
    )
    table = _table(heads, lines) + column_meanings(heads)
    body = f"<h1>How episodes ended</h1><p>{notes}.</p>{table}{links}"
    return still_page("How episodes ended", body, _STYLE)


def _title(ending: str) -> str:
    return TERMS[ending].label.capitalize()


def _table(heads: Sequence[tuple[str, str]], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(
        f'<th scope="col" title="{escape_html(meaning)}">{escape_html(label)}</th>'
        for label, meaning in heads
    )
    body = "".join(
        f"<tr>{''.join(f'<td>{escape_html(cell)}</td>' for cell in line)}</tr>" for line in lines
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _page(ending: str, found: Sequence[Failure], render: Renderer | None) -> str:
    causes = [name for name in ("", *CAUSES) if any(each.ending.cause == name for each in found)]
    ordered = [each for name in causes for each in found if each.ending.cause == name]
    sections = "".join(_section(each, render) for each in ordered)
    head = (
        '<nav><a href="index.html">All endings</a></nav>'
        f"<h1>{escape_html(_title(ending))}</h1>"
        f"<p>{TERMS[ending].meaning} {len(found)} episode{'' if len(found) == 1 else 's'}.</p>"
    )
    return still_page(_title(ending), head + sections, _STYLE)


def _section(failure: Failure, render: Renderer | None) -> str:
    meta, ending = failure.episode.meta, failure.ending
    facts = [
        failure.name,
        f"seed {meta.seed}",
        meta.difficulty,
        "no score" if meta.score is None else f"score {meta.score:.2f}",
        IMPORTED if meta.machine == IMPORTED else f"{meta.steps} of {meta.max_steps} actions",
        f"{ending.repeats} repeated actions" if ending.repeats else "",
        f"{ending.without_effect} actions without effect" if ending.without_effect else "",
        f"{ending.refused} refused actions" if ending.refused else "",
    ]
    tag = _tag(TERMS[ending.cause]) if ending.cause else ""
    reason = ending.reason
    if len(reason) > _MAX_REASON:
        reason = f"{reason[: _MAX_REASON - 1]}…"
    return (
        f"<section><h2>{escape_html(meta.task)}{tag}</h2>"
        f'<p class="kind">{escape_html(" · ".join(filter(None, facts)))}</p>'
        f"<p>{escape_html(meta.instruction)}</p>"
        f'<p class="kind">{escape_html(reason)}</p>{_shots(failure, render)}</section>\n'
    )


def _tag(cause: Term) -> str:
    meaning, label = escape_html(cause.meaning), escape_html(cause.label)
    return f' <span class="tag" title="{meaning}">{label}</span>'


def _shots(failure: Failure, render: Renderer | None) -> str:
    """Return the last screens, or the changed slides, as figures."""
    try:
        steps = read_steps(failure.episode.folder)
    except StoreError:
        steps = ()
    on_screen = any(step.screenshot_file for step in steps)
    shots = _screens(failure, steps) if on_screen else _slides(failure, render)
    figures = "".join(
        f"<figure>{still_image(picture, words)}<figcaption>{escape_html(words)}</figcaption>"
        "</figure>"
        for picture, words in shots
    )
    return f'<div class="shots">{figures}</div>' if figures else ""


def _screens(failure: Failure, steps: Sequence[StepRecord]) -> list[tuple[bytes, str]]:
    last = steps[-_SHOWN_STEPS:]
    names = [(step.screenshot_file, f"{step.step + 1}: {operation_text(step)}") for step in last]
    pool, words = PicturePool(), []
    for name, text in (*names, (FINAL_PICTURE, "at the end")):
        try:
            before = len(pool)
            pool.add_slide(read_picture(failure.episode.folder, name))
        except StoreError:
            continue
        if len(pool) > before:
            words.append(text)
        elif words:
            words[-1] = f"{words[-1]} / {text}"  # the same screen
    return list(zip(pool.encoded(_SMALL), words, strict=True))


def _slides(failure: Failure, render: Renderer | None) -> list[tuple[bytes, str]]:
    if render is None:
        return []
    pool = PicturePool()
    found: dict[str, Any] = SlideComparer(pool, render).compare(failure.episode.folder)
    pictures = list(pool.encoded(_SMALL))
    shots = []
    for slide in found["slides"][:_SHOWN_SLIDES]:
        for side in ("before", "after"):
            if (number := slide[f"{side}_picture"]) is not None:
                shots.append((pictures[number], f"slide {slide[side]}, {side}"))
    return shots
