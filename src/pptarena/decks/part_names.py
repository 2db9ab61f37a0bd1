"""Make part names unique in python-pptx packages. This module also runs in the sandbox.

python-pptx renames listed slides to ``/ppt/slides/slide1.xml``, ``slide2.xml`` and so on, and names
a new slide by their number. A slide that was removed from the list but is still related keeps its
old name, as do the other slides after a deletion; two parts may then have the same name. Such a
package is invalid: part names are unique regardless of case (ECMA-376 part 2, 6.2.2).
"""

import re
import string
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TARGET_MODE
from pptx.opc.packuri import PackURI

__all__ = ["make_part_names_unique"]

_NUMBERED_SLIDE = re.compile(r"/ppt/slides/slide\d+\.xml")


def make_part_names_unique(presentation: Any) -> None:
    """Rename parts with a duplicate name, or with a name that a new slide may get."""
    main_part, package = presentation.part, presentation.part.package
    entries = main_part._element.sldIdLst
    listed = [] if entries is None else [main_part.related_part(entry.rId) for entry in entries]
    slides = set(listed)
    others = [part for part in _parts(package) if part not in slides]
    names = {str(part.partname).casefold() for part in (*listed, *others)}
    used_names: set[str] = set()
    renamed = set()
    for part in (*dict.fromkeys(listed), *others):
        name = str(part.partname).casefold()
        if name in used_names or (part not in slides and _NUMBERED_SLIDE.fullmatch(name)):
            part.partname = PackURI(_free_name(part.partname, names, part in slides))
            renamed.add(part)
            name = str(part.partname).casefold()
            names.add(name)
        used_names.add(name)
    if renamed:
        _clear_cached_targets(package, renamed)


def _parts(package: Any) -> list[Any]:
    """Return all parts; `iter_parts` of a package takes ten times as long."""
    parts: dict[Any, None] = {}
    stack = [package]
    while stack:
        for relationship in stack.pop()._rels._rels.values():
            if (
                relationship._target_mode != RELATIONSHIP_TARGET_MODE.EXTERNAL
                and relationship._target not in parts
            ):
                parts[relationship._target] = None
                stack.append(relationship._target)
    return list(parts)


def _free_name(name: PackURI, names: set[str], is_listed: bool) -> str:
    """Return an unused name similar to `name`; only listed slides may get a plain number."""
    stem, extension = str(name).removesuffix(f".{name.ext}"), f".{name.ext}" if name.ext else ""
    base = stem.rstrip(string.digits) if is_listed else f"{stem}_"
    number = 1
    while f"{base}{number}{extension}".casefold() in names:
        number += 1
    return f"{base}{number}{extension}"


def _clear_cached_targets(package: Any, renamed: set[Any]) -> None:
    """Clear the cached names of renamed parts, which relationships would otherwise write."""
    for relationship in package.iter_rels():
        if not relationship.is_external and relationship.target_part in renamed:
            for key in ("target_partname", "target_ref"):
                relationship.__dict__.pop(key, None)
