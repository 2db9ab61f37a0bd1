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

__all__ = ["separate_part_names"]

_NAMED_BY_NUMBER = re.compile(r"/ppt/slides/slide\d+\.xml")


def separate_part_names(presentation: Any) -> None:
    """Rename parts with a duplicate name, or with a name that a new slide may get."""
    part, package = presentation.part, presentation.part.package
    entries = part._element.sldIdLst
    listed = [] if entries is None else [part.related_part(entry.rId) for entry in entries]
    slides = set(listed)
    others = [each for each in _parts(package) if each not in slides]
    names = {str(each.partname).casefold() for each in (*listed, *others)}
    taken: set[str] = set()
    renamed = set()
    for each in (*dict.fromkeys(listed), *others):
        name = str(each.partname).casefold()
        if name in taken or (each not in slides and _NAMED_BY_NUMBER.fullmatch(name)):
            each.partname = PackURI(_free_name(each.partname, names, each in slides))
            renamed.add(each)
            name = str(each.partname).casefold()
            names.add(name)
        taken.add(name)
    if renamed:
        _forget_targets(package, renamed)


def _parts(package: Any) -> list[Any]:
    """Return all parts; `iter_parts` of a package takes ten times as long."""
    found: dict[Any, None] = {}
    waiting = [package]
    while waiting:
        for each in waiting.pop()._rels._rels.values():
            if each._target_mode != RELATIONSHIP_TARGET_MODE.EXTERNAL and each._target not in found:
                found[each._target] = None
                waiting.append(each._target)
    return list(found)


def _free_name(name: PackURI, names: set[str], is_listed: bool) -> str:
    """Return an unused name similar to `name`; only listed slides may get a plain number."""
    stem, extension = str(name).removesuffix(f".{name.ext}"), f".{name.ext}" if name.ext else ""
    base = stem.rstrip(string.digits) if is_listed else f"{stem}_"
    number = 1
    while f"{base}{number}{extension}".casefold() in names:
        number += 1
    return f"{base}{number}{extension}"


def _forget_targets(package: Any, renamed: set[Any]) -> None:
    """Clear the cached names of renamed parts, which relationships would otherwise write."""
    for relationship in package.iter_rels():
        if not relationship.is_external and relationship.target_part in renamed:
            for key in ("target_partname", "target_ref"):
                relationship.__dict__.pop(key, None)
