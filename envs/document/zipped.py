"""Writing the parts of a package quickly: what did not change is not written anew."""

import io
import zipfile
from typing import Any

from pptx.opc.oxml import serialize_part_xml
from pptx.opc.packuri import PACKAGE_URI
from pptx.opc.serialized import _ContentTypesItem

__all__ = ["zipped"]

_Entries = tuple[tuple[str, bytes], ...]


def zipped(package: Any, kept: dict[Any, _Entries]) -> bytes:
    """Return a package of python-pptx as a zip file without compression.

    Args:
        package: The package.
        kept: The entries of parts; those that are missing are added.
    """
    parts = tuple(package.iter_parts())
    types = serialize_part_xml(_ContentTypesItem.xml_for(parts))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as file:
        _write(file, "[Content_Types].xml", types)
        _write(file, PACKAGE_URI.rels_uri.membername, package._rels.xml)
        for part in parts:
            if part not in kept:
                kept[part] = tuple(_entries(part))
            for name, data in kept[part]:
                _write(file, name, data)
    return stream.getvalue()


def _entries(part: Any) -> list[tuple[str, bytes]]:
    entries = [(part.partname.membername, part.blob)]
    if part._rels:
        entries.append((part.partname.rels_uri.membername, part.rels.xml))
    return entries


def _write(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    file.writestr(zipfile.ZipInfo(name), data)  # always the same date
