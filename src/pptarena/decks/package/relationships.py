"""Relationships between parts."""

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote

from lxml.etree import _Element

from pptarena.decks.package.names import rel_suffix

__all__ = ["Rel", "part_key", "read_relationships", "rels_path"]

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_RELS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Rel:
    """A relationship of a part.

    Attributes:
        kind: Last segment of the type, such as ``slideLayout``.
        target: Name of the part without a leading slash, or the address if `external`.
        external: Whether the target is outside the package.
        place: Fragment of the target, such as ``#_ftn1``; empty for none. For external targets, it
            is part of `target`.
    """

    kind: str
    target: str
    external: bool
    place: str = ""

    @property
    def is_void(self) -> bool:
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
    """Return all relationships with their ids, in file order.

    Args:
        root: Root of the relationships part.
        part: Name of the part that has these relationships; empty for the package itself.
    """
    found = []
    for element in root.iter(_RELS):
        target = element.get("Target") or ""
        external = element.get("TargetMode") == "External"
        place = ""
        if not external:
            path, mark, name = target.partition("#")
            target, place = _resolve(part, unquote(path)), mark + unquote(name)
        kind = rel_suffix(element.get("Type") or "")
        found.append((element.get("Id") or "", Rel(kind, target, external, place)))
    return tuple(found)


def _resolve(part: str, path: str) -> str:
    """Return the name of the part for a path relative to another part.

    Segments ``..`` that lead above the root are dropped (RFC 3986, 5.2.4).
    """
    if not path:
        return part
    folder = part.rpartition("/")[0]
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
