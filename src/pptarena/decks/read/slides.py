"""Read one slide."""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.facts.deck import Slide
from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.paint import Paint
from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import Paragraph
from pptarena.decks.package.names import A, P, R, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.context import Context, ContextBook, PlaceholderKey
from pptarena.decks.read.deck_facts import CommentReader
from pptarena.decks.read.motion import read_animations, read_transition, unread_timing
from pptarena.decks.read.run_elements import line_text
from pptarena.decks.read.shapes import ShapeReader
from pptarena.decks.read.source import DeckSource, PartSource
from pptarena.decks.read.unread import (
    LAYOUT,
    MASTER,
    SLIDE,
    Known,
    is_motion,
    unread,
    unread_attributes,
)
from pptarena.errors import DeckError

__all__ = ["MAX_LAYOUTS", "MasterReader", "inherited_background", "read_shapes", "read_slide"]

MAX_LAYOUTS = 1_000

# Default background.
PAPER = Paint("solid", "#FFFFFF")
_READ_RELS_OF_MASTER = frozenset((
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
            fingerprint=_unread_of_master(context.master, MASTER, reader),
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
            fingerprint=_unread_of_master(root, LAYOUT, reader),
        )


def _samples(source: DeckSource, context: Context) -> Iterator[tuple[str, Paragraph]]:
    texts = source.part(context.master_part, context.at_level("layout")).texts
    for kind, key, levels in _SAMPLES:
        for level in range(levels):
            name = f"{kind} {level + 1}"
            yield name, texts.sample(name, key, level)


def _unread_of_master(
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
    return (*sorted(found), *source.fingerprints.unread_rels(source.name, _READ_RELS_OF_MASTER))


_READ_RELS = frozenset((
    "slideLayout", "notesSlide", "image", "chart", "hyperlink", "slide", "media", "video",
    "audio", "comments", "diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors",
    "diagramDrawing", "oleObject", "package", "vmlDrawing", "hdphoto", "customXml",
))  # fmt: skip


def read_slide(
    source: DeckSource, part: str, root: _Element, context: Context, comments: CommentReader
) -> Slide:
    """Return the facts of a slide, without values that depend on its position in the deck.

    Args:
        source: State shared by the deck's readers.
        part: Name of the slide part.
        root: Root of the slide part.
        context: Values that the slide inherits.
        comments: Reader of its comments.

    Raises:
        DeckError: If the slide has no shape tree.
    """
    common = root.find(f"{P}cSld")
    if root.tag != f"{P}sld" or find_path(common, f"{P}spTree") is None:
        number = source.package.slide_number(part)
        raise DeckError(f"slide {number} has no tree of shapes")
    own = source.part(part, context)
    background = own.painter.background(common) or inherited_background(source, context)
    reader, shapes = read_shapes(root, own, background)
    return Slide(
        index=0,
        id=0,
        shapes=shapes,
        layout=context.layout_name,
        notes=_notes(source.package, part),
        transition=read_transition(root, own),
        animations=read_animations(root, reader.by_id, own),
        hidden=root.get("show") in ("0", "false"),
        background=background,
        comments=comments.read(part),
        show_master_shapes=root.get("showMasterSp") not in ("0", "false"),
        fingerprint=_unread(root, reader),
    )


def _unread(root: _Element, reader: ShapeReader) -> tuple[tuple[str, str], ...]:
    source = reader.source
    found = [
        (local_name(element), source.fingerprints.elements([element], source.name))
        for element in (*unread(root, SLIDE), *reader.lost)
        if not is_motion(element)
    ]
    behind = root.find(f"{P}cSld/{P}bg")
    settings = "" if behind is None else unread_attributes(behind)
    if settings:
        found.append(("settings of the background", settings))
    timing = unread_timing(root, reader.by_id, source)
    rels = source.fingerprints.unread_rels(source.name, _READ_RELS)
    return (*sorted(found), *timing, *rels)


def _notes(package: Package, part: str) -> str:
    notes = package.related(part, "notesSlide")
    if notes is None:
        return ""
    try:
        tree = find_path(package.xml(notes), f"{P}cSld", f"{P}spTree")
    except DeckError:
        # Applications do not show unreadable notes either.
        return ""
    for shape in children(tree):
        mark = find_path(shape, f"{P}nvSpPr", f"{P}nvPr", f"{P}ph")
        if mark is not None and mark.get("type") == "body":
            body = shape.find(f"{P}txBody")
            return "\n".join(_line(each) for each in children(body)).strip()
    return ""


def _line(paragraph: _Element) -> str:
    return line_text(paragraph) if paragraph.tag == f"{A}p" else ""
