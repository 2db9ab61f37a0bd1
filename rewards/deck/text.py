"""Reading text with everything that it inherits."""

from collections.abc import Mapping
from dataclasses import fields
from typing import cast

from lxml.etree import _Element

from pptarena.rewards.deck.color import first_color, resolve_color
from pptarena.rewards.deck.context import Context, PlaceholderKey
from pptarena.rewards.deck.names import A, P, R, find_path, int_attribute
from pptarena.rewards.deck.package import Rel
from pptarena.rewards.deck.text_model import NO_BULLET, Paragraph, Run, RunStyle
from pptarena.rewards.deck.text_values import (
    ParagraphValues,
    RunValues,
    paragraph_values,
    run_values,
)

__all__ = ["TextReader"]

_LEVELS = 9
_TEXT = f"{A}t"
_STYLE_FIELDS = tuple(each.name for each in fields(RunStyle))

_Level = tuple[ParagraphValues, RunValues]


class TextReader:
    """Reads the text of one slide.

    Args:
        context: What the slide inherits.
        rels: Relationships of the slide, for its links.
        slide_numbers: Position of each slide from 1, by the name of its part.
    """

    def __init__(
        self, context: Context, rels: Mapping[str, Rel], slide_numbers: Mapping[str, int]
    ) -> None:
        self._context = context
        self._rels = rels
        self._slide_numbers = slide_numbers

    def read(
        self,
        body: _Element | None,
        key: PlaceholderKey | None = None,
        style: _Element | None = None,
    ) -> tuple[Paragraph, ...]:
        """Return the paragraphs of a text body; none if all of them are empty.

        Args:
            body: Such as ``p:txBody``.
            key: The placeholder that it is the text of, if any.
            style: ``p:style`` of its shape, which may set the colour.
        """
        if body is None:
            return ()
        own = body.find(f"{A}lstStyle")
        own = own if own is not None and len(own) else None
        font_color = self._style_color(style)
        paragraphs = []
        for element in body.iterchildren(f"{A}p"):
            properties = element.find(f"{A}pPr")
            level = min(max(int_attribute(properties, "lvl") or 0, 0), _LEVELS - 1)
            inherited = self._level(key, level, own, font_color)
            paragraphs.append(self._paragraph(element, properties, level, inherited))
        return tuple(paragraphs) if any(each.runs for each in paragraphs) else ()

    def link(self, click: _Element | None) -> str:
        """Return where an ``a:hlinkClick`` leads; empty for nowhere."""
        if click is None:
            return ""
        action = (click.get("action") or "").rpartition("?")[2]
        rel = self._rels.get(click.get(f"{R}id") or "")
        if rel is None:
            return action
        if rel.target in self._slide_numbers and not rel.external:
            return f"slide:{self._slide_numbers[rel.target]}"
        return rel.target

    def _paragraph(
        self, element: _Element, properties: _Element | None, level: int, inherited: _Level
    ) -> Paragraph:
        block, letters = inherited
        if properties is not None:
            block = {**block, **paragraph_values(properties)}
        pieces: list[Run] = []
        for child in element:
            text = _run_text(child)
            if text:
                self._append(pieces, text, child.find(f"{A}rPr"), letters)
        return Paragraph(
            runs=tuple(pieces),
            level=level,
            align=block.get("align", "left"),
            bullet=block.get("bullet", NO_BULLET),
            line_spacing_pct=block.get("line_spacing_pct", 100.0),
            line_spacing_pt=block.get("line_spacing_pt"),
            space_before_pt=_space(
                block.get("space_before_pct"), block.get("space_before_pt"), pieces
            ),
            space_after_pt=_space(
                block.get("space_after_pct"), block.get("space_after_pt"), pieces
            ),
            margin_emu=block.get("margin_emu", 0),
            indent_emu=block.get("indent_emu", 0),
        )

    def _append(
        self, pieces: list[Run], text: str, properties: _Element | None, letters: RunValues
    ) -> None:
        link = ""
        if properties is not None:
            letters = {
                **letters,
                **run_values(properties, self._context.colors, self._context.theme),
            }
            link = self.link(properties.find(f"{A}hlinkClick"))
            if link and letters.get("underline", "none") == "none":
                letters["underline"] = "sng"
        style = self._style(letters)
        if pieces and pieces[-1].style is style and pieces[-1].link == link:
            text = pieces.pop().text + text
        pieces.append(Run(text, style, link))

    def _style(self, values: RunValues) -> RunStyle:
        key = tuple(values.get(name) for name in _STYLE_FIELDS)
        styles = self._context.run_styles
        if key not in styles:
            styles[key] = RunStyle(**values)
        return styles[key]

    def _style_color(self, style: _Element | None) -> str | None:
        reference = find_path(style, f"{A}fontRef")
        return resolve_color(first_color(reference), self._context.colors)[0]

    def _level(
        self,
        key: PlaceholderKey | None,
        level: int,
        own: _Element | None,
        font_color: str | None,
    ) -> _Level:
        block, letters = self._shared_level(key, level)
        if font_color is not None:
            letters = {**letters, "color": font_color}
        if own is None:
            return block, letters
        return self._add(own, level, (block, letters))

    def _shared_level(self, key: PlaceholderKey | None, level: int) -> _Level:
        cache = self._context.level_styles
        found = cache.get((key, level))
        if found is None:
            found = self._inherit(key, level)
            cache[key, level] = found
        return cast(_Level, found)

    def _inherit(self, key: PlaceholderKey | None, level: int) -> _Level:
        context = self._context
        # From the farthest to the nearest, which has the last word.
        chain = [context.text_style(key), context.default_text]
        if key is not None:
            chain.reverse()
            nearest_last = reversed(context.ancestors(key))
            chain += [find_path(each, f"{P}txBody", f"{A}lstStyle") for each in nearest_last]
        found: _Level = ({}, {})
        for element in chain:
            found = self._add(element, level, found)
        letters = found[1]
        if "font" not in letters:
            letters = {**letters, "font": context.theme.minor_font}
        if "color" not in letters:
            letters = {**letters, "color": context.colors.get("tx1", "#000000")}
        return found[0], letters

    def _add(self, element: _Element | None, level: int, below: _Level) -> _Level:
        """Return values with those of a list style put over them."""
        block, letters = below
        for name in ("defPPr", f"lvl{level + 1}pPr"):
            values = find_path(element, f"{A}{name}")
            if values is None:
                continue
            block = {**block, **paragraph_values(values)}
            default = values.find(f"{A}defRPr")
            if default is not None:
                more = run_values(default, self._context.colors, self._context.theme)
                letters = {**letters, **more}
        return block, letters


def _space(percent: float | None, points: float | None, runs: list[Run]) -> float:
    if points is not None:
        return points
    size = max((run.style.size_pt for run in runs), default=0.0)
    return round((percent or 0.0) * size / 100, 1)


def _run_text(element: _Element) -> str:
    tag = element.tag
    if tag == f"{A}r":
        return element.findtext(_TEXT) or ""
    if tag == f"{A}br":
        return "\v"
    if tag == f"{A}fld":
        kind = element.get("type") or ""
        # What a field shows depends on where and when it is shown.
        for known in ("slidenum", "datetime"):
            if kind.startswith(known):
                return f"[{known}]"
        return element.findtext(_TEXT) or ""
    return ""
