"""Relationships between parts."""

import io
import posixpath
import zipfile
from collections.abc import Container, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.archive import Archive
from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.names import rel_suffix

__all__ = ["Rel", "part_key", "read_relationships", "rels_path", "with_exact_names"]

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_RELS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Rel:
    """A relationship of a part.

    Attributes:
        kind: Last segment of the type, such as ``slideLayout``.
        target: Name of the part without a leading slash, or the address if `external`.
        external: Whether the target is outside the package.
        fragment: Fragment of the target, such as ``#_ftn1``; empty for none. The fragment of an
            external target is part of `target`.
    """

    kind: str
    target: str
    external: bool
    fragment: str = ""

    @property
    def is_null(self) -> bool:
        """Whether the target is ``NULL``, which PowerPoint writes for a lost picture."""
        return not self.external and self.target.rpartition("/")[2].upper() == "NULL"


def rels_path(part: str) -> str:
    """Return the name of the part that contains the relationships of a part."""
    folder, _, base = part.rpartition("/")
    return posixpath.join(folder, "_rels", f"{base}.rels")


def part_key(name: str) -> str:
    """Return a key that is equal for equivalent part names (ECMA-376 part 2, 6.2.2.3).

    Names are equivalent if they differ only in the case of ASCII letters. Some programs
    percent-encode the names of zip entries and others do not, so both spellings have the same key.
    """
    plain = unquote(name) if "%" in name else name
    return plain.lower() if plain.isascii() else plain.translate(_LOWER)


def read_relationships(root: _Element, part: str) -> tuple[tuple[str, Rel], ...]:
    """Return all relationships with their ids, in file order."""
    rels = []
    for element in root.iter(_RELS):
        target = element.get("Target") or ""
        external = element.get("TargetMode") == "External"
        fragment = ""
        if not external:
            path, separator, name = target.partition("#")
            target, fragment = _resolve(part, unquote(path)), separator + unquote(name)
        kind = rel_suffix(element.get("Type") or "")
        rels.append((element.get("Id") or "", Rel(kind, target, external, fragment)))
    return tuple(rels)


def _resolve(part: str, path: str) -> str:
    """Return the name of the part for a path relative to another part.

    Segments ``..`` that lead above the root are dropped (RFC 3986, 5.2.4).
    """
    if not path:
        return part
    folder = part.rpartition("/")[0]
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


_TYPES = "[Content_Types].xml"


def with_exact_names(deck: bytes) -> bytes:
    """Return a deck in which every relationship target is spelled as the part is stored.

    python-pptx drops relationships whose target differs from the stored name in letter case, and
    with them pictures.

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
            exact = _exact_rels(data, name, owner, stored, archive.entries)
            if exact is not data:
                parts[name] = exact
        elif part_key(name) == part_key(_TYPES):
            names[name] = _TYPES
    if not parts and all(name == exact for name, exact in names.items()):
        return deck
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, entry in archive.entries.items():
            file.writestr(names.get(name, name), parts.get(name) or archive.read(entry))
    return buffer.getvalue()


def _source(name: str) -> str | None:
    """Return the part that a relationships part belongs to; None for other parts."""
    folder, _, base = name.rpartition("/")
    above, _, last = folder.rpartition("/")
    if last.lower() != "_rels" or not base.lower().endswith(".rels"):
        return None
    return posixpath.join(above, base[: -len(".rels")])


def _exact_rels(
    data: bytes, name: str, owner: str, stored: Mapping[str, str], names: Container[str]
) -> bytes:
    """Return relationships with targets as stored; the same object if nothing changes."""
    root = parse_markup(data, name)
    changed = False
    for element in root.iter(_RELS):
        path, separator, fragment = (element.get("Target") or "").partition("#")
        if element.get("TargetMode") == "External" or not path:
            continue
        target = _resolve(owner, path)
        stored_name = stored.get(part_key(target))
        if stored_name is not None and target not in names:
            element.set("Target", f"/{stored_name}{separator}{fragment}")
            changed = True
    return etree.tostring(root) if changed else data
