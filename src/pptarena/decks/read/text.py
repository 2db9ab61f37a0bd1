"""Read text with all inherited values."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import cast

from lxml.etree import _Element

from pptarena.decks.facts.text import (
    CELL_INSETS_EMU,
    NO_BULLET,
    Anchor,
    Bullet,
    Link,
    Paragraph,
    Run,
    RunStyle,
    TextFrame,
)
from pptarena.decks.package.names import A, P, R, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.context import Context, PlaceholderKey
from pptarena.decks.read.numbers import (
    ANGLE,
    FONT_SCALE,
    INT,
    PARAGRAPH_SPACE_PERCENT,
    Span,
    int_attribute,
    number,
)
from pptarena.decks.read.run_elements import A14_MATH, equation_values, run_elements, run_text
from pptarena.decks.read.text_values import (
    ParagraphValues,
    RunValues,
    paragraph_values,
    reference_values,
    run_style,
    run_values,
    split_by_script,
)

__all__ = [
    "ANCHORS",
    "INSETS",
    "TextReader",
    "body_properties",
    "read_autofit",
    "read_frame",
    "text_cost",
]

# Cost of a paragraph and of a run, in units of one tag or attribute.
_PARAGRAPH_COST = 12
_RUN_COST = 4

_LEVELS = Span(0, 8)
_STYLE_FIELDS = tuple(each.name for each in fields(RunStyle))
_BULLET_KEYS = ("bullet_color", "bullet_size_pct", "bullet_size_pt", "bullet_font")

_Level = tuple[ParagraphValues, RunValues]


def text_cost(body: _Element) -> int:
    """Return the cost of reading a text body beyond its tags; see `Package.spend`."""
    return sum(_PARAGRAPH_COST + _RUN_COST * len(paragraph) for paragraph in body)


class TextReader:
    """Reads the text of one slide."""

    def __init__(self, context: Context, part: str, package: Package) -> None:
        self._context = context
        self._part = part
        self._package = package
        self._rels = package.rels(part)

    def read(
        self,
        body: _Element | None,
        key: PlaceholderKey | None = None,
        style: _Element | None = None,
        overrides: RunValues | None = None,
    ) -> tuple[Paragraph, ...]:
        """Return the paragraphs of a text body; empty if all paragraphs are empty.

        Args:
            body: A text body, such as ``p:txBody``.
            key: The placeholder of the text, if any.
            style: ``p:style`` of the shape, which may set color and typeface.
            overrides: Run values that override inherited ones, such as those of a table style.
        """
        if body is None:
            return ()
        own = body.find(f"{A}lstStyle")
        own = own if own is not None and len(own) else None
        in_table = overrides is not None
        if overrides is None:
            reference = find_path(style, f"{A}fontRef")
            overrides = reference_values(reference, self._context.colors, self._context.theme)
        paragraphs = []
        for element in body.iterchildren(f"{A}p"):
            properties = element.find(f"{A}pPr")
            level = int_attribute(properties, "lvl", _LEVELS) or 0
            inherited = self._shared_level(key, level, overrides, in_table=in_table)
            if own is not None:
                inherited = self._add(own, level, inherited)
            paragraphs.append(self._paragraph(element, properties, level, inherited))
        return tuple(paragraphs) if any(each.runs for each in paragraphs) else ()

    def link(self, click: _Element | None) -> Link | None:
        """Return the target of an ``a:hlinkClick``; None for none."""
        if click is None:
            return None
        action = (click.get("action") or "").rpartition("?")[2]
        rel = self._rels.get(click.get(f"{R}id") or "")
        address = action if rel is None else rel.target + rel.fragment
        number = None if rel is None or rel.external else self._package.slide_number(rel.target)
        if rel is not None and number is not None:
            # A location within another slide resolves to that slide; within this part, it is kept.
            is_internal = rel.fragment and rel.target == self._part
            return Link(rel.fragment) if is_internal else Link(slide=number)
        return Link(address) if address else None

    def sample(self, name: str, key: PlaceholderKey | None, level: int) -> Paragraph:
        """Return a paragraph with the text `name` and the formatting of a placeholder level."""
        paragraph_base, char_values = self._shared_level(key, level, {}, in_table=key is None)
        return _make_paragraph([Run(name, self._style(char_values))], level, paragraph_base)

    def _paragraph(
        self, element: _Element, properties: _Element | None, level: int, inherited: _Level
    ) -> Paragraph:
        paragraph_base, char_values = inherited
        if properties is not None:
            paragraph_base = {
                **paragraph_base,
                **paragraph_values(properties, self._context.colors),
            }
        texts: list[tuple[str, RunValues]] = []
        links: list[tuple[Link | None, str]] = []
        for child in run_elements(element):
            text = run_text(child)
            if text:
                values, target, tip = self._values(child, char_values)
                texts.append((text, values))
                links.append((target, tip))
        runs: list[Run] = []
        texts_of_run: list[str] = []
        for parts, (link, tooltip) in zip(
            split_by_script(texts, self._context.theme), links, strict=True
        ):
            for text, values in parts:
                run = Run(text, self._style(values), link, tooltip)
                # Adjacent runs with equal formatting are merged.
                if not runs or not _have_same_format(runs[-1], run):
                    _merge_last_run(runs, texts_of_run)
                    runs.append(run)
                texts_of_run.append(text)
        _merge_last_run(runs, texts_of_run)
        return _make_paragraph(runs, level, paragraph_base)

    def _values(
        self, element: _Element, char_values: RunValues
    ) -> tuple[RunValues, Link | None, str]:
        """Return the values of a run including inherited ones, its link and its tooltip."""
        link, tooltip = None, ""
        properties = element.find(f"{A}rPr")
        if properties is not None:
            own = run_values(properties, self._context.colors, self._context.theme)
            char_values = {**char_values, **own}
            click = properties.find(f"{A}hlinkClick")
            if click is not None:
                link, tooltip = self.link(click), click.get("tooltip") or ""
                if link and char_values.get("underline", "none") == "none":
                    char_values["underline"] = "sng"
        elif element.tag == A14_MATH:
            own = equation_values(element, self._context.colors, self._context.theme)
            char_values = {**char_values, **own}
        return char_values, link, tooltip

    def _style(self, values: RunValues) -> RunStyle:
        key = tuple(values.get(name) for name in _STYLE_FIELDS)
        styles = self._context.run_styles
        if key not in styles:
            styles[key] = run_style(values)
        return styles[key]

    def _shared_level(
        self, key: PlaceholderKey | None, level: int, overrides: RunValues, *, in_table: bool
    ) -> _Level:
        cache = self._context.level_styles
        cache_key = key, level, in_table, tuple(overrides.items())
        level_values = cache.get(cache_key)
        if level_values is None:
            level_values = self._inherit(key, level, overrides, in_table)
            cache[cache_key] = level_values
        return cast(_Level, level_values)

    def _inherit(
        self, key: PlaceholderKey | None, level: int, overrides: RunValues, in_table: bool
    ) -> _Level:
        context = self._context
        # From the most general to the most specific style; later values override earlier ones.
        paragraph_base, char_values = self._add(context.base_style(key, in_table), level, ({}, {}))
        inherited: _Level = paragraph_base, {**char_values, **overrides}
        for each in () if key is None else reversed(context.ancestors(key)):
            inherited = self._add(find_path(each, f"{P}txBody", f"{A}lstStyle"), level, inherited)
        char_values = inherited[1]
        if "font" not in char_values:
            char_values = {**char_values, "font": context.theme.minor_font}
        if "color" not in char_values:
            char_values = {**char_values, "color": context.colors.get("tx1", "#000000")}
        return inherited[0], char_values

    def _add(self, element: _Element | None, level: int, base: _Level) -> _Level:
        """Return values overridden by those of a list style."""
        paragraph_base, char_values = base
        for name in ("defPPr", f"lvl{level + 1}pPr"):
            values = find_path(element, f"{A}{name}")
            if values is None:
                continue
            paragraph_base = {**paragraph_base, **paragraph_values(values, self._context.colors)}
            default = values.find(f"{A}defRPr")
            if default is not None:
                run_defaults = run_values(default, self._context.colors, self._context.theme)
                char_values = {**char_values, **run_defaults}
        return paragraph_base, char_values


def _have_same_format(first: Run, second: Run) -> bool:
    same_link = first.link == second.link and first.tooltip == second.tooltip
    return first.style is second.style and same_link


def _merge_last_run(runs: list[Run], texts: list[str]) -> None:
    """Replace the last run by one with the joined texts."""
    if len(texts) > 1:
        last = runs[-1]
        runs[-1] = Run("".join(texts), last.style, last.link, last.tooltip)
    texts.clear()


def _make_paragraph(runs: list[Run], level: int, paragraph_base: ParagraphValues) -> Paragraph:
    return Paragraph(
        runs=tuple(runs),
        level=level,
        align=paragraph_base.get("align", "left"),
        bullet=_bullet(paragraph_base, runs),
        line_spacing_pct=paragraph_base.get("line_spacing_pct", 100.0),
        line_spacing_pt=paragraph_base.get("line_spacing_pt"),
        space_before_pt=_space(
            paragraph_base.get("space_before_pct"), paragraph_base.get("space_before_pt"), runs
        ),
        space_after_pt=_space(
            paragraph_base.get("space_after_pct"), paragraph_base.get("space_after_pt"), runs
        ),
        margin_emu=paragraph_base.get("margin_emu", 0),
        indent_emu=paragraph_base.get("indent_emu", 0),
        right_to_left=paragraph_base.get("right_to_left", False),
        tabs=paragraph_base.get("tabs", ()),
        font_alignment=paragraph_base.get("font_alignment", "base"),
    )


def _bullet(paragraph_base: ParagraphValues, runs: list[Run]) -> Bullet:
    bullet: Bullet = paragraph_base.get("bullet", NO_BULLET)
    if bullet.kind == "none" or not any(name in paragraph_base for name in _BULLET_KEYS):
        return bullet
    color = paragraph_base.get("bullet_color")
    points = paragraph_base.get("bullet_size_pt")
    return replace(
        bullet,
        # A bullet with the color of its text has no color of its own.
        color=None if runs and color == runs[0].style.color else color,
        size_pct=paragraph_base.get("bullet_size_pct", 100.0) if points is None else 0.0,
        size_pt=points,
        font=paragraph_base.get("bullet_font", ""),
    )


def _space(percent: float | None, points: float | None, runs: list[Run]) -> float:
    if points is not None:
        return points
    size = max((run.style.size_pt for run in runs), default=0.0)
    return round((percent or 0.0) * size / 100, 1)


ANCHORS: Mapping[str, Anchor] = {
    "t": "top", "ctr": "middle", "b": "bottom", "just": "middle", "dist": "middle",
}  # fmt: skip
INSETS = ("lIns", "tIns", "rIns", "bIns")
_TRUE = ("1", "true")
_COLUMNS = Span(1, 16)
_GAP = Span(0, INT.maximum)
_FITS = {"spAutoFit": "shape", "normAutofit": "text", "noAutofit": "none"}


def body_properties(body: _Element | None, ancestors: tuple[_Element, ...]) -> tuple[_Element, ...]:
    """Return the ``a:bodyPr`` of a text body and of its ancestors, nearest first."""
    bodies = (body, *(each.find(f"{P}txBody") for each in ancestors))
    elements = (find_path(each, f"{A}bodyPr") for each in bodies)
    return tuple(each for each in elements if each is not None)


def read_autofit(chain: tuple[_Element, ...]) -> str:
    """Return ``none``, ``shape`` or ``text``, as in `Shape.autofit`."""
    return _FITS[local_name(fit)] if (fit := _fit(chain)) is not None else "none"


def read_frame(chain: tuple[_Element, ...]) -> TextFrame:
    """Return the text frame properties."""
    values: dict[str, str] = {}
    for element in reversed(chain):
        values.update((str(name), str(value)) for name, value in element.items())
    insets = (
        _value(values, n, default, INT) for n, default in zip(INSETS, CELL_INSETS_EMU, strict=True)
    )
    left, top, right, bottom = insets
    columns = _value(values, "numCol", 1, _COLUMNS)
    scale, reduction = _autofit_scale(_fit(chain))
    return TextFrame(
        insets_emu=(left, top, right, bottom),
        anchor=ANCHORS.get(values.get("anchor", "t"), "top"),
        centered=values.get("anchorCtr") in _TRUE,
        wrap=values.get("wrap") != "none",
        columns=columns,
        column_gap_emu=_value(values, "spcCol", 0, _GAP) if columns > 1 else 0,
        vertical=values.get("vert", "horz"),
        autofit_scale_pct=scale,
        autofit_reduction_pct=reduction,
        rotation_deg=round((_value(values, "rot", 0, ANGLE) / 60_000) % 360, 2),
        warp=_warp(chain),
        columns_right_to_left=columns > 1 and values.get("rtlCol") in _TRUE,
        upright=values.get("upright") in _TRUE,
        overflow=values.get("vertOverflow", "overflow"),
    )


def _fit(chain: tuple[_Element, ...]) -> _Element | None:
    return next((child for each in chain for child in each if local_name(child) in _FITS), None)


def _autofit_scale(fit: _Element | None) -> tuple[float, float]:
    """Return font scale and line spacing reduction of autofit, both in percent."""
    if fit is None or local_name(fit) != "normAutofit":
        return 100.0, 0.0
    scale = int_attribute(fit, "fontScale", FONT_SCALE)
    reduction = int_attribute(fit, "lnSpcReduction", PARAGRAPH_SPACE_PERCENT)
    return (
        100.0 if scale is None else round(scale / 1000, 1),
        0.0 if reduction is None else round(reduction / 1000, 1),
    )


def _warp(chain: tuple[_Element, ...]) -> str:
    for element in chain:
        warp = element.find(f"{A}prstTxWarp")
        if warp is not None:
            preset = warp.get("prst") or ""
            return "" if preset == "textNoShape" else preset
    return ""


def _value(values: Mapping[str, str], name: str, default: int, span: Span) -> int:
    value = number(values.get(name), span)
    return default if value is None else round(value)
