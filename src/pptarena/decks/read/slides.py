"""Read one slide."""

from lxml.etree import _Element

from pptarena.decks.facts.deck import Slide
from pptarena.decks.package.names import A, P, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.comments import CommentReader
from pptarena.decks.read.context import Context
from pptarena.decks.read.line_text import line_text
from pptarena.decks.read.masters import inherited_background, read_shapes
from pptarena.decks.read.motion import read_animations, unread_timing
from pptarena.decks.read.shapes import ShapeReader
from pptarena.decks.read.source import DeckSource
from pptarena.decks.read.transitions import read_transition
from pptarena.decks.read.unread import SLIDE, is_motion, unread
from pptarena.decks.read.unread_attributes import unread_attributes
from pptarena.errors import DeckError

__all__ = ["read_slide"]

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
