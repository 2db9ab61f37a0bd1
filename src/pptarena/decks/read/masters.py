"""Read masters with their layouts."""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.paint import Paint
from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import Paragraph
from pptarena.decks.package.names import P, R, find_path
from pptarena.decks.read.context import Context, ContextBook, PlaceholderKey
from pptarena.decks.read.shapes import ShapeReader
from pptarena.decks.read.source import DeckSource, PartSource
from pptarena.decks.read.unread import LAYOUT, MASTER, Known, is_motion, unread
from pptarena.errors import DeckError

__all__ = ["MAX_LAYOUTS", "MasterReader", "inherited_background", "read_shapes"]

MAX_LAYOUTS = 1_000

# Default background.
PAPER = Paint("solid", "#FFFFFF")
_READ_RELS = frozenset((
    "slideMaster", "slideLayout", "theme", "image", "hyperlink", "slide", "chart", "media",
    "video", "audio", "oleObject", "package", "vmlDrawing", "diagramData", "diagramLayout",
    "diagramQuickStyle", "diagramColors", "diagramDrawing", "hdphoto",
))  # fmt: skip
_SAMPLES: tuple[tuple[str, PlaceholderKey | None, int], ...] = (
    ("title", PlaceholderKey("title", ""), 1),
    ("body", PlaceholderKey("body", ""), 9),
    ("other", None, 9),
)


def inherited_background(source: DeckSource, context: Context) -> Paint:
    """Return the background that a slide inherits from its layout or master."""
    for part, root in (
        (context.layout_part, context.layout),
        (context.master_part, context.master),
    ):
        if root is not None:
            found = source.part(part, context).painter.background(root.find(f"{P}cSld"))
            if found is not None:
                return found
    return PAPER


def read_shapes(
    root: _Element | None, source: PartSource, background: Paint
) -> tuple[ShapeReader, tuple[Shape, ...]]:
    """Return the shapes of a slide, layout or master, and their reader."""
    reader = ShapeReader(source, background)
    tree = find_path(root, f"{P}cSld", f"{P}spTree")
    return reader, () if tree is None else reader.read(tree)


class MasterReader:
    """Reads the masters of a deck.

    Args:
        source: State shared by the deck's readers.
        book: Contexts of slides and layouts.
    """

    def __init__(self, source: DeckSource, book: ContextBook) -> None:
        self._source = source
        self._book = book

    def read(self, context: Context) -> Master:
        """Return the facts of the master of a context."""
        own = context.at_level("master")
        source = self._source.part(context.master_part, own)
        common = find_path(context.master, f"{P}cSld")
        background = source.painter.background(common) or PAPER
        reader, shapes = read_shapes(context.master, source, background)
        name = "" if common is None else common.get("name") or ""
        return Master(
            palette=tuple(sorted(context.colors.items())),
            fonts=(context.theme.major_font, context.theme.minor_font),
            background=background,
            name=name or context.theme.name,
            theme_name=context.theme.name,
            shapes=shapes,
            text_styles=tuple(_samples(self._source, context)),
            layouts=tuple(map(self._layout, self.layout_parts(context.master_part))),
            fingerprint=_unread(context.master, MASTER, reader),
        )

    def layout_parts(self, master_part: str) -> tuple[str, ...]:
        """Return the names of the layout parts of a master, in file order."""
        if not master_part:
            return ()
        key = ("layouts", master_part)
        return self._source.package.shared(key, lambda: self._layout_parts(master_part))

    def _layout_parts(self, master_part: str) -> tuple[str, ...]:
        package = self._source.package
        root, rels = package.xml(master_part), package.rels(master_part)
        ids = root.iterfind(f"{P}sldLayoutIdLst/{P}sldLayoutId")
        found = (rels.get(each.get(f"{R}id") or "") for each in ids)
        parts = (rel.target for rel in found if rel is not None and rel.target in package)
        return tuple(dict.fromkeys(parts))[:MAX_LAYOUTS]

    def _layout(self, part: str) -> Layout:
        try:
            context = self._book.get(part).at_level("layout")
        except DeckError:
            # Slides cannot use a broken layout; the other layouts are not affected.
            return Layout("", "broken")
        source = self._source.part(part, context)
        background = inherited_background(self._source, context)
        root = context.layout
        reader, shapes = read_shapes(root, source, background)
        return Layout(
            name=context.layout_name,
            type="" if root is None else root.get("type") or "",
            background=background,
            shapes=shapes,
            show_master_shapes=root is None or root.get("showMasterSp") not in ("0", "false"),
            fingerprint=_unread(root, LAYOUT, reader),
        )


def _samples(source: DeckSource, context: Context) -> Iterator[tuple[str, Paragraph]]:
    texts = source.part(context.master_part, context.at_level("layout")).texts
    for kind, key, levels in _SAMPLES:
        for level in range(levels):
            name = f"{kind} {level + 1}"
            yield name, texts.sample(name, key, level)


def _unread(
    root: _Element | None, known: Known, reader: ShapeReader
) -> tuple[tuple[str, str], ...]:
    if root is None:
        return ()
    source = reader.source
    found = [
        (str(element.tag).rpartition("}")[2], source.fingerprints.elements([element], source.name))
        for element in (*unread(root, known), *reader.lost)
        if not is_motion(element)
    ]
    return (*sorted(found), *source.fingerprints.unread_rels(source.name, _READ_RELS))
