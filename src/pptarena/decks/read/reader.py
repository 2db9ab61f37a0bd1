"""Read an entire deck."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, TypeVar

from lxml.etree import _Element

from pptarena.decks.facts.deck import Deck, Slide
from pptarena.decks.facts.master import Master
from pptarena.decks.package.budget import Seen
from pptarena.decks.package.files import DeckFile, DeckPath, Parts, named_errors, read_bytes
from pptarena.decks.package.names import P, R
from pptarena.decks.package.package import Package
from pptarena.decks.read.context import ContextBook
from pptarena.decks.read.deck_facts import (
    read_properties,
    read_sections,
    read_show,
    read_unread,
)
from pptarena.decks.read.numbers import SLIDE_SIDE, int_attribute
from pptarena.decks.read.recent import Recent
from pptarena.decks.read.slides import layout_parts, read_master, read_slide
from pptarena.decks.read.source import DeckSource
from pptarena.decks.read.table_styles import TableStyles
from pptarena.decks.read.unread import Fingerprints
from pptarena.errors import DeckError

__all__ = ["forget", "read_deck", "reused"]

# Limits on deck contents that bound the time of reading and checking.
MAX_SLIDES = 2_000
MAX_SHAPES = 10_000
MAX_PARAGRAPHS = 40_000
MAX_LETTERS = 2_000_000

# Number of positions (index, id, section, master) for which a slide is cached.
_MAX_PLACES = 8

# Layout part and color map of a slide, which determine everything it inherits.
_Look = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class _Read:
    """A slide without values that depend on its position, and the source of inherited values."""

    slide: Slide
    size: "_Tally"
    look: _Look
    master_part: str
    layout_index: int | None
    _placed: Recent[tuple[int, int, str, int], Slide]

    def placed(self, index: int, number: int, section: str, master: int) -> Slide:
        """Return the slide at a position of a deck; the same object for the same position.

        Decks that share cached facts thus share entire slides, which need no comparison.
        """
        key = index, number, section, master
        found = self._placed.get(key)
        if found is None:
            found = replace(
                self.slide,
                index=index,
                id=number,
                section=section,
                master=master,
                layout_index=self.layout_index,
            )
            self._placed.put(key, found)
        return found


def read_deck(data: DeckFile | DeckPath) -> Deck:
    """Return the facts of a deck.

    Args:
        data: Path of a .pptx file, its bytes, or its parts.

    Raises:
        DeckError: If the file cannot be read or exceeds the size limits. The message includes the
            path, if one is given.
    """
    with named_errors(data):
        return _read_any(data)


def _read_any(data: DeckFile | DeckPath) -> Deck:
    try:
        return _read(Package(data if isinstance(data, Parts) else read_bytes(data)))
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise DeckError(f"the deck cannot be read: {error}") from error


class _Head(NamedTuple):
    """Facts about the deck as a whole."""

    root: _Element
    entries: list[tuple[str, int, str]]  # part, id and section of each slide, in show order
    facts: Mapping[str, Any]  # fields of `Deck`
    numbers: Mapping[str, int]  # position of each slide part in the show, from 1


def _head(package: Package, main: str) -> _Head:
    root = package.xml(main)
    if root.tag != f"{P}presentation":
        raise DeckError(f"not a valid .pptx: the main document is {root.tag!r}")
    entries = _slide_entries(package, main, root)
    ids = {slide_id: index for index, (slide_id, _) in enumerate(entries)}
    sections = read_sections(root, ids)
    names = {index: section.name for section in sections for index in section.slides}
    size = root.find(f"{P}sldSz")
    facts = {
        "width_emu": int_attribute(size, "cx", SLIDE_SIDE) or 9_144_000,
        "height_emu": int_attribute(size, "cy", SLIDE_SIDE) or 6_858_000,
        "sections": sections,
        "properties": read_properties(package),
        "show": read_show(package, main, root),
        "fingerprint": read_unread(root, main, package, Fingerprints(package)),
    }
    placed = [
        (part, _number(slide_id), names.get(index, ""))
        for index, (slide_id, part) in enumerate(entries)
    ]
    numbers = {part: index + 1 for index, (_, part) in enumerate(entries)}
    return _Head(root, placed, facts, numbers)


def _read(package: Package) -> Deck:
    main = package.related("", "officeDocument")
    if main is None:
        raise DeckError("not a valid .pptx: it names no main document")
    head = package.shared(("head", main), lambda: _head(package, main))
    package.slide_numbers = head.numbers
    source = DeckSource(
        package=package,
        main=main,
        fingerprints=Fingerprints(package),
        table_styles=TableStyles(package, package.related(main, "tableStyles") or ""),
    )
    readers = _Readers(source, ContextBook(package, head.root))
    slides, masters = _slides(readers, head.entries)
    layouts = frozenset(
        [each.layout for each in slides]
        + [each.name for master in masters for each in master.layouts if each.type != "broken"]
    )
    deck = Deck(slides=slides, masters=masters, layouts=layouts, **head.facts)
    package.check_budget()
    return deck


def _slide_entries(package: Package, main: str, root: _Element) -> list[tuple[str, str]]:
    """Return id and part of each slide, in show order."""
    rels = package.rels(main)
    listed = root.findall(f"{P}sldIdLst/{P}sldId")
    if len(listed) > MAX_SLIDES:
        raise DeckError(f"expected at most {MAX_SLIDES} slides, found {len(listed)}")
    entries = []
    seen: set[str] = set()
    for number, entry in enumerate(listed, start=1):
        rel = rels.get(entry.get(f"{R}id") or "")
        if rel is None or rel.external:
            raise DeckError(f"slide {number} has no part in the file")
        if rel.target in seen:
            raise DeckError(f"slide {number} is listed twice: it is the part of another slide too")
        seen.add(rel.target)
        entries.append((entry.get("id") or "", rel.target))
    return entries


class _Readers:
    """Reads slides and masters, or reuses the facts of another deck if they are the same."""

    def __init__(self, source: DeckSource, book: ContextBook) -> None:
        self._source = source
        self._book = book
        # Deck properties that readers use without a recorded lookup in the package.
        self._key = source.main, source.table_styles.part, book.default_text_digest

    def slide(self, part: str) -> _Read:
        package = self._source.package
        return reused(
            package,
            ("slide", self._key),
            part,
            lambda: self._slide(part),
            lambda read: len(read.slide.shapes),
        )

    def master(self, part: str, look: _Look) -> Master:
        return reused(
            self._source.package,
            ("master", self._key, look),
            part,
            lambda: read_master(self._source, self._book, self._book.get(*look)),
            lambda master: len(master.shapes) + sum(len(each.shapes) for each in master.layouts),
        )

    def _slide(self, part: str) -> _Read:
        root = self._source.package.xml(part)
        look = self._book.look(part, root)
        context = self._book.get(*look)
        slide = read_slide(self._source, part, root, context)
        layouts = layout_parts(self._source.package, context.master_part)
        part = context.layout_part
        position = layouts.index(part) if part in layouts else None
        size = _Tally.of(slide)
        return _Read(slide, size, look, context.master_part, position, Recent(_MAX_PLACES))


def _slides(
    readers: _Readers, entries: list[tuple[str, int, str]]
) -> tuple[tuple[Slide, ...], tuple[Master, ...]]:
    """Return the slides and the masters they use, in order of first use."""
    looks: dict[str, _Look] = {}
    masters: dict[str, int] = {}
    slides = []
    tally = _Tally()
    for index, (part, number, section) in enumerate(entries):
        read = readers.slide(part)
        tally.add(read.size)
        looks.setdefault(read.master_part, read.look)
        master = masters.setdefault(read.master_part, len(masters))
        slides.append(read.placed(index, number, section, master))
    return tuple(slides), tuple(readers.master(part, look) for part, look in looks.items())


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


@dataclass(slots=True)
class _Tally:
    """Counts the contents of a slide, or of the slides of one deck."""

    shapes: int = 0
    paragraphs: int = 0
    letters: int = 0

    @classmethod
    def of(cls, slide: Slide) -> Self:
        """Return the counts of one slide."""
        found = cls(len(slide.shapes), 0, len(slide.notes))
        for shape in slide.shapes:
            # Names and alternative texts are compared and displayed like text.
            found.letters += len(shape.name) + len(shape.alt_text) + len(shape.all_text)
            found.paragraphs += len(shape.paragraphs)
            if shape.table is not None:
                found.paragraphs += sum(len(c.paragraphs) for row in shape.table.rows for c in row)
        return found

    def add(self, other: "_Tally") -> None:
        """Add the counts of one more slide.

        Raises:
            DeckError: If the deck exceeds the limits.
        """
        self.shapes += other.shapes
        self.paragraphs += other.paragraphs
        self.letters += other.letters
        for found, limit, what in (
            (self.shapes, MAX_SHAPES, "shapes"),
            (self.paragraphs, MAX_PARAGRAPHS, "paragraphs"),
            (self.letters, MAX_LETTERS, "letters"),
        ):
            if found > limit:
                raise DeckError(f"expected at most {limit} {what}, found {found} or more")


# In tags and attributes: eight decks of 40 slides with 2 MB of facts each, at most 200 MB.
_MAX_KEPT = 600_000
# Weight of lookup records, and of shape fields that have no markup in the file.
_BASE_WEIGHT = 50
_SHAPE_WEIGHT = 20
# Cached results for one part content with different contents of other parts.
_MAX_VARIANTS = 4

_T = TypeVar("_T")
_Variants = tuple[tuple[Seen, Any, int], ...]

_kept: Recent[Hashable, _Variants] = Recent(_MAX_KEPT)


def reused(
    package: Package,
    key: Hashable,
    part: str,
    make: Callable[[], _T],
    shapes: Callable[[_T], int],
) -> _T:
    """Return the result of `make`, cached between decks with equal answers to its lookups.

    Args:
        package: The file; `make` must get all its information from it.
        key: Everything else that the result depends on.
        part: Name of the main part.
        make: Reads the facts; callers must not modify them.
        shapes: Returns the number of shapes in the facts, used to estimate their size.
    """
    full_key = (key, part, package.markup_token(part))
    variants = _kept.get(full_key) or ()
    for seen, value, _ in variants:
        if package.answers_alike(seen):
            package.use_again(seen)
            return value  # type: ignore[no-any-return]
    with package.watch() as seen:
        made = make()
    # Raises if parts were skipped for lack of budget, so incomplete facts are not cached.
    package.check_budget()
    weight = seen.own_cost + _SHAPE_WEIGHT * shapes(made) + _BASE_WEIGHT
    kept = ((seen, made, weight), *variants)[:_MAX_VARIANTS]
    _kept.put(full_key, kept, sum(each for _, _, each in kept))
    return made


def forget() -> None:
    """Remove all cached facts."""
    _kept.clear()
