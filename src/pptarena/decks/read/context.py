"""Inheritance context of a slide: layout, master and theme, with shared caches."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.facts.text import RunStyle
from pptarena.decks.package.names import A, P, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.typefaces import font_script

__all__ = [
    "NO_THEME",
    "Context",
    "ContextCache",
    "PlaceholderKey",
    "Theme",
    "mapped_colors",
    "placeholder_key",
    "read_theme",
]

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
        font = self.font(typeface)
        if font or not typeface.startswith("+"):
            return font
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
    """Return theme colors by all names that a slide may use, including ``tx1`` and ``bg1``."""
    colors = dict(theme.colors)
    for name, target in (_DEFAULT_MAP | dict(color_map)).items():
        if target in theme.colors:
            colors[name] = theme.colors[target]
    return MappingProxyType(colors)


def _latin(elements: _Element | None, collection: str) -> str:
    latin = find_path(elements, f"{A}fontScheme", f"{A}{collection}", f"{A}latin")
    return "" if latin is None else latin.get("typeface") or ""


def _more_fonts(elements: _Element | None) -> Iterator[tuple[str, str]]:
    for short, collection in (("mj", "majorFont"), ("mn", "minorFont")):
        for each in children(find_path(elements, f"{A}fontScheme", f"{A}{collection}")):
            name = each.get("script") if each.tag == f"{A}font" else local_name(each)
            if name:
                yield f"{short}-{name}", each.get("typeface") or ""


# Master type, and fallback type of the layout placeholder if none has the same idx and type.
_MASTER_TYPES = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
_DISTINCT_TYPES = frozenset(("title", "dt", "ftr", "sldNum", "hdr"))

ColorMap = tuple[tuple[str, str], ...]
LevelStyle = tuple[Mapping[str, object], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class PlaceholderKey:
    """Identity of a placeholder across slide, layout and master.

    Attributes:
        type: Type in the file; empty for the default type (content).
        idx: Index in the file; empty if missing.
    """

    type: str
    idx: str

    @property
    def master_type(self) -> str:
        """Type of the master placeholder that this one inherits from."""
        plain = _MASTER_TYPES.get(self.type, self.type)
        return plain if plain in _DISTINCT_TYPES else "body"


def placeholder_key(shape: _Element) -> PlaceholderKey | None:
    """Return the key of a shape element that is a placeholder; None for other shapes."""
    for part in shape:
        if local_name(part).startswith("nv"):
            placeholder = find_path(part, f"{P}nvPr", f"{P}ph")
            if placeholder is not None:
                return PlaceholderKey(placeholder.get("type") or "", placeholder.get("idx") or "")
            return None
    return None


@dataclass(frozen=True, eq=False)
class Context:
    """Values that the slides of one layout (and color map) inherit.

    Attributes:
        layout: Root of the layout part; None for none.
        master: Root of the master part; None for none.
        theme: Theme of the master.
        theme_part: Name of the theme part, for pictures in theme fills.
        colors: Theme colors by name, as mapped by the color map.
        default_text: ``defaultTextStyle`` of the presentation.
        layout_name: Name of the layout.
        layout_part: Name of the layout part.
        master_part: Name of the master part.
        theme_styles: Cached fills, lines and effects of the theme, by index and color.
        level: The inheriting part; a layout inherits from its master only, a master from nothing.
    """

    layout: _Element | None
    master: _Element | None
    theme: Theme
    theme_part: str
    colors: Mapping[str, str]
    default_text: _Element | None
    layout_name: str
    layout_part: str
    master_part: str
    level: Literal["slide", "layout", "master"] = "slide"
    level_styles: dict[object, LevelStyle] = field(default_factory=dict, init=False)
    run_styles: dict[object, RunStyle] = field(default_factory=dict, init=False)
    theme_styles: dict[object, Any] = field(default_factory=dict, init=False)
    _ancestors: dict[PlaceholderKey, tuple[_Element, ...]] = field(default_factory=dict, init=False)

    def ancestors(self, key: PlaceholderKey) -> tuple[_Element, ...]:
        """Return the layout and master placeholders that a placeholder inherits from, in order."""
        if key not in self._ancestors:
            shapes = (
                self._find_in_layout(key) if self.level == "slide" else None,
                self._master_placeholders.by_master_type.get(key.master_type)
                if self.level != "master"
                else None,
            )
            self._ancestors[key] = tuple(shape for shape in shapes if shape is not None)
        return self._ancestors[key]

    def at_level(self, level: Literal["layout", "master"]) -> "Context":
        """Return the context of the layout or the master itself."""
        return replace(self, level=level)

    def base_style(self, key: PlaceholderKey | None, table: bool = False) -> _Element | None:
        """Return the list style that text inherits before placeholders and shapes.

        Titles, content and tables inherit from the master; text boxes, shapes and footers inherit
        from the presentation. Applications never apply the master's style for other text to them.
        """
        plain = "" if key is None else key.master_type
        name = plain if plain in ("title", "body") else "other" if table else ""
        if not name:
            return self.default_text
        return find_path(self.master, f"{P}txStyles", f"{P}{name}Style")

    def _find_in_layout(self, key: PlaceholderKey) -> _Element | None:
        index = self._layout_placeholders
        candidates = (
            index.by_idx.get((key.master_type, key.idx)) if key.idx else None,
            index.by_type.get(key.type or "obj"),
            index.by_type.get(_MASTER_TYPES.get(key.type, key.type)),
        )
        return next((each for each in candidates if each is not None), None)

    @cached_property
    def _layout_placeholders(self) -> "_Placeholders":
        return _Placeholders(self.layout)

    @cached_property
    def _master_placeholders(self) -> "_Placeholders":
        return _Placeholders(self.master)


class ContextCache:
    """Creates the contexts of a deck, each only once."""

    def __init__(self, package: Package, presentation: _Element) -> None:
        self._package = package
        self._default_text = presentation.find(f"{P}defaultTextStyle")

    @cached_property
    def default_text_digest(self) -> str:
        """SHA-256 of the presentation's text style, which all contexts share."""
        if self._default_text is None:
            return ""
        return hashlib.sha256(etree.tostring(self._default_text)).hexdigest()

    def layout_and_colors(self, slide_part: str, slide: _Element) -> tuple[str, ColorMap]:
        """Return the layout part and the color map of a slide, the arguments of `get`."""
        layout_part = self._package.related(slide_part, "slideLayout") or ""
        override = find_path(slide, f"{P}clrMapOvr", f"{A}overrideClrMapping")
        return layout_part, tuple(sorted(_attributes(override).items()))

    def get(self, layout_part: str, colors: ColorMap = ()) -> Context:
        """Return the context for the slides of a layout; cached.

        `colors` overrides the color map of the master.

        Raises:
            DeckError: If layout or master cannot be read.
        """
        key = ("context", self.default_text_digest, layout_part, colors)
        return self._package.shared(key, lambda: self._make(layout_part, dict(colors)))

    def _make(self, layout_part: str, override: Mapping[str, str]) -> Context:
        layout = self._package.xml(layout_part) if layout_part else None
        master_part = self._related(layout_part, "slideMaster")
        master = self._package.xml(master_part) if master_part else None
        theme_part = self._related(master_part, "theme")
        theme = self._theme(theme_part)
        color_map = override or _attributes(find_path(master, f"{P}clrMap"))
        common = find_path(layout, f"{P}cSld")
        return Context(
            layout=layout,
            master=master,
            theme=theme,
            theme_part=theme_part,
            colors=mapped_colors(theme, color_map),
            default_text=self._default_text,
            layout_name="" if common is None else common.get("name") or "",
            layout_part=layout_part,
            master_part=master_part,
        )

    def _related(self, part: str, kind: str) -> str:
        return (self._package.related(part, kind) or "") if part else ""

    def _theme(self, part: str) -> Theme:
        if not part:
            return NO_THEME

        def read() -> Theme:
            root = self._package.xml_or_none(part)
            return NO_THEME if root is None else read_theme(root)

        return self._package.shared(("theme", part), read)


def _attributes(element: _Element | None) -> Mapping[str, str]:
    if element is None:
        return MappingProxyType({})
    return {str(name): str(value) for name, value in element.attrib.items()}


class _Placeholders:
    """The placeholders of a layout or master by index and type.

    As in the application, the first of several placeholders with the same index counts, and the
    last of several with the same type.
    """

    def __init__(self, root: _Element | None) -> None:
        self.by_idx: dict[tuple[str, str], _Element] = {}
        self.by_type: dict[str, _Element] = {}
        self.by_master_type: dict[str, _Element] = {}
        for shape in children(find_path(root, f"{P}cSld", f"{P}spTree")):
            key = placeholder_key(shape)
            if key is not None:
                self.by_idx.setdefault((key.master_type, key.idx), shape)
                self.by_type[key.type or "obj"] = shape
                self.by_master_type.setdefault(key.master_type, shape)
