"""Writing the parts of a package quickly: what did not change is not written anew."""

from collections.abc import Iterable
from typing import Any

from pptx.opc.oxml import serialize_part_xml
from pptx.opc.packuri import PACKAGE_URI
from pptx.opc.serialized import _ContentTypesItem

from pptarena.decks.package.parts import Part, Parts

__all__ = ["WrittenParts"]

_TYPES = "[Content_Types].xml"


class WrittenParts:
    """What was written of the parts of a package of python-pptx the last time."""

    def __init__(self) -> None:
        self._written: dict[Any, tuple[Part, ...]] = {}
        self._named: list[tuple[str, str]] = []
        self._types: Part | None = None

    def forget(self, parts: Iterable[Any]) -> None:
        """Write some parts anew the next time, with what they are related to."""
        for part in parts:
            self._written.pop(part, None)

    def of(self, package: Any) -> Parts:
        """Return the parts of a package as they are now.

        Raises:
            DeckError: If there are more of them, or larger ones, than a file may have.
        """
        own = _parts(package)
        named = [(str(part.partname), str(part.content_type)) for part in own]
        if self._types is None or named != self._named:
            xml = serialize_part_xml(_ContentTypesItem.xml_for(own))
            self._types, self._named = Part.of(_TYPES, xml), named
        found = [self._types, Part.of(PACKAGE_URI.rels_uri.membername, package._rels.xml)]
        for part in own:
            if part not in self._written:
                self._written[part] = tuple(_written(part))
            found += self._written[part]
        return Parts(found)


def _parts(package: Any) -> list[Any]:
    """Return what `iter_parts` of a package yields, in less time."""
    found: dict[Any, None] = {}
    waiting = [package]
    while waiting:
        for relation in waiting.pop()._rels.values():
            if not relation.is_external and (part := relation.target_part) not in found:
                found[part] = None
                waiting.append(part)
    return list(found)


def _written(part: Any) -> list[Part]:
    found = [Part.of(part.partname.membername, part.blob)]
    if part._rels:
        found.append(Part.of(part.partname.rels_uri.membername, part.rels.xml))
    return found
