"""Digests of content that is not read, so that changes to it are still detected.

The digests are independent of changes by saving: ids, part names, relationship ids, order of
attributes, namespace prefixes, whitespace between elements, spelling checker marks.
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

# Elements that applications write for their own use: identity, caches, editing settings.
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
# Positions and sizes within a chart, as shares of its size.
_SHARES = frozenset(("x", "y", "w", "h"))
_MAX_DEPTH = 4
_XML_ENDINGS = (".xml", ".rels", ".vml")


class Fingerprints:
    """Computes digests for one deck; digests of parts are cached.

    Args:
        package: The file.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._open: list[str] = []

    def elements(
        self, found: Iterable[_Element], part: str, skip: frozenset[str] = frozenset()
    ) -> str:
        """Return the digest of a sequence of elements; empty for none.

        Args:
            found: The elements.
            part: Name of the part that contains the elements.
            skip: Local names of descendants to ignore.
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
        """Return the digest of elements with their locations; empty for none.

        Args:
            found: Pairs of location and element.
            part: Name of the part that contains the elements.
            skip: Local names of descendants to ignore.
        """
        digests = (f"{place}={self.elements([each], part, skip)}" for place, each in found)
        text = "\n".join(each for each in digests if not each.endswith("="))
        return hashlib.sha256(text.encode()).hexdigest() if text else ""

    def target(self, part: str, rel_id: str) -> str:
        """Return a digest of a relationship's target, ``link:`` and an address, or empty text."""
        rel = self._package.rels(part).get(rel_id)
        return "" if rel is None else self.of_rel(rel)

    def of_rel(self, rel: Rel) -> str:
        """Return a digest of a relationship's target, as in `target`."""
        if not rel.target:
            return ""
        if rel.external:
            return f"link:{rel.target}"
        if rel.target not in self._package:
            return "missing"
        return self.part(rel.target) + rel.place

    def part(self, name: str) -> str:
        """Return the digest of a part, including the parts that it refers to."""
        if not self._open:
            return self._package.shared(("fingerprint", name), lambda: self._expanded(name))
        if name in self._open or len(self._open) >= _MAX_DEPTH:
            # A cycle, or too deep to matter. Nested digests therefore depend on the starting part,
            # and only those that start at the part itself are cached.
            return "further"
        return self._expanded(name)

    def _expanded(self, name: str) -> str:
        self._open.append(name)
        try:
            return self._digest(name)
        finally:
            self._open.pop()

    def unread_rels(self, part: str, known: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return type and digest of relationships whose type is not in `known`."""
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
        """Feed an element to a digest, without recursion because files may nest deeply."""
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
    """Return a share of a chart's size in hundredths, because saving rounds the digits beyond."""
    found = re.fullmatch(r"0\.\d{3,}", value)
    # The offset keeps quarters and thirds away from the rounding boundary.
    return f"{math.floor(100 * float(value) + 0.37)}" if found else value


def is_noise(element: _Element) -> bool:
    """Return whether an element, or all content of an extension, is irrelevant to readers."""
    name = local_name(element)
    if name in ("ext", "extLst"):
        return all(is_noise(child) for child in element)
    return name in NOISE
