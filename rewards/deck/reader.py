"""Reading a whole deck."""

from pathlib import Path

from lxml.etree import _Element

from pptarena.errors import DeckError
from pptarena.rewards.deck.content_model import Paint
from pptarena.rewards.deck.context import Context, ContextBook
from pptarena.rewards.deck.model import Deck, Master, Slide
from pptarena.rewards.deck.motion import read_animations, read_transition
from pptarena.rewards.deck.names import A, P, R, children, find_path, int_attribute
from pptarena.rewards.deck.package import Package, read_bytes
from pptarena.rewards.deck.paint import Painter
from pptarena.rewards.deck.shapes import ShapeReader
from pptarena.rewards.deck.text import TextReader

__all__ = ["MAX_SHAPES", "MAX_SLIDES", "read_deck"]

MAX_SLIDES = 2_000
MAX_SHAPES = 50_000

# What shows where nothing is painted.
_PAPER = Paint("solid", "#FFFFFF")


def read_deck(data: bytes | Path) -> Deck:
    """Return the facts of a deck; nothing is changed by reading.

    Args:
        data: The .pptx file or its path.

    Raises:
        DeckError: If it cannot be read, or is larger than any honest deck.
    """
    try:
        return _read(Package(read_bytes(data)))
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise DeckError(f"the deck cannot be read: {error}") from error


def _read(package: Package) -> Deck:
    main = package.related("", "officeDocument")
    if main is None:
        raise DeckError("not a .pptx file: it names no main document")
    root = package.xml(main)
    if root.tag != f"{P}presentation":
        raise DeckError(f"not a .pptx file: the main document is {root.tag!r}")
    book = ContextBook(package, root)
    entries = _slide_entries(package, main, root)
    numbers = {part: number for number, (_, part) in enumerate(entries, start=1)}
    slides = []
    contexts: dict[str, Context] = {}
    budget = MAX_SHAPES
    for index, (slide_id, part) in enumerate(entries):
        slide_root = package.xml(part)
        context = book.of(part, slide_root)
        contexts.setdefault(context.master_part, context)
        slide = _slide(package, (index, slide_id, part), slide_root, context, numbers)
        budget -= len(slide.shapes)
        if budget < 0:
            raise DeckError(f"expected at most {MAX_SHAPES} shapes, found more")
        slides.append(slide)
    size = root.find(f"{P}sldSz")
    return Deck(
        slides=tuple(slides),
        width_emu=int_attribute(size, "cx") or 9_144_000,
        height_emu=int_attribute(size, "cy") or 6_858_000,
        masters=tuple(_master(package, context) for context in contexts.values()),
        layouts=frozenset(context.layout_name for context in book.contexts),
    )


def _slide_entries(package: Package, main: str, root: _Element) -> list[tuple[int, str]]:
    """Return id and part of each slide, in the order of the show."""
    rels = package.rels(main)
    listed = root.findall(f"{P}sldIdLst/{P}sldId")
    if len(listed) > MAX_SLIDES:
        raise DeckError(f"expected at most {MAX_SLIDES} slides, found {len(listed)}")
    entries = []
    for number, entry in enumerate(listed, start=1):
        rel = rels.get(entry.get(f"{R}id") or "")
        if rel is None or rel.external:
            raise DeckError(f"slide {number} has no part in the file")
        entries.append((int_attribute(entry, "id") or 0, rel.target))
    return entries


def _slide(
    package: Package,
    entry: tuple[int, int, str],
    root: _Element,
    context: Context,
    numbers: dict[str, int],
) -> Slide:
    index, slide_id, part = entry
    common = root.find(f"{P}cSld")
    tree = find_path(common, f"{P}spTree")
    if root.tag != f"{P}sld" or tree is None:
        raise DeckError(f"slide {index + 1} has no tree of shapes")
    painter = Painter(package, part, context)
    texts = TextReader(context, package.rels(part), numbers)
    reader = ShapeReader(package, part, context, texts, painter)
    shapes = reader.read(tree)
    return Slide(
        index=index,
        id=slide_id,
        shapes=shapes,
        layout=context.layout_name,
        notes=_notes(package, part),
        transition=read_transition(root),
        animations=read_animations(root, reader.by_id),
        hidden=root.get("show") in ("0", "false"),
        background=painter.background(common) or _inherited_background(package, context),
    )


def _inherited_background(package: Package, context: Context) -> Paint:
    for part, root in (
        (context.layout_part, context.layout),
        (context.master_part, context.master),
    ):
        painter = Painter(package, part, context)
        found = painter.background(find_path(root, f"{P}cSld"))
        if found is not None:
            return found
    return _PAPER


def _master(package: Package, context: Context) -> Master:
    painter = Painter(package, context.master_part, context)
    return Master(
        palette=tuple(sorted(context.colors.items())),
        fonts=(context.theme.major_font, context.theme.minor_font),
        background=painter.background(find_path(context.master, f"{P}cSld")) or _PAPER,
    )


def _notes(package: Package, part: str) -> str:
    notes = package.related(part, "notesSlide")
    if notes is None:
        return ""
    try:
        tree = find_path(package.xml(notes), f"{P}cSld", f"{P}spTree")
    except DeckError:
        # Notes that cannot be read do not show in the application either.
        return ""
    for shape in children(tree):
        mark = find_path(shape, f"{P}nvSpPr", f"{P}nvPr", f"{P}ph")
        if mark is not None and mark.get("type") == "body":
            body = shape.find(f"{P}txBody")
            return "\n".join(_line(each) for each in children(body)).strip()
    return ""


def _line(paragraph: _Element) -> str:
    if paragraph.tag != f"{A}p":
        return ""
    pieces = paragraph.iter(f"{A}t", f"{A}br")
    return "".join((each.text or "") if each.tag == f"{A}t" else "\v" for each in pieces)
