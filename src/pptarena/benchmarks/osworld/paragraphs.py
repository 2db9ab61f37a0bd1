"""Compare paragraphs, runs and bullets as OSWorld does."""

from collections.abc import Iterator
from typing import Any

from lxml import etree
from pptx.enum.text import PP_ALIGN

__all__ = [
    "color_differs",
    "compared_runs",
    "paragraphs_differ",
    "read_bullets",
    "switch_differs",
    "underline_differs",
]

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)


def paragraphs_differ(
    first: Any, second: Any, examined: frozenset[str], *, runs: bool = True
) -> Iterator[str]:
    """Yield the differences of two text frames.

    Args:
        first: The text frame to evaluate.
        second: Its counterpart.
        examined: Names of the compared properties.
        runs: Whether to compare runs.
    """
    paragraphs, others = list(first.paragraphs), list(second.paragraphs)
    if len(paragraphs) != len(others):
        yield f"{len(paragraphs)} paragraphs instead of {len(others)}"
    for one, other in zip(paragraphs, others, strict=False):
        if "alignment" in examined and _align(one) != _align(other):
            yield f"{one.text[:40]!r} is aligned {_align(one)} instead of {_align(other)}"
        if "text" in examined and one.text != other.text:
            yield f"{one.text[:40]!r} instead of {other.text[:40]!r}"
        if "indent" in examined and one.level != other.level:
            yield f"{one.text[:40]!r} has the level {one.level} instead of {other.level}"
        if runs:
            yield from _compare_runs(one, other, examined)


def compared_runs(first: Any, second: Any) -> tuple[list[Any], list[Any]]:
    """Return the runs of two paragraphs; if both are blank, only runs with visible text."""
    runs, others = list(first.runs), list(second.runs)
    if not first.text.strip() and not second.text.strip():
        return [run for run in runs if run.text.strip()], [r for r in others if r.text.strip()]
    return runs, others


def switch_differs(one: bool | None, other: bool | None) -> bool:
    """Return whether bold or italic differs; None counts as off."""
    return bool(one) != bool(other)


def color_differs(one: Any, other: Any) -> bool:
    """Return whether two fonts both have RGB colors that differ."""
    colors = [getattr(font.color, "rgb", None) for font in (one, other) if _has_rgb(font)]
    return len(colors) == 2 and colors[0] != colors[1]


def underline_differs(one: Any, other: Any) -> bool:
    """Return whether underlining differs; None equals off, and a style differs from plain on."""
    if one == other:
        return False
    if one is None or other is None:
        return one is True or other is True
    return True


def read_bullets(part: bytes) -> list[tuple[str, str, str]] | None:
    """Return level, bullet character and text of each non-empty paragraph; None if unreadable."""
    try:
        root = etree.fromstring(part, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        return None
    bullets = []
    for paragraph in root.iter(f"{_A}p"):
        text = "".join(run.text or "" for run in paragraph.iter(f"{_A}t"))
        if not text.strip():
            continue
        properties = paragraph.find(f"{_A}pPr")
        level = "none" if properties is None else properties.get("lvl") or "0"
        bullet = None if properties is None else properties.find(f"{_A}buChar")
        bullets.append((level, "" if bullet is None else bullet.get("char") or "", text))
    return bullets


def _compare_runs(first: Any, second: Any, examined: frozenset[str]) -> Iterator[str]:
    runs, others = compared_runs(first, second)
    if "run_count" in examined and len(runs) != len(others):
        yield f"{first.text[:40]!r} has {len(runs)} runs instead of {len(others)}"
    for one, other in zip(runs, others, strict=False):
        for property_name in _font_differs(one.font, other.font, examined):
            yield f"{property_name} of {one.text[:40]!r} differs"


def _font_differs(one: Any, other: Any, examined: frozenset[str]) -> Iterator[str]:
    if "font_name" in examined and one.name != other.name:
        yield "the typeface"
    if "font_size" in examined and one.size != other.size:
        yield "the size"
    if "font_bold" in examined and switch_differs(one.bold, other.bold):
        yield "bold"
    if "font_italic" in examined and switch_differs(one.italic, other.italic):
        yield "italic"
    if "color_rgb" in examined and color_differs(one, other):
        yield "the colour"
    if "font_underline" in examined and underline_differs(one.underline, other.underline):
        yield "the underline"
    if "strike_through" in examined and _strike(one) != _strike(other):
        yield "the strike"


def _strike(font: Any) -> str:
    return str(font._element.get("strike", "noStrike"))


def _align(paragraph: Any) -> Any:
    return PP_ALIGN.LEFT if paragraph.alignment is None else paragraph.alignment


def _has_rgb(font: Any) -> bool:
    return hasattr(font.color, "rgb")
