"""Deck facts as compact JSON for language models."""

import json
from collections.abc import Iterable
from typing import Any

from pptarena.decks import Animation, Paint, Paragraph, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.frozen import FrozenDict, freeze
from pptarena.decks.read.caches import IdentityCache

__all__ = ["change_list", "slide_facts", "slide_list"]

_MAX_TEXT = 800
_MAX_ITEMS = 40
_EMU_PER_CM = 360_000

# Length of the facts as JSON, and the facts.
_SizedFacts = tuple[int, FrozenDict]

# Facts of slides that did not change since the last deck are reused.
_cache: IdentityCache[_SizedFacts] = IdentityCache(1_000)


def slide_list(slides: Iterable[Slide], max_chars: int = 24_000) -> list[dict[str, Any]]:
    """Return the facts of slides, limited to `max_chars`; further slides are only counted.

    The facts are immutable because unchanged slides share them between calls.
    """
    return _limit(map(_sized_slide, slides), max_chars, "slides")


def change_list(changes: Iterable[Change], max_chars: int = 16_000) -> list[dict[str, Any]]:
    """Return changes as sentences, limited to `max_chars`; further changes are only counted."""
    items = (_sized({"change": each.text, "aspect": each.aspect}) for each in changes)
    return _limit(items, max_chars, "changes")


def slide_facts(slide: Slide) -> dict[str, Any]:
    """Return the facts of one slide, without empty values."""
    transition = slide.transition
    return _nonempty(
        slide=slide.index + 1,
        layout=slide.layout,
        hidden=slide.hidden,
        background=_paint(slide.background),
        shapes=[_shape(shape) for shape in slide.shapes[:_MAX_ITEMS]],
        more_shapes=max(0, len(slide.shapes) - _MAX_ITEMS),
        notes=_clip(slide.notes),
        transition="" if transition.type == "none" else transition.type,
        advance_after_sec=transition.advance_after_sec,
        animations=[_effect(slide, each) for each in slide.animations[:_MAX_ITEMS]],
    )


def _effect(slide: Slide, effect: Animation) -> dict[str, Any]:
    shape = "" if effect.shape is None else slide.shapes[effect.shape].label
    return _nonempty(kind=effect.kind, effect=effect.effect, trigger=effect.trigger, shape=shape)


def _shape(shape: Shape) -> dict[str, Any]:
    box = shape.box
    return _nonempty(
        shape=shape.label,
        kind=shape.kind,
        outline=shape.geometry if shape.geometry != "rect" else "",
        left_top_width_height_cm=[
            round(each / _EMU_PER_CM, 1) for each in (box.left, box.top, box.width, box.height)
        ],
        rotation_deg=box.rotation_deg,
        fill=_paint(shape.fill),
        line=_paint(shape.line.paint),
        paragraphs=[_paragraph(each) for each in shape.paragraphs[:_MAX_ITEMS] if each.runs],
        more_paragraphs=max(0, len(shape.paragraphs) - _MAX_ITEMS),
        picture=shape.picture.sha256[:8] if shape.picture else "",
        table=_table(shape),
        chart=_chart(shape),
        alt_text=_clip(shape.alt_text),
        link=str(shape.link or ""),
        hidden=shape.hidden,
    )


def _paragraph(paragraph: Paragraph) -> dict[str, Any]:
    first = paragraph.runs[0].style
    return _nonempty(
        text=_clip(paragraph.text),
        level=paragraph.level,
        align=paragraph.align if paragraph.align != "left" else "",
        bullet=paragraph.bullet.kind if paragraph.bullet.kind != "none" else "",
        size_pt=first.size_pt,
        font=first.font,
        color=first.color,
        bold=first.bold,
        italic=first.italic,
        underline=first.underline if first.underline != "none" else "",
        mixed_styles=len({run.style for run in paragraph.runs}) > 1,
        links=[str(run.link) for run in paragraph.runs if run.link][:_MAX_ITEMS],
    )


def _table(shape: Shape) -> list[list[str]]:
    if shape.table is None:
        return []
    rows = shape.table.rows[:_MAX_ITEMS]
    return [[_clip(cell.text) for cell in row[:_MAX_ITEMS]] for row in rows]


def _chart(shape: Shape) -> dict[str, Any]:
    chart = shape.chart
    if chart is None:
        return {}
    series = [
        _nonempty(
            name=each.name,
            type=each.type,
            color=each.color,
            categories=list(each.categories[:_MAX_ITEMS]),
            values=list(each.values[:_MAX_ITEMS]),
        )
        for each in chart.series[:_MAX_ITEMS]
    ]
    return _nonempty(
        type=chart.type,
        grouping=chart.grouping,
        title=_clip(chart.title),
        legend=chart.legend,
        axis_titles=list(chart.axis_titles),
        series=series,
    )


def _paint(paint: Paint) -> str:
    if paint.kind == "none":
        return ""
    color = paint.color or paint.kind
    return color if paint.opacity_pct == 100 else f"{color} at {paint.opacity_pct} % opacity"


def _clip(text: str) -> str:
    excess = len(text) - _MAX_TEXT
    return text if excess <= 0 else f"{text[:_MAX_TEXT]}… ({excess} more letters)"


def _nonempty(**facts: Any) -> dict[str, Any]:
    return {
        name: value for name, value in facts.items() if value not in ("", None, False, 0, [], {})
    }


def _sized_slide(slide: Slide) -> _SizedFacts:
    return _cache.get((slide,), lambda: _sized(slide_facts(slide)))


def _sized(facts: dict[str, Any]) -> _SizedFacts:
    return len(json.dumps(facts, ensure_ascii=False)), freeze(facts)


def _limit(items: Iterable[_SizedFacts], max_chars: int, noun: str) -> list[dict[str, Any]]:
    included: list[dict[str, Any]] = []
    remaining, dropped = max_chars, 0
    for length, facts in items:
        remaining -= length
        if remaining < 0:
            dropped += 1
        else:
            included.append(facts)
    return [*included, {"not_shown": f"{dropped} more {noun}"}] if dropped else included
