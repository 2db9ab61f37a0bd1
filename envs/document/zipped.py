"""Writing the parts of a package quickly: what did not change is not written anew."""

from typing import Any

from pptx.opc.oxml import serialize_part_xml
from pptx.opc.packuri import PACKAGE_URI
from pptx.opc.serialized import _ContentTypesItem

from pptarena.decks.package.parts import Part, Parts

__all__ = ["parts_of"]


def parts_of(package: Any, kept: dict[Any, tuple[Part, ...]]) -> Parts:
    """Return the parts of a package of python-pptx.

    Args:
        package: The package.
        kept: What was written of parts; those that are missing are added.

    Raises:
        DeckError: If there are more of them, or larger ones, than a file may have.
    """
    own = tuple(package.iter_parts())
    types = serialize_part_xml(_ContentTypesItem.xml_for(own))
    found = [
        Part.of("[Content_Types].xml", types),
        Part.of(PACKAGE_URI.rels_uri.membername, package._rels.xml),
    ]
    for part in own:
        if part not in kept:
            kept[part] = tuple(_written(part))
        found += kept[part]
    return Parts(found)


def _written(part: Any) -> list[Part]:
    found = [Part.of(part.partname.membername, part.blob)]
    if part._rels:
        found.append(Part.of(part.partname.rels_uri.membername, part.rels.xml))
    return found
