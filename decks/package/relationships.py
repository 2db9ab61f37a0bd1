"""How parts of a file refer to each other."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import unquote

from lxml.etree import _Element

from pptarena.decks.package.names import rel_suffix

__all__ = ["Rel", "read_relationships", "rels_path"]

_RELS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Rel:
    """A relationship of a part.

    Attributes:
        kind: Last part of the type, such as ``slideLayout``.
        target: Name of the part, without a leading slash, or the address if `external`.
        external: Whether it points out of the package.
        place: A place within the target, such as ``#_ftn1``; empty for the whole. External targets
            have theirs in `target`.
    """

    kind: str
    target: str
    external: bool
    place: str = ""


def rels_path(part: str) -> str:
    """Return the name of the part that holds the relationships of another one."""
    folder, _, base = part.rpartition("/")
    return posixpath.join(folder, "_rels", f"{base}.rels")


def read_relationships(root: _Element, part: str) -> Mapping[str, Rel]:
    """Return relationships by id.

    Args:
        root: Root of the part that holds them.
        part: Name of the part whose relationships they are; empty for the package itself.
    """
    found = {}
    for element in root.iter(_RELS):
        target = element.get("Target") or ""
        external = element.get("TargetMode") == "External"
        place = ""
        if not external:
            path, mark, name = target.partition("#")
            target, place = _resolve(part, unquote(path)), mark + unquote(name)
        kind = rel_suffix(element.get("Type") or "")
        found[element.get("Id") or ""] = Rel(kind, target, external, place)
    return MappingProxyType(found)


def _resolve(part: str, path: str) -> str:
    """Return the name of the part that a path leads to, seen from another part."""
    if not path:
        return part
    folder = part.rpartition("/")[0]
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(joined).lstrip("/")
