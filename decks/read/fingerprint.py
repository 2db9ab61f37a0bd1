"""Digests of what is not read any further, so that a change to it is still seen.

They do not depend on what saving alone changes: ids, names of parts, ids of relationships, order of
attributes, prefixes of namespaces, blanks between elements, marks of the spelling checker.
"""

import hashlib
import math
import re
from collections.abc import Callable, Collection, Iterable

from lxml.etree import _Element

from pptarena.decks.package.names import R, local_name
from pptarena.decks.package.package import Package, Rel
from pptarena.errors import DeckError

__all__ = ["NOISE", "Fingerprints", "is_noise"]

# Elements that applications write for themselves: marks of identity, caches, editing settings.
NOISE = frozenset((
    "creationId", "modId", "rowId", "colId", "useLocalDpi", "discardImageEditData",
    "defaultImageDpi", "chartTrackingRefBased", "themeFamily", "threadingInfo", "presenceInfo",
    "hiddenFill", "hiddenLine", "hiddenEffects", "hiddenScene3d", "hiddenSp3d",
    "hiddenSlideEffects", "sldGuideLst", "notesGuideLst", "taskHistory", "uniqueId",
    "uniqueID", "sectionLst", "media", "compatExt", "pictureAttributes", "decorative",
    "showEvtLst", "browseMode", "endParaRPr", "nonVisualDrawingPropsExtension", "designElem",
    "autofitExtension",
))  # fmt: skip
_NOISY_ATTRIBUTES = frozenset((
    "id", "dirty", "err", "lang", "altLang", "smtClean", "bmk", "noProof", "spid", "modelId",
    "uri", "uniqueId", "srcId", "destId", "parTransId", "sibTransId", "presId", "presAssocID",
    "cxnId", "dt", "created", "lastIdx", "authorId", "Requires",
))  # fmt: skip
# Where parts of a chart stand, as shares of its size.
_SHARES = frozenset(("x", "y", "w", "h"))
_MAX_DEPTH = 4
_XML_ENDINGS = (".xml", ".rels", ".vml")


class Fingerprints:
    """Makes digests for one deck; those of parts are made once.

    Args:
        package: The file.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._open: list[str] = []

    def elements(
        self, found: Iterable[_Element], part: str, skip: frozenset[str] = frozenset()
    ) -> str:
        """Return the digest of elements in their order; empty for none.

        Args:
            found: The elements.
            part: Name of the part whose relationships they use.
            skip: Local names of elements below them that do not count.
        """
        digest = hashlib.sha256()
        some = False
        for element in found:
            if is_noise(element):
                continue
            some = True
            self._feed(digest.update, element, part, skip)
        return digest.hexdigest() if some else ""

    def placed(
        self,
        found: Iterable[tuple[str, _Element]],
        part: str,
        skip: frozenset[str] = frozenset(),
    ) -> str:
        """Return the digest of elements with the places that they stand in; empty for none.

        Args:
            found: Place and element.
            part: Name of the part whose relationships they use.
            skip: Local names of elements below them that do not count.
        """
        digests = (f"{place}={self.elements([each], part, skip)}" for place, each in found)
        text = "\n".join(each for each in digests if not each.endswith("="))
        return hashlib.sha256(text.encode()).hexdigest() if text else ""

    def target(self, part: str, rel_id: str) -> str:
        """Return what a relationship leads to: a digest, ``link:`` and an address, or nothing."""
        rel = self._package.rels(part).get(rel_id)
        return "" if rel is None else self.of_rel(rel)

    def of_rel(self, rel: Rel) -> str:
        """Return what a relationship leads to, as `target`."""
        if not rel.target:
            return ""
        if rel.external:
            return f"link:{rel.target}"
        if rel.target not in self._package:
            return "missing"
        return self.part(rel.target) + rel.place

    def part(self, name: str) -> str:
        """Return the digest of a part with all that it leads to."""
        if not self._open:
            return self._package.shared(("fingerprint", name), lambda: self._expanded(name))
        if name in self._open or len(self._open) >= _MAX_DEPTH:
            # A circle, or too far away to be part of the same thing. So what a part leads to looks
            # different from there; only digests that begin with the part itself are made once.
            return "further"
        return self._expanded(name)

    def _expanded(self, name: str) -> str:
        self._open.append(name)
        try:
            return self._digest(name)
        finally:
            self._open.pop()

    def unread_rels(self, part: str, known: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return kind and digest of what a part leads to by relationships of other kinds."""
        found = [
            (f"part {rel.kind}", self.of_rel(rel))
            for rel in self._package.rels(part).values()
            if rel.kind not in known
        ]
        return tuple(sorted(found))

    def _digest(self, name: str) -> str:
        if not name.lower().endswith(_XML_ENDINGS):
            return self._package.digest(name)
        try:
            root = self._package.xml(name)
        except DeckError:
            return self._package.digest(name)
        return self.elements([root], name)

    def _feed(
        self,
        update: Callable[[bytes], None],
        element: _Element,
        part: str,
        skip: frozenset[str],
    ) -> None:
        """Feed an element to a digest, without recursion: files may nest deeply."""
        stack: list[_Element | None] = [element]
        while stack:
            current = stack.pop()
            if current is None:
                update(b")")
                continue
            if is_noise(current) or (skip and local_name(current) in skip):
                continue
            update(f"({current.tag!s}".encode())
            is_share = local_name(current) in _SHARES
            for name, value in sorted((str(name), str(value)) for name, value in current.items()):
                shown = _rounded(value) if is_share else value
                update(self._attribute(name, shown, part).encode())
            text = (current.text or "").strip()
            if text:
                update(f"={text}".encode())
            stack.append(None)
            stack.extend(reversed(current))

    def _attribute(self, name: str, value: str, part: str) -> str:
        if name.startswith(R):
            return f" ->{self.target(part, value)}"
        if name in _NOISY_ATTRIBUTES or name.startswith("rsid"):
            return ""
        return f" {name}={value}"


def _rounded(value: str) -> str:
    """Return a share of a chart's size in hundredths, as saving rounds the rest."""
    found = re.fullmatch(r"0\.\d{3,}", value)
    # Off the middle, so that quarters and thirds stay clear of the edge where rounding turns.
    return f"{math.floor(100 * float(value) + 0.37)}" if found else value


def is_noise(element: _Element) -> bool:
    """Return whether an element, or all that an extension holds, means nothing to a reader."""
    name = local_name(element)
    if name in ("ext", "extLst"):
        return all(is_noise(child) for child in element)
    return name in NOISE
