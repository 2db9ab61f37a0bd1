"""Normalize relationship targets to the stored part names, which python-pptx requires."""

import io
import posixpath
import zipfile
from collections.abc import Container, Mapping

from lxml import etree

from pptarena.decks.package.archive import Archive
from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.relationships import part_key, rels_path

__all__ = ["with_exact_names"]

_TYPES = "[Content_Types].xml"
_REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


def with_exact_names(deck: bytes) -> bytes:
    """Return a deck in which every relationship target is spelled as the part is stored.

    python-pptx drops relationships whose target differs from the stored name in letter case, and
    with them pictures.

    Args:
        deck: The .pptx file. It is returned unchanged if all names are exact.

    Raises:
        DeckError: If the file is not a zip file allowed by Open Packaging Conventions, or a part
            with relationships is broken.
    """
    archive = Archive(deck)
    stored = {part_key(name): name for name in reversed(tuple(archive.entries))}
    names: dict[str, str] = {}
    parts: dict[str, bytes] = {}
    for name, entry in archive.entries.items():
        source = _source(name)
        if source is not None:
            owner = stored.get(part_key(source), source)
            names[name] = rels_path(owner)
            data = archive.read(entry)
            exact = _exact(data, name, owner, stored, archive.entries)
            if exact is not data:
                parts[name] = exact
        elif part_key(name) == part_key(_TYPES):
            names[name] = _TYPES
    if not parts and all(name == exact for name, exact in names.items()):
        return deck
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, entry in archive.entries.items():
            file.writestr(names.get(name, name), parts.get(name) or archive.read(entry))
    return out.getvalue()


def _source(name: str) -> str | None:
    """Return the part that a relationships part belongs to; None for other parts."""
    folder, _, base = name.rpartition("/")
    above, _, last = folder.rpartition("/")
    if last.lower() != "_rels" or not base.lower().endswith(".rels"):
        return None
    return posixpath.join(above, base[: -len(".rels")])


def _exact(
    data: bytes, name: str, owner: str, stored: Mapping[str, str], names: Container[str]
) -> bytes:
    """Return relationships with targets as stored; the same object if nothing changes."""
    root = parse_markup(data, name)
    changed = False
    for element in root.iter(_REL):
        path, mark, fragment = (element.get("Target") or "").partition("#")
        if element.get("TargetMode") == "External" or not path:
            continue
        folder = owner.rpartition("/")[0]
        target = posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
        found = stored.get(part_key(target))
        if found is not None and target not in names:
            element.set("Target", f"/{found}{mark}{fragment}")
            changed = True
    return etree.tostring(root) if changed else data
