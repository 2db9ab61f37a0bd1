"""Read the parts of a .pptx file safely: bounded size, no entities, no network access."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from lxml.etree import _Element

from pptarena.decks.package.archive import Archive, Entry
from pptarena.decks.package.budget import Budget, Lookups
from pptarena.decks.package.files import DeckFile, Parts
from pptarena.decks.package.markup import parse_markup, with_stable_ids
from pptarena.decks.package.relationships import Rel, part_key, read_relationships, rels_path
from pptarena.decks.read.caches import LruCache
from pptarena.errors import DeckError

__all__ = [
    "MAX_PART_BYTES",
    "MAX_XML_BYTES",
    "Package",
    "Rel",
]

MAX_PART_BYTES = 256 * 2**20
MAX_XML_BYTES = 24 * 2**20

# Long texts and large numbers of very small parts also count.
_BYTES_PER_TAG = 64
_COST_PER_PART = 20

_T = TypeVar("_T")
_digests: LruCache[bytes, str] = LruCache(20_000)
_markup_tokens: LruCache[bytes, bytes] = LruCache(50_000)


@dataclass(frozen=True, slots=True)
class _ReadError:
    """Reason why a part cannot be read.

    A stored exception would keep its frames alive, and with them all trees of a rejected deck.
    """

    reason: str


def _result_of(make: Callable[[], _T]) -> _T | _ReadError:
    """Return the result of `make`, or the reason of its `DeckError`."""
    try:
        return make()
    except DeckError as error:
        return _ReadError(str(error))


class Package:
    """The parts of a .pptx file, by name and by relationship.

    Methods that read raise `DeckError` if a part is missing, broken, too large or not XML, or if
    the total cost exceeds what any legitimate deck needs.

    Lookups can be recorded (see `record_lookups`), so that facts can be reused for another file
    that gives the same answers.

    Raises:
        DeckError: If the file is not a zip file, or exceeds the limits on entries or size.
    """

    def __init__(self, data: DeckFile) -> None:
        if isinstance(data, bytes) and data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
            raise DeckError("not a valid .pptx: it is encrypted, or of an older format")
        self._archive = data if isinstance(data, Parts) else Archive(data)
        self._entries = self._archive.entries
        self._spellings: Mapping[str, str] | None = None
        self._xml: dict[str, tuple[_Element, int] | _ReadError] = {}
        self._tokens: dict[str, bytes] = {}
        self._markup: dict[str, bytes] = {}
        self._shared: dict[Hashable, tuple[Any, Lookups]] = {}
        self._budget = Budget()
        self._lookups = Lookups()
        self.slide_numbers: Mapping[str, int] = MappingProxyType({})
        """Position of each slide from 1, by part name; set by the reader."""

    def __contains__(self, name: str) -> bool:
        stored = self._lookups.present[name] = self.stored_name(name)
        return stored is not None

    @property
    def names(self) -> Iterable[str]:
        """Names of all entries of the file, as stored."""
        return self._entries

    def stored_name(self, name: str) -> str | None:
        """Return the name under which a part is stored; None if it is missing.

        Part names are equivalent if they differ only in the case of ASCII letters. An identical
        name is preferred, then the first equivalent one in the file.
        """
        if name in self._entries:
            return name
        if self._spellings is None:
            self._spellings = {part_key(each): each for each in reversed(tuple(self._entries))}
        return self._spellings.get(part_key(name))

    def read(self, name: str) -> bytes:
        """Return the bytes of a part."""
        self._record(name)
        return self._archive.read(self._entry(name))

    def reader(self, name: str) -> Callable[[], bytes]:
        """Return a function that returns the bytes of a part and keeps only that part in memory."""
        self._record(name)
        return self._archive.reader(self._entry(name))

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a part's bytes in hex."""
        self._record(name)
        token = self.token(name)
        known_digest = _digests.get(token)
        if known_digest is None:
            content = hashlib.sha256()
            for piece in self._archive.chunks(self._entry(name)):
                content.update(piece)
            known_digest = content.hexdigest()
            _digests.put(token, known_digest)
        return known_digest

    def size(self, name: str) -> int:
        """Return the uncompressed size of a part in bytes; 0 if it is missing."""
        self._record(name)
        entry = self._find_entry(name)
        return entry.size if entry else 0

    def xml(self, name: str) -> _Element:
        """Return the root element of a part, parsed once; callers must not modify it.

        Every call counts the cost of the part, because the caller traverses it again: a small part
        that thousands of others refer to cannot stall the reader.
        """
        self._record_markup(name)
        cached = self._xml.get(name)
        if cached is None:
            cached = self._xml[name] = _result_of(lambda: self._parse(name))
        elif not isinstance(cached, _ReadError):
            self._count(cached[1], name)
        if isinstance(cached, _ReadError):
            raise DeckError(cached.reason)
        return cached[0]

    def xml_or_none(self, name: str | None) -> _Element | None:
        """Return the root of a part; None for a part that applications leave out if unreadable."""
        try:
            return self.xml(name) if name else None
        except DeckError:
            return None

    def rels(self, name: str) -> Mapping[str, Rel]:
        """Return the relationships of a part by id, with targets named as stored.

        Relationships to missing parts, such as ``NULL``, are left out, except hyperlinks to files:
        applications ignore them, and python-pptx drops them. `all_rels` returns all.

        Args:
            name: Name of the part; empty for the package itself.
        """
        return self.shared(("rels", name), lambda: self._read_rels(name))

    def related(self, name: str, kind: str) -> str | None:
        """Return the first existing part that `name` is related to by `kind`; None for none."""
        for rel in self.rels(name).values():
            if rel.kind == kind and not rel.external and rel.target in self:
                return rel.target
        return None

    def target(self, name: str, rel_id: str | None) -> str | None:
        """Return the existing part that a relationship of `name` leads to; None for none."""
        rel = self.rels(name).get(rel_id or "")
        return None if rel is None or rel.external or rel.target not in self else rel.target

    def slide_number(self, name: str) -> int | None:
        """Return the position of a slide from 1 by part name; None for other parts."""
        number = self._lookups.numbers[name] = self.slide_numbers.get(name)
        return number

    def token(self, name: str) -> bytes:
        """Return a token that is equal only for parts of equal content; empty if missing."""
        if name not in self._tokens:
            entry = self._find_entry(name)
            self._tokens[name] = b"" if entry is None else self._archive.token(entry)
        return self._tokens[name]

    def markup_token(self, name: str) -> bytes:
        """Return a token that is equal only for parts with equal results of `xml` and `rels`."""
        if name in self._markup:
            return self._markup[name]
        token = self.token(name)
        entry = self._find_entry(name)
        if entry is None or entry.size > MAX_XML_BYTES:
            return token
        digest = _markup_tokens.get(token)
        if digest is None:
            try:
                digest = hashlib.sha256(with_stable_ids(self._archive.read(entry))).digest()
            except DeckError:
                return token
            _markup_tokens.put(token, digest)
        self._markup[name] = digest
        return digest

    def spend(self, cost: int) -> None:
        """Count work beyond the number of tags and attributes."""
        self._count(cost)

    def count_shapes(self, count: int) -> None:
        """Count the shapes of a slide, layout or master before reading them."""
        self._lookups.own_shapes += count
        self._budget.add_shapes(count)

    def check_budget(self) -> None:
        """Raise `DeckError` if parts were skipped because the budget was exhausted.

        A reader that tolerates broken parts calls this at the end.
        """
        self._budget.check()

    @contextmanager
    def record_lookups(self) -> Iterator[Lookups]:
        """Record the lookups within a ``with`` statement."""
        outer = self._lookups
        self._lookups = Lookups()
        try:
            yield self._lookups
        finally:
            self._lookups = outer

    def shared(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the result of `make`, which is called once for each key.

        The caller depends on all lookups made by `make`, whenever they happened.

        Raises:
            DeckError: The error of `make`, on every call.
        """
        if key not in self._shared:
            # The budget was already charged if facts that depend on this key were reused.
            self._budget.refund(key)
            with self.record_lookups() as lookups:
                self._shared[key] = _result_of(make), lookups
            self._budget.record_charge(key, lookups)
        value, lookups = self._shared[key]
        self._lookups.shared[key] = lookups
        if isinstance(value, _ReadError):
            raise DeckError(value.reason)
        return value  # type: ignore[no-any-return]

    def has_same_answers(self, lookups: Lookups) -> bool:
        """Return whether this package gives the same answers as the recorded package."""
        return (
            all(self.markup_token(name) == answer for name, answer in lookups.markup.items())
            and all(self.token(name) == answer for name, answer in lookups.parts.items())
            and all(self.stored_name(name) == answer for name, answer in lookups.present.items())
            and all(
                self.slide_numbers.get(name) == answer for name, answer in lookups.numbers.items()
            )
            and all(map(self.has_same_answers, lookups.shared.values()))
        )

    def charge_reuse(self, lookups: Lookups) -> None:
        """Charge the recorded lookups of reused facts, as if they were made now."""
        self._budget.charge_again(lookups)

    def _record(self, name: str) -> None:
        if name not in self._lookups.parts:
            self._lookups.parts[name] = self.token(name)

    def _record_markup(self, name: str) -> None:
        if name not in self._lookups.markup:
            self._lookups.markup[name] = self.markup_token(name)

    def _find_entry(self, name: str) -> Entry | None:
        stored = self.stored_name(name)
        return None if stored is None else self._entries[stored]

    def _entry(self, name: str) -> Entry:
        entry = self._find_entry(name)
        if entry is None:
            raise DeckError(f"the part {name!r} is missing")
        if entry.size > MAX_PART_BYTES:
            raise DeckError(f"the part {name!r} is larger than {MAX_PART_BYTES} bytes")
        return entry

    def _count(self, cost: int, name: str = "") -> None:
        self._lookups.own_cost += cost
        self._budget.spend(cost, name)

    def _parse(self, name: str) -> tuple[_Element, int]:
        """Return the root of a part, and an upper bound on its number of tags and attributes."""
        entry = self._entry(name)
        if entry.size > MAX_XML_BYTES:
            raise DeckError(f"the part {name!r} holds too much XML ({entry.size} bytes)")
        data = with_stable_ids(self._archive.read(entry))
        cost = max(data.count(b"<") + data.count(b"="), len(data) // _BYTES_PER_TAG)
        cost += _COST_PER_PART
        self._count(cost, name)
        return parse_markup(data, name), cost

    def all_rels(self, name: str) -> tuple[tuple[str, Rel], ...]:
        """Return all relationships of a part with their ids, in file order."""
        path = rels_path(name)
        self._record_markup(path)
        if self.stored_name(path) is None:
            return ()
        return read_relationships(self._parse(path)[0], name)

    def _read_rels(self, name: str) -> Mapping[str, Rel]:
        rels = {}
        for rel_id, rel in self.all_rels(name):
            if not rel.external:
                stored = self._lookups.present[rel.target] = self.stored_name(rel.target)
                if stored is None and (rel.is_null or rel.kind != "hyperlink"):
                    continue
                if stored is not None and stored != rel.target:
                    rel = replace(rel, target=stored)
            rels[rel_id] = rel
        return MappingProxyType(rels)
