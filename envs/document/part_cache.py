"""Fast serialization of a package: unchanged parts are not serialized again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TARGET_MODE
from pptx.opc.oxml import serialize_part_xml
from pptx.opc.packuri import PACKAGE_URI
from pptx.opc.serialized import _ContentTypesItem

from pptarena.decks.package.files import Part, Parts

__all__ = ["PartCache"]

_TYPES = "[Content_Types].xml"


@dataclass(frozen=True, slots=True)
class _CachedPart:
    """A part as last serialized.

    Attributes:
        name: Its name and content type.
        relations: Its relationships; `rels` is unchanged as long as these are equal.
        content: Its content.
        rels: Its relationships part; None if it has none.
    """

    name: tuple[str, str]
    relations: tuple[tuple[object, ...], ...]
    content: Part
    rels: Part | None


class PartCache:
    """The parts of a python-pptx package as last serialized."""

    def __init__(self) -> None:
        self._cached: dict[Any, _CachedPart] = {}
        self._outdated: set[Any] = set()
        self._root: tuple[tuple[tuple[object, ...], ...], Part] | None = None
        self._names: list[tuple[str, str]] = []
        self._types: Part | None = None
        # All parts as last serialized, and the package's relationships at that time.
        self._reachable: tuple[Sequence[tuple[object, ...]], dict[Any, _CachedPart]] | None = None

    def forget(self, parts: Iterable[Any]) -> None:
        """Serialize some parts and their relationships again the next time."""
        self._outdated.update(parts)

    def parts(self, package: Any) -> Parts:
        """Return the current parts of a package.

        Raises:
            DeckError: If the number or size of the parts exceeds the limits of a file.
        """
        relations = _relations(package)
        if self._root is None or self._root[0] != relations:
            rels = Part.of(PACKAGE_URI.rels_uri.membername, package._rels.xml)
            self._root = relations, rels
        cached_parts = self._update(relations)
        names = [cached.name for cached in cached_parts.values()]
        if self._types is None or names != self._names:
            xml = serialize_part_xml(_ContentTypesItem.xml_for(list(cached_parts)))
            self._types, self._names = Part.of(_TYPES, xml), names
        result = [self._types, self._root[1]]
        for cached in cached_parts.values():
            result.append(cached.content)
            if cached.rels is not None:
                result.append(cached.rels)
        return Parts(result)

    def _update(self, relations: Sequence[tuple[object, ...]]) -> dict[Any, _CachedPart]:
        """Return all parts; relationships are walked only if those of the package changed."""
        # After an exception, a partial result is not reused.
        previous, self._reachable = self._reachable, None
        if previous is None or previous[0] != relations or not self._refresh_in_place(previous[1]):
            previous = relations, self._walk(relations)
        self._reachable = previous
        return previous[1]

    def _refresh_in_place(self, cached_parts: dict[Any, _CachedPart]) -> bool:
        """Serialize parts that may have changed; return whether all relationships are unchanged."""
        for part in self._outdated & cached_parts.keys():
            previous = cached_parts[part]
            cached_parts[part] = self._cached[part] = _serialize_part(part, previous)
            self._outdated.discard(part)
            if cached_parts[part].relations != previous.relations:
                return False
        return True

    def _walk(self, relations: Sequence[tuple[object, ...]]) -> dict[Any, _CachedPart]:
        """Return all reachable parts, in the order of a package's `iter_parts`."""
        reachable: dict[Any, _CachedPart] = {}
        pending = [relations]
        while pending:
            for _, _, _, part, name in pending.pop():
                if name is not None and part not in reachable:
                    cached = self._cached.get(part)
                    if cached is None or part in self._outdated:
                        cached = self._cached[part] = _serialize_part(part, cached)
                        self._outdated.discard(part)
                    reachable[part] = cached
                    pending.append(cached.relations)
        return reachable


def _serialize_part(part: Any, previous: _CachedPart | None) -> _CachedPart:
    """Return a part as it is now; the previous object is reused if it is equal."""
    name, relations, blob = part.partname, _relations(part), part.blob
    same_name = previous is not None and previous.name[0] == name
    if same_name and previous is not None and previous.content.data == blob:
        content = previous.content
    else:
        content = Part.of(name.membername, blob)
    if same_name and previous is not None and previous.relations == relations:
        rels = previous.rels
    else:
        rels = Part.of(name.rels_uri.membername, part.rels.xml) if relations else None
    return _CachedPart((str(name), str(part.content_type)), relations, content, rels)


def _relations(source: Any) -> tuple[tuple[object, ...], ...]:
    """Return id, type, mode, target and target name of each relationship of a source.

    The name is None for external targets. Private python-pptx fields are read because its
    properties take ten times as long, and each step reads hundreds of them.
    """
    relations = []
    for relation in source._rels._rels.values():
        target, mode = relation._target, relation._target_mode
        external = mode == RELATIONSHIP_TARGET_MODE.EXTERNAL
        name = None if external else target._partname
        relations.append((relation._rId, relation._reltype, mode, target, name))
    return tuple(relations)
