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
from pptarena.decks.read.context import Context, ContextCache, PlaceholderKey
from pptarena.decks.read.deck_facts import read_comments
from pptarena.decks.read.motion import read_animations, read_transition, unread_timing
from pptarena.decks.read.run_elements import line_text
from pptarena.decks.read.shapes import ShapeReader
from pptarena.decks.read.source import DeckSource, PartSource
from pptarena.decks.read.unread import (
    LAYOUT,
    MASTER,
    SLIDE,
    Schema,
    is_motion,
    unread,
    unread_attributes,
)
from pptarena.errors import DeckError

__all__ = [
    "MAX_LAYOUTS",
    "inherited_background",
    "layout_parts",
    "read_master",
    "read_shapes",
    "read_slide",
]

MAX_LAYOUTS = 1_000

# Default background.
DEFAULT_BACKGROUND = Paint("solid", "#FFFFFF")
_MASTER_READ_RELS = frozenset((
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
            background = source.part(part, context).paints.background(root.find(f"{P}cSld"))
            if background is not None:
                return background
    return DEFAULT_BACKGROUND


def read_shapes(
    root: _Element | None, source: PartSource, background: Paint
) -> tuple[ShapeReader, tuple[Shape, ...]]:
    """Return the shapes of a slide, layout or master, and their reader."""
    reader = ShapeReader(source, background)
    tree = find_path(root, f"{P}cSld", f"{P}spTree")
    return reader, () if tree is None else reader.read(tree)


def read_master(deck: DeckSource, contexts: ContextCache, context: Context) -> Master:
    """Return the facts of the master of a context."""
    source = deck.part(context.master_part, context.at_level("master"))
    common = find_path(context.master, f"{P}cSld")
    background = source.paints.background(common) or DEFAULT_BACKGROUND
    reader, shapes = read_shapes(context.master, source, background)
    name = "" if common is None else common.get("name") or ""
    layouts = layout_parts(deck.package, context.master_part)
    return Master(
        palette=tuple(sorted(context.colors.items())),
        fonts=(context.theme.major_font, context.theme.minor_font),
        background=background,
        name=name or context.theme.name,
        theme_name=context.theme.name,
        shapes=shapes,
        text_styles=tuple(_samples(deck, context)),
        layouts=tuple(_layout(deck, contexts, part) for part in layouts),
        fingerprint=_master_fingerprint(context.master, MASTER, reader),
    )


def layout_parts(package: Package, master_part: str) -> tuple[str, ...]:
    """Return the names of the layout parts of a master, in file order."""

    def find() -> tuple[str, ...]:
        root, rels = package.xml(master_part), package.rels(master_part)
        ids = root.iterfind(f"{P}sldLayoutIdLst/{P}sldLayoutId")
        rels_of_ids = (rels.get(each.get(f"{R}id") or "") for each in ids)
        parts = (rel.target for rel in rels_of_ids if rel is not None and rel.target in package)
        return tuple(dict.fromkeys(parts))[:MAX_LAYOUTS]

    return package.shared(("layouts", master_part), find) if master_part else ()


def _layout(deck: DeckSource, contexts: ContextCache, part: str) -> Layout:
    try:
        context = contexts.get(part).at_level("layout")
    except DeckError:
        # Slides cannot use a broken layout; the other layouts are not affected.
        return Layout("", "broken")
    background = inherited_background(deck, context)
    root = context.layout
    reader, shapes = read_shapes(root, deck.part(part, context), background)
    return Layout(
        name=context.layout_name,
        type="" if root is None else root.get("type") or "",
        background=background,
        shapes=shapes,
        show_master_shapes=root is None or root.get("showMasterSp") not in ("0", "false"),
        fingerprint=_master_fingerprint(root, LAYOUT, reader),
    )


def _samples(source: DeckSource, context: Context) -> Iterator[tuple[str, Paragraph]]:
    texts = source.part(context.master_part, context.at_level("layout")).texts
    for kind, key, levels in _SAMPLES:
        for level in range(levels):
            name = f"{kind} {level + 1}"
            yield name, texts.sample(name, key, level)


def _master_fingerprint(
    root: _Element | None, schema: Schema, reader: ShapeReader
) -> tuple[tuple[str, str], ...]:
    if root is None:
        return ()
    rels = reader.source.fingerprints.unread_rels(reader.source.name, _MASTER_READ_RELS)
    return (*sorted(_unread_elements(root, schema, reader)), *rels)


def _unread_elements(root: _Element, schema: Schema, reader: ShapeReader) -> list[tuple[str, str]]:
    source = reader.source
    return [
        (local_name(element), source.fingerprints.elements([element], source.name))
        for element in (*unread(root, schema), *reader.unknown_alternatives)
        if not is_motion(element)
    ]


_READ_RELS = frozenset((
    "slideLayout", "notesSlide", "image", "chart", "hyperlink", "slide", "media", "video",
    "audio", "comments", "diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors",
    "diagramDrawing", "oleObject", "package", "vmlDrawing", "hdphoto", "customXml",
))  # fmt: skip


def read_slide(source: DeckSource, part: str, root: _Element, context: Context) -> Slide:
    """Return the facts of a slide, without values that depend on its position in the deck.

    Raises:
        DeckError: If the slide has no shape tree.
    """
    common = root.find(f"{P}cSld")
    if root.tag != f"{P}sld" or find_path(common, f"{P}spTree") is None:
        number = source.package.slide_number(part)
        raise DeckError(f"slide {number} has no shape tree")
    own = source.part(part, context)
    background = own.paints.background(common) or inherited_background(source, context)
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
        comments=read_comments(source.package, source.main, part),
        show_master_shapes=root.get("showMasterSp") not in ("0", "false"),
        fingerprint=_slide_fingerprint(root, reader),
    )


def _slide_fingerprint(root: _Element, reader: ShapeReader) -> tuple[tuple[str, str], ...]:
    source = reader.source
    elements = _unread_elements(root, SLIDE, reader)
    background = root.find(f"{P}cSld/{P}bg")
    settings = "" if background is None else unread_attributes(background)
    if settings:
        elements.append(("settings of the background", settings))
    timing = unread_timing(root, reader.by_id, source)
    rels = source.fingerprints.unread_rels(source.name, _READ_RELS)
    return (*sorted(elements), *timing, *rels)


def _notes(package: Package, part: str) -> str:
    root = package.xml_or_none(package.related(part, "notesSlide"))
    for shape in children(find_path(root, f"{P}cSld", f"{P}spTree")):
        placeholder = find_path(shape, f"{P}nvSpPr", f"{P}nvPr", f"{P}ph")
        if placeholder is not None and placeholder.get("type") == "body":
            body = shape.find(f"{P}txBody")
            lines = (line_text(each) if each.tag == f"{A}p" else "" for each in children(body))
            return "\n".join(lines).strip()
    return ""
