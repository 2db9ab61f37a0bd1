"""Fast serialization of a package: unchanged parts are not serialized again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TARGET_MODE
from pptx.opc.oxml import serialize_part_xml
from pptx.opc.packuri import PACKAGE_URI
from pptx.opc.serialized import _ContentTypesItem

from pptarena.decks.package.files import Part, Parts

__all__ = ["WrittenParts"]

_TYPES = "[Content_Types].xml"


@dataclass(frozen=True, slots=True)
class _Written:
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


class WrittenParts:
    """The parts of a python-pptx package as last serialized."""

    def __init__(self) -> None:
        self._written: dict[Any, _Written] = {}
        self._forgotten: set[Any] = set()
        self._root: tuple[tuple[tuple[object, ...], ...], Part] | None = None
        self._names: list[tuple[str, str]] = []
        self._types: Part | None = None
        # All parts as last serialized, and the package's relationships at that time.
        self._own: tuple[Sequence[tuple[object, ...]], dict[Any, _Written]] | None = None

    def forget(self, parts: Iterable[Any]) -> None:
        """Serialize some parts and their relationships again the next time."""
        self._forgotten.update(parts)

    def of(self, package: Any) -> Parts:
        """Return the current parts of a package.

        Raises:
            DeckError: If the number or size of the parts exceeds the limits of a file.
        """
        related = _relations(package)
        if self._root is None or self._root[0] != related:
            rels = Part.of(PACKAGE_URI.rels_uri.membername, package._rels.xml)
            self._root = related, rels
        own = self._write_changed(related)
        names = [each.name for each in own.values()]
        if self._types is None or names != self._names:
            xml = serialize_part_xml(_ContentTypesItem.xml_for(list(own)))
            self._types, self._names = Part.of(_TYPES, xml), names
        found = [self._types, self._root[1]]
        for each in own.values():
            found.append(each.content)
            if each.rels is not None:
                found.append(each.rels)
        return Parts(found)

    def _write_changed(self, related: Sequence[tuple[object, ...]]) -> dict[Any, _Written]:
        """Return all parts; relationships are walked only if those of the package changed."""
        # After an exception, a partial result is not reused.
        before, self._own = self._own, None
        if before is None or before[0] != related or not self._write_in_place(before[1]):
            before = related, self._write(related)
        self._own = before
        return before[1]

    def _write_in_place(self, own: dict[Any, _Written]) -> bool:
        """Serialize parts that may have changed; return whether all relationships are unchanged."""
        for part in self._forgotten & own.keys():
            before = own[part]
            own[part] = self._written[part] = _written(part, before)
            self._forgotten.discard(part)
            if own[part].relations != before.relations:
                return False
        return True

    def _write(self, related: Sequence[tuple[object, ...]]) -> dict[Any, _Written]:
        """Return all reachable parts, in the order of a package's `iter_parts`."""
        found: dict[Any, _Written] = {}
        waiting = [related]
        while waiting:
            for _, _, _, part, name in waiting.pop():
                if name is not None and part not in found:
                    written = self._written.get(part)
                    if written is None or part in self._forgotten:
                        written = self._written[part] = _written(part, written)
                        self._forgotten.discard(part)
                    found[part] = written
                    waiting.append(written.relations)
        return found


def _written(part: Any, before: _Written | None) -> _Written:
    """Return a part as it is now; the previous object is reused if it is equal."""
    name, related, blob = part.partname, _relations(part), part.blob
    alike = before is not None and before.name[0] == name
    if alike and before is not None and before.content.data == blob:
        content = before.content
    else:
        content = Part.of(name.membername, blob)
    if alike and before is not None and before.relations == related:
        rels = before.rels
    else:
        rels = Part.of(name.rels_uri.membername, part.rels.xml) if related else None
    return _Written((str(name), str(part.content_type)), related, content, rels)


def _relations(source: Any) -> tuple[tuple[object, ...], ...]:
    """Return id, type, mode, target and target name of each relationship of a source.

    The name is None for external targets. Private python-pptx fields are read because its
    properties take ten times as long, and each step reads hundreds of them.
    """
    found = []
    for each in source._rels._rels.values():
        target, mode = each._target, each._target_mode
        external = mode == RELATIONSHIP_TARGET_MODE.EXTERNAL
        name = None if external else target._partname
        found.append((each._rId, each._reltype, mode, target, name))
    return tuple(found)
