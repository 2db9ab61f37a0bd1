"""A page that compares two decks: the slides that differ, with the changes marked."""

from collections.abc import Iterable, Sequence
from typing import Any

from pptarena.decks import Deck, Slide, read_deck
from pptarena.decks.diff import Change, diff_decks
from pptarena.rollouts.report.pictures import FIDELITIES, Fidelity, PicturePool
from pptarena.rollouts.report.slides import Renderer, SlideComparer, belongs_to_slide
from pptarena.rollouts.report.static_page import embedded_image, static_page
from pptarena.untrusted import escape_html

__all__ = ["diff_page"]

_SLIDES = Fidelity(FIDELITIES[0].scale, 85, 960, "WebP quality 85")
_STYLE = """
.shown { position: relative; }
.shown svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.box { fill-opacity: 0.08; stroke-width: 2; vector-effect: non-scaling-stroke; }
.gone { stroke: #c22; fill: #c22; } .came { stroke: #178a43; fill: #178a43; }
.altered { stroke: #b86e00; fill: #b86e00; } .tag { stroke: none; }
text { font: 700 2.4px system-ui, sans-serif; fill: #fff; text-anchor: middle; }
ol { margin: 4px 0; padding-left: 28px; font-size: 14px; }
.legend b { padding: 0 6px; } .legend b { color: #fff; } .gone { background: #c22; }
.came { background: #178a43; } .altered { background: #b86e00; }
"""
_LEGEND = (
    '<p class="kind legend">Shapes are labeled with the numbers of their changes: '
    '<b class="gone">removed</b><b class="came">added</b><b class="altered">changed</b></p>'
)


def diff_page(
    title: str,
    before_file: bytes,
    after_file: bytes,
    render: Renderer | None,
    all_slides: bool = False,
) -> tuple[str, str]:
    """Return a page with the changes between two decks, and why it has no pictures.

    Without pictures the page lists the changes as text. All text of the decks is escaped.

    Args:
        title: Title of the page.
        before_file: The .pptx file before.
        after_file: The .pptx file after.
        render: Renders every slide of a deck as PNG; None for text only.
        all_slides: Whether to include unchanged slides.

    Raises:
        DeckError: If a deck cannot be read.
    """
    before, after = read_deck(before_file), read_deck(after_file)
    changes = diff_decks(before, after)
    pool = PicturePool()
    comparison = SlideComparer(pool, render, all_slides).compare_files(before_file, after_file)
    pictures = tuple(pool.encoded(_SLIDES))
    deck_changes = [each for each in changes if each.slide is None and each.slide_now is None]
    if comparison["missing"]:
        body = _change_list(change.text for change in changes)
    else:
        body = _change_list(change.text for change in deck_changes)
        body += "".join(
            _slide(before, after, changes, slide, pictures) for slide in comparison["slides"]
        )
    count = f"{len(changes)} change{'' if len(changes) == 1 else 's'}" if changes else "no changes"
    legend = _LEGEND if comparison["slides"] and changes else ""
    head = f"<h1>{escape_html(title)}</h1><p>{count}.</p>{legend}"
    return static_page(title, head + body, _STYLE), comparison["missing"]


def _change_list(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{escape_html(sentence)}</li>" for sentence in sentences)
    return f"<section><ol>{items}</ol></section>" if items else ""


def _slide(
    before: Deck,
    after: Deck,
    changes: Sequence[Change],
    slide: dict[str, Any],
    pictures: Sequence[bytes],
) -> str:
    old, new = slide["before"], slide["after"]
    slide_changes = [change for change in changes if belongs_to_slide(change, old, new)]
    items = "".join(f"<li>{escape_html(change.sentence)}</li>" for change in slide_changes)
    pair = _side(before, "before", old, slide["before_picture"], slide_changes, pictures)
    pair += _side(after, "after", new, slide["after_picture"], slide_changes, pictures)
    return (
        f"<section><h2>{escape_html(_heading(before, after, old, new))}</h2>"
        f'<div class="pair">{pair}</div><ol>{items}</ol></section>\n'
    )


def _heading(before: Deck, after: Deck, old: int | None, new: int | None) -> str:
    if old is None:
        slide, heading = after.slides[(new or 1) - 1], f"New slide {new}"
    else:
        slide, heading = before.slides[old - 1], f"Slide {old}"
        if new is None:
            heading += ", removed"
        elif new != old:
            heading += f", now {new}"
    title = " ".join(slide.title.split())
    return f"{heading}: {title[:80]}" if title else heading


def _side(
    deck: Deck,
    side: str,
    position: int | None,
    picture: int | None,
    slide_changes: Sequence[Change],
    pictures: Sequence[bytes],
) -> str:
    if position is None or picture is None:
        return f'<figure><div class="none">no such slide {side}</div></figure>'
    caption = f"{side}, slide {position}"
    marks = _marks(deck, deck.slides[position - 1], slide_changes, side == "before")
    return (
        f'<figure><div class="shown">{embedded_image(pictures[picture], caption)}{marks}</div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _marks(deck: Deck, slide: Slide, slide_changes: Sequence[Change], is_before: bool) -> str:
    """Return boxes around the changed shapes; the slide is 100 units wide."""
    numbers: dict[int, list[int]] = {}
    styles: dict[int, str] = {}
    for number, change in enumerate(slide_changes, start=1):
        index = change.shape_index if is_before else change.shape_index_now
        if index is None or index >= len(slide.shapes):
            continue
        numbers.setdefault(index, []).append(number)
        presence = change.shape_index is not None, change.shape_index_now is not None
        styles[index] = {(True, False): "gone", (False, True): "came"}.get(presence, "altered")
    if not numbers:
        return ""
    unit = deck.width_emu / 100
    marks = []
    for index, change_numbers in numbers.items():
        box, style = slide.shapes[index].box, styles[index]
        left, top, width, height = (
            value / unit for value in (box.left, box.top, box.width, box.height)
        )
        center = f"{left + width / 2:.2f} {top + height / 2:.2f}"
        marks.append(
            f'<rect class="box {style}" x="{left:.2f}" y="{top:.2f}" width="{max(width, 0.5):.2f}"'
            f' height="{max(height, 0.5):.2f}" transform="rotate({box.rotation_deg:g} {center})"/>'
            + _tag(_ranges(change_numbers), style, left, top)
        )
    height_units = deck.height_emu / unit
    return f'<svg viewBox="0 0 100 {height_units:.2f}" aria-hidden="true">{"".join(marks)}</svg>'


def _tag(label: str, style: str, left: float, top: float) -> str:
    """Return a label above a box, moved inside the slide if necessary."""
    width, height = 1.5 * len(label) + 1.5, 3.0
    x, y = min(max(left, 0.0), 100 - width), max(top - height, 0.0)
    return (
        f'<rect class="tag {style}" x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height}"/>'
        f'<text x="{x + width / 2:.2f}" y="{y + 2.35:.2f}">{label}</text>'
    )


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers in short form: 1-3, 5."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
