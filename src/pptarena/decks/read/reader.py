"""Read an entire deck."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, TypeVar

from lxml.etree import _Element

from pptarena.decks.facts.deck import Deck, Slide
from pptarena.decks.facts.master import Master
from pptarena.decks.package.budget import Lookups
from pptarena.decks.package.files import DeckFile, DeckPath, Parts, prefix_errors, read_bytes
from pptarena.decks.package.names import P, R
from pptarena.decks.package.package import Package
from pptarena.decks.read.caches import LruCache
from pptarena.decks.read.context import ContextCache
from pptarena.decks.read.deck_facts import (
    deck_fingerprint,
    read_properties,
    read_sections,
    read_show,
)
from pptarena.decks.read.numbers import SLIDE_SIDE, int_attribute
from pptarena.decks.read.slides import layout_parts, read_master, read_slide
from pptarena.decks.read.source import DeckSource
from pptarena.decks.read.table_styles import TableStyles
from pptarena.decks.read.unread import Fingerprints
from pptarena.errors import DeckError

__all__ = ["cached_facts", "clear_cache", "read_deck"]

# Limits on deck contents that bound the time of reading and checking.
MAX_SLIDES = 2_000
MAX_SHAPES = 10_000
MAX_PARAGRAPHS = 40_000
MAX_CHARACTERS = 2_000_000

# Number of positions (index, id, section, master) for which a slide is cached.
_MAX_POSITIONS = 8

# Layout part and color map of a slide, which determine everything it inherits.
_LayoutColors = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class _UnplacedSlide:
    """A slide without values that depend on its position, and the source of inherited values."""

    slide: Slide
    size: "_ContentCounts"
    layout_colors: _LayoutColors
    master_part: str
    layout_index: int | None
    _by_position: LruCache[tuple[int, int, str, int], Slide]

    def at_position(self, index: int, number: int, section: str, master: int) -> Slide:
        """Return the slide at a position of a deck; the same object for the same position.

        Decks that share cached facts thus share entire slides, which need no comparison.
        """
        key = index, number, section, master
        slide = self._by_position.get(key)
        if slide is None:
            slide = replace(
                self.slide,
                index=index,
                id=number,
                section=section,
                master=master,
                layout_index=self.layout_index,
            )
            self._by_position.put(key, slide)
        return slide


def read_deck(data: DeckFile | DeckPath) -> Deck:
    """Return the facts of a deck.

    Args:
        data: Path of a .pptx file, its bytes, or its parts.

    Raises:
        DeckError: If the file cannot be read or exceeds the size limits. The message includes the
            path, if one is given.
    """
    with prefix_errors(data):
        return _read_data(data)


def _read_data(data: DeckFile | DeckPath) -> Deck:
    try:
        return _read_package(Package(data if isinstance(data, Parts) else read_bytes(data)))
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise DeckError(f"the deck cannot be read: {error}") from error


class _DeckHeader(NamedTuple):
    """Facts about the deck as a whole."""

    root: _Element
    entries: list[tuple[str, int, str]]  # part, id and section of each slide, in show order
    facts: Mapping[str, Any]  # fields of `Deck`
    numbers: Mapping[str, int]  # position of each slide part in the show, from 1


def _read_header(package: Package, main: str) -> _DeckHeader:
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
        "fingerprint": deck_fingerprint(root, main, package, Fingerprints(package)),
    }
    slides = [
        (part, _number(slide_id), names.get(index, ""))
        for index, (slide_id, part) in enumerate(entries)
    ]
    numbers = {part: index + 1 for index, (_, part) in enumerate(entries)}
    return _DeckHeader(root, slides, facts, numbers)


def _read_package(package: Package) -> Deck:
    main = package.related("", "officeDocument")
    if main is None:
        raise DeckError("not a valid .pptx: it has no main document")
    header = package.shared(("head", main), lambda: _read_header(package, main))
    package.slide_numbers = header.numbers
    source = DeckSource(
        package=package,
        main=main,
        fingerprints=Fingerprints(package),
        table_styles=TableStyles(package, package.related(main, "tableStyles") or ""),
    )
    readers = _Readers(source, ContextCache(package, header.root))
    slides, masters = _slides(readers, header.entries)
    layouts = frozenset(
        [each.layout for each in slides]
        + [each.name for master in masters for each in master.layouts if each.type != "broken"]
    )
    deck = Deck(slides=slides, masters=masters, layouts=layouts, **header.facts)
    package.check_budget()
    return deck


def _slide_entries(package: Package, main: str, root: _Element) -> list[tuple[str, str]]:
    """Return id and part of each slide, in show order."""
    rels = package.rels(main)
    entry_elements = root.findall(f"{P}sldIdLst/{P}sldId")
    if len(entry_elements) > MAX_SLIDES:
        raise DeckError(f"expected at most {MAX_SLIDES} slides, found {len(entry_elements)}")
    entries = []
    parts: set[str] = set()
    for number, entry in enumerate(entry_elements, start=1):
        rel = rels.get(entry.get(f"{R}id") or "")
        if rel is None or rel.external:
            raise DeckError(f"slide {number} has no part in the file")
        if rel.target in parts:
            raise DeckError(f"slide {number} refers to the same part as an earlier slide")
        parts.add(rel.target)
        entries.append((entry.get("id") or "", rel.target))
    return entries


class _Readers:
    """Reads slides and masters, or reuses the facts of another deck if they are the same."""

    def __init__(self, source: DeckSource, contexts: ContextCache) -> None:
        self._source = source
        self._contexts = contexts
        # Deck properties that readers use without a recorded lookup in the package.
        self._key = source.main, source.table_styles.part, contexts.default_text_digest

    def slide(self, part: str) -> _UnplacedSlide:
        package = self._source.package
        return cached_facts(
            package,
            ("slide", self._key),
            part,
            lambda: self._slide(part),
            lambda read: len(read.slide.shapes),
        )

    def master(self, part: str, layout_colors: _LayoutColors) -> Master:
        return cached_facts(
            self._source.package,
            ("master", self._key, layout_colors),
            part,
            lambda: read_master(self._source, self._contexts, self._contexts.get(*layout_colors)),
            lambda master: len(master.shapes) + sum(len(each.shapes) for each in master.layouts),
        )

    def _slide(self, part: str) -> _UnplacedSlide:
        root = self._source.package.xml(part)
        layout_colors = self._contexts.layout_and_colors(part, root)
        context = self._contexts.get(*layout_colors)
        slide = read_slide(self._source, part, root, context)
        layouts = layout_parts(self._source.package, context.master_part)
        part = context.layout_part
        position = layouts.index(part) if part in layouts else None
        size = _ContentCounts.of(slide)
        return _UnplacedSlide(
            slide, size, layout_colors, context.master_part, position, LruCache(_MAX_POSITIONS)
        )


def _slides(
    readers: _Readers, entries: list[tuple[str, int, str]]
) -> tuple[tuple[Slide, ...], tuple[Master, ...]]:
    """Return the slides and the masters they use, in order of first use."""
    layouts_by_master: dict[str, _LayoutColors] = {}
    masters: dict[str, int] = {}
    slides = []
    counts = _ContentCounts()
    for index, (part, number, section) in enumerate(entries):
        unplaced = readers.slide(part)
        counts.add(unplaced.size)
        layouts_by_master.setdefault(unplaced.master_part, unplaced.layout_colors)
        master = masters.setdefault(unplaced.master_part, len(masters))
        slides.append(unplaced.at_position(index, number, section, master))
    return tuple(slides), tuple(
        readers.master(part, layout_colors) for part, layout_colors in layouts_by_master.items()
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


@dataclass(slots=True)
class _ContentCounts:
    """Counts the contents of a slide, or of the slides of one deck."""

    shapes: int = 0
    paragraphs: int = 0
    characters: int = 0

    @classmethod
    def of(cls, slide: Slide) -> Self:
        """Return the counts of one slide."""
        counts = cls(len(slide.shapes), 0, len(slide.notes))
        for shape in slide.shapes:
            # Names and alternative texts are compared and displayed like text.
            counts.characters += len(shape.name) + len(shape.alt_text) + len(shape.all_text)
            counts.paragraphs += len(shape.paragraphs)
            if shape.table is not None:
                counts.paragraphs += sum(len(c.paragraphs) for row in shape.table.rows for c in row)
        return counts

    def add(self, other: "_ContentCounts") -> None:
        """Add the counts of one more slide.

        Raises:
            DeckError: If the deck exceeds the limits.
        """
        self.shapes += other.shapes
        self.paragraphs += other.paragraphs
        self.characters += other.characters
        for count, limit, noun in (
            (self.shapes, MAX_SHAPES, "shapes"),
            (self.paragraphs, MAX_PARAGRAPHS, "paragraphs"),
            (self.characters, MAX_CHARACTERS, "characters"),
        ):
            if count > limit:
                raise DeckError(f"expected at most {limit} {noun}, found {count} or more")


# In tags and attributes: eight decks of 40 slides with 2 MB of facts each, at most 200 MB.
_MAX_CACHE_WEIGHT = 600_000
# Weight of lookup records, and of shape fields that have no markup in the file.
_BASE_WEIGHT = 50
_SHAPE_WEIGHT = 20
# Cached results for one part content with different contents of other parts.
_MAX_VARIANTS = 4

_T = TypeVar("_T")
_Variants = tuple[tuple[Lookups, Any, int], ...]

_cache: LruCache[Hashable, _Variants] = LruCache(_MAX_CACHE_WEIGHT)


def cached_facts(
    package: Package,
    key: Hashable,
    part: str,
    make: Callable[[], _T],
    shapes: Callable[[_T], int],
) -> _T:
    """Return the result of `make`, cached between decks with equal answers to its lookups.

    Args:
        package: The file; `make` may read nothing else.
        key: Everything else that the result depends on.
        part: Name of the main part.
        make: Reads the facts, which callers must not modify.
        shapes: Returns the number of shapes in the facts, used to estimate their size.
    """
    full_key = (key, part, package.markup_token(part))
    variants = _cache.get(full_key) or ()
    for lookups, value, _ in variants:
        if package.has_same_answers(lookups):
            package.charge_reuse(lookups)
            return value  # type: ignore[no-any-return]
    with package.record_lookups() as lookups:
        facts = make()
    # Raises if parts were skipped for lack of budget, so incomplete facts are not cached.
    package.check_budget()
    weight = lookups.own_cost + _SHAPE_WEIGHT * shapes(facts) + _BASE_WEIGHT
    updated = ((lookups, facts, weight), *variants)[:_MAX_VARIANTS]
    _cache.put(full_key, updated, sum(each for _, _, each in updated))
    return facts


def clear_cache() -> None:
    """Remove all cached facts."""
    _cache.clear()
