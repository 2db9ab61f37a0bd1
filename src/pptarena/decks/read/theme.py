"""Read themes: colors, typefaces and the styles that shapes refer to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lxml.etree import _Element

from pptarena.decks.package.names import A, children, find_path, local_name
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.typefaces import font_script

__all__ = ["NO_THEME", "Theme", "mapped_colors", "read_theme"]

_DEFAULT_MAP = {
    "bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2",
    **{name: name for name in ("accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
                               "hlink", "folHlink")},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Theme:
    """Contents of a theme part.

    Attributes:
        colors: ``#RRGGBB`` by theme color name (``dk1``, ``accent1`` ...).
        major_font: Typeface of headings.
        minor_font: Typeface of body text.
        more_fonts: Other typefaces: of East Asian and complex scripts by reference, such as
            ``mj-ea``, and of single scripts by tag, such as ``mn-Jpan``.
        fills: Fill elements; ``fillRef`` counts from 1.
        lines: Line elements; ``lnRef`` counts from 1.
        backgrounds: Fill elements; ``bgRef`` counts from 1001.
        effects: Effect style elements; ``effectRef`` counts from 1.
        name: Name of the theme.
    """

    colors: Mapping[str, str]
    major_font: str = ""
    minor_font: str = ""
    more_fonts: Mapping[str, str] = field(default_factory=dict)
    fills: tuple[_Element, ...] = ()
    lines: tuple[_Element, ...] = ()
    backgrounds: tuple[_Element, ...] = ()
    effects: tuple[_Element, ...] = ()
    name: str = ""

    def font(self, typeface: str) -> str:
        """Return a typeface, with references such as ``+mj-lt`` and ``+mn-ea`` resolved."""
        if not typeface.startswith(("+mj", "+mn")):
            return typeface
        if typeface.endswith(("-ea", "-cs")):
            return self.more_fonts.get(typeface[1:], "")
        return self.major_font if typeface.startswith("+mj") else self.minor_font

    def font_of(self, typeface: str, text: str, language: str) -> str:
        """Return the typeface of East Asian or complex text.

        Args:
            typeface: Name of a typeface or a reference. If the theme has no typeface for the
                reference, the one for the script of the text is used.
            text: Text of one East Asian or complex script.
            language: Language of the text, such as ``ja-JP``; empty if unknown.

        Returns:
            Name of the typeface; empty if the application chooses it.
        """
        found = self.font(typeface)
        if found or not typeface.startswith("+"):
            return found
        return self.more_fonts.get(f"{typeface[1:3]}-{font_script(text, language)}", "")


NO_THEME = Theme(MappingProxyType({"dk1": "#000000", "lt1": "#FFFFFF"}))


def read_theme(root: _Element) -> Theme:
    """Return the facts of a theme part."""
    elements = root.find(f"{A}themeElements")
    colors: dict[str, str] = {}
    for entry in children(find_path(elements, f"{A}clrScheme")):
        color, _ = resolve_color(first_color(entry), {})
        if color is not None:
            colors[local_name(entry)] = color
    formats = find_path(elements, f"{A}fmtScheme")
    return Theme(
        colors=MappingProxyType(colors),
        major_font=_latin(elements, "majorFont"),
        minor_font=_latin(elements, "minorFont"),
        more_fonts=MappingProxyType(dict(_more_fonts(elements))),
        fills=children(find_path(formats, f"{A}fillStyleLst")),
        lines=children(find_path(formats, f"{A}lnStyleLst")),
        backgrounds=children(find_path(formats, f"{A}bgFillStyleLst")),
        effects=children(find_path(formats, f"{A}effectStyleLst")),
        name=root.get("name") or "",
    )


def mapped_colors(theme: Theme, color_map: Mapping[str, str]) -> Mapping[str, str]:
    """Return theme colors by all names that a slide may use, including ``tx1`` and ``bg1``.

    Args:
        theme: The theme.
        color_map: Attributes of the applicable ``clrMap`` or ``overrideClrMapping``.
    """
    colors = dict(theme.colors)
    for name, target in (_DEFAULT_MAP | dict(color_map)).items():
        if target in theme.colors:
            colors[name] = theme.colors[target]
    return MappingProxyType(colors)


def _latin(elements: _Element | None, which: str) -> str:
    latin = find_path(elements, f"{A}fontScheme", f"{A}{which}", f"{A}latin")
    return "" if latin is None else latin.get("typeface") or ""


def _more_fonts(elements: _Element | None) -> Iterator[tuple[str, str]]:
    for short, which in (("mj", "majorFont"), ("mn", "minorFont")):
        for each in children(find_path(elements, f"{A}fontScheme", f"{A}{which}")):
            name = each.get("script") if each.tag == f"{A}font" else local_name(each)
            if name:
                yield f"{short}-{name}", each.get("typeface") or ""
