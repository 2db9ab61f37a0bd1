"""What a slide inherits from: its layout, master and theme, and what they share in caches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lxml.etree import _Element

from pptarena.errors import DeckError
from pptarena.rewards.deck.names import A, P, find_path, local_name
from pptarena.rewards.deck.package import Package
from pptarena.rewards.deck.text_model import RunStyle
from pptarena.rewards.deck.theme import NO_THEME, Theme, mapped_colors, read_theme

__all__ = ["Context", "ContextBook", "PlaceholderKey", "placeholder_key"]

_LATENT = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
_KEPT = frozenset(("title", "dt", "ftr", "sldNum", "hdr"))

LevelStyle = tuple[Mapping[str, object], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class PlaceholderKey:
    """What identifies a placeholder across slide, layout and master.

    Attributes:
        type: As in the file; empty for the type that needs no mention (content).
        idx: As in the file; empty if it is not there.
    """

    type: str
    idx: str

    @property
    def master_type(self) -> str:
        """The type of the master's placeholder that it inherits from."""
        plain = _LATENT.get(self.type, self.type)
        return plain if plain in _KEPT else "body"


def placeholder_key(shape: _Element) -> PlaceholderKey | None:
    """Return the key of a shape element that is a placeholder, else None."""
    for part in shape:
        if local_name(part).startswith("nv"):
            mark = find_path(part, f"{P}nvPr", f"{P}ph")
            if mark is not None:
                return PlaceholderKey(mark.get("type") or "", mark.get("idx") or "")
            return None
    return None


@dataclass(frozen=True, eq=False)
class Context:
    """What the slides of one layout (and colour map) inherit.

    Attributes:
        layout: Root of the layout part, None if there is none.
        master: Root of the master part, None if there is none.
        theme: The master's theme.
        theme_part: Name of the theme's part, for the pictures that it refers to.
        colors: Theme colours by name, as the colour map gives them.
        default_text: ``defaultTextStyle`` of the presentation.
        layout_name: As the application shows it.
        layout_part: Name of the part.
        master_part: Name of the part.
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
    level_styles: dict[object, LevelStyle] = field(default_factory=dict)
    run_styles: dict[object, RunStyle] = field(default_factory=dict)
    _ancestors: dict[PlaceholderKey, tuple[_Element, ...]] = field(default_factory=dict)

    def ancestors(self, key: PlaceholderKey) -> tuple[_Element, ...]:
        """Return the placeholders of layout and master that one inherits from, nearest first."""
        if key not in self._ancestors:
            found = (self._in_layout(key), self._in_master(key))
            self._ancestors[key] = tuple(shape for shape in found if shape is not None)
        return self._ancestors[key]

    def text_style(self, key: PlaceholderKey | None) -> _Element | None:
        """Return the master's text style for a placeholder, or for other text if it is none."""
        plain = "other" if key is None else key.master_type
        name = plain if plain in ("title", "body") else "other"
        return find_path(self.master, f"{P}txStyles", f"{P}{name}Style")

    def _in_layout(self, key: PlaceholderKey) -> _Element | None:
        same_idx = same_type = related = None
        for shape, other in _placeholders(self.layout):
            matches = other.master_type == key.master_type
            if same_idx is None and key.idx and other.idx == key.idx and matches:
                same_idx = shape
            if same_type is None and other.type == key.type:
                same_type = shape
            if related is None and matches:
                related = shape
        found = (each for each in (same_idx, same_type, related) if each is not None)
        return next(found, None)

    def _in_master(self, key: PlaceholderKey) -> _Element | None:
        for shape, other in _placeholders(self.master):
            if other.master_type == key.master_type:
                return shape
        return None


class ContextBook:
    """Makes the contexts of a deck, each once.

    Args:
        package: The file.
        presentation: Root of the presentation part.
    """

    def __init__(self, package: Package, presentation: _Element) -> None:
        self._package = package
        self._default_text = presentation.find(f"{P}defaultTextStyle")
        self._themes: dict[str, Theme] = {}
        self._contexts: dict[tuple[str, tuple[tuple[str, str], ...]], Context] = {}

    def of(self, slide_part: str, slide: _Element) -> Context:
        """Return what a slide inherits."""
        layout_part = self._package.related(slide_part, "slideLayout") or ""
        override = find_path(slide, f"{P}clrMapOvr", f"{A}overrideClrMapping")
        mapping = _attributes(override)
        key = (layout_part, tuple(sorted(mapping.items())))
        if key not in self._contexts:
            self._contexts[key] = self._make(layout_part, mapping)
        return self._contexts[key]

    @property
    def contexts(self) -> tuple[Context, ...]:
        """All contexts made so far."""
        return tuple(self._contexts.values())

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
        if part not in self._themes:
            try:
                self._themes[part] = read_theme(self._package.xml(part))
            except DeckError:
                # A deck whose theme is broken can still be shown; it loses its colours only.
                self._themes[part] = NO_THEME
        return self._themes[part]


def _attributes(element: _Element | None) -> Mapping[str, str]:
    if element is None:
        return MappingProxyType({})
    return {str(name): str(value) for name, value in element.attrib.items()}


def _placeholders(root: _Element | None) -> list[tuple[_Element, PlaceholderKey]]:
    tree = find_path(root, f"{P}cSld", f"{P}spTree")
    if tree is None:
        return []
    keyed = ((shape, placeholder_key(shape)) for shape in tree)
    return [(shape, key) for shape, key in keyed if key is not None]
