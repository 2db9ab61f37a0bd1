"""Find the elements of a slide that no reader reads."""

import hashlib
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from lxml.etree import XPath, _Element

from pptarena.decks.package.names import MC, A, P, R, local_name
from pptarena.decks.package.package import Package, Rel
from pptarena.errors import DeckError

__all__ = [
    "FILLS_READ",
    "LAYOUT",
    "MASTER",
    "NOISE",
    "PRESENTATION",
    "SHAPE",
    "SLIDE",
    "TABLE",
    "Fingerprints",
    "Schema",
    "is_motion",
    "is_noise",
    "schema",
    "unread",
    "unread_attributes",
]

_MOTION = frozenset(("transition", "timing"))

# Names of children that are read, each with the schema of its children; None if all are read.
Schema = Mapping[str, "Schema | None"]


def schema(*complete: str, **partial: "Schema | None") -> Schema:
    """Return a schema of children that are read completely and children with a schema."""
    return MappingProxyType(dict.fromkeys(complete) | partial)


FILLS_READ: Final = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_PROPERTIES = schema(
    "xfrm", "prstGeom", "custGeom", *FILLS_READ, "ln", "effectLst", "effectDag", "scene3d", "sp3d",
    "extLst",
)  # fmt: skip
_NAME = schema(hlinkClick=schema(), hlinkHover=schema())
_BODY = schema(
    "p", "lstStyle", bodyPr=schema("prstTxWarp", "noAutofit", "normAutofit", "spAutoFit")
)
_MEDIA = schema("ph", "videoFile", "audioFile", "wavAudioFile", "quickTimeFile", "audioCd")
_NON_VISUAL = {"cNvPr": _NAME, "nvPr": _MEDIA}

SHAPE: Final = schema(
    "style", "xfrm", "blipFill", "graphic", "sp", "pic", "graphicFrame", "grpSp",
    "cxnSp", "contentPart", "AlternateContent",
    nvSpPr=schema("cNvSpPr", **_NON_VISUAL),
    nvPicPr=schema("cNvPicPr", **_NON_VISUAL),
    nvCxnSpPr=schema("cNvCxnSpPr", **_NON_VISUAL),
    nvGrpSpPr=schema("cNvGrpSpPr", **_NON_VISUAL),
    nvGraphicFramePr=schema("cNvGraphicFramePr", **_NON_VISUAL),
    txBody=_BODY,
    spPr=_PROPERTIES,
    grpSpPr=_PROPERTIES,
)  # fmt: skip

_SLIDE_DATA = schema(
    "bg",
    spTree=SHAPE,
)
SLIDE: Final = schema("clrMapOvr", "transition", "timing", cSld=_SLIDE_DATA)
LAYOUT: Final = schema("clrMapOvr", "transition", "timing", "hf", cSld=_SLIDE_DATA)
MASTER: Final = schema(
    "clrMap", "sldLayoutIdLst", "transition", "timing", "hf", "txStyles", cSld=_SLIDE_DATA
)
PRESENTATION: Final = schema(
    "sldMasterIdLst", "notesMasterIdLst", "handoutMasterIdLst", "sldIdLst", "sldSz", "notesSz",
    "defaultTextStyle", "embeddedFontLst", "kinsoku",
    custShowLst=schema(custShow=schema("sldLst")),
)  # fmt: skip
TABLE: Final = schema(
    tblPr=schema("tableStyleId", "tableStyle", *FILLS_READ),
    tblGrid=schema(gridCol=schema()),
    tr=schema(tc=schema("txBody", tcPr=schema("lnL", "lnR", "lnT", "lnB", *FILLS_READ))),
)


def unread(element: _Element, schema: Schema) -> Iterator[_Element]:
    """Yield the descendants of an element that no reader reads, except for irrelevant ones."""
    for child in element:
        name = local_name(child)
        if name in schema:
            children = schema[name]
            if children is not None:
                yield from unread(child, children)
        elif name == "extLst":
            yield from (ext for ext in child if not is_noise(ext))
        elif not is_noise(child):
            yield child


def is_motion(element: _Element) -> bool:
    """Return whether an element is alternative content with a transition or timing."""
    if element.tag != f"{MC}AlternateContent":
        return False
    return any(local_name(child) in _MOTION for branch in element for child in branch)


_SIDES: Final = dict.fromkeys(("l", "t", "r", "b"), "0")
_READ: Final = None

# For each element: attributes that are read or invisible (None), and the default values of those
# that are not read. An attribute that is not listed is not read and has no default.
_ATTRIBUTES: Final[Mapping[str, Mapping[str, str | None]]] = MappingProxyType({
    f"{A}bodyPr": {
        **dict.fromkeys(
            ("rot", "wrap", "vert", "lIns", "tIns", "rIns", "bIns", "numCol", "spcCol", "rtlCol",
             "anchor", "anchorCtr", "upright", "vertOverflow", "forceAA", "fromWordArt",
             "compatLnSpc"),
            _READ,
        ),
        "spcFirstLastPara": "0", "horzOverflow": "overflow",
    },
    f"{A}gradFill": {"rotWithShape": _READ, "flip": "none"},
    f"{A}tileRect": _SIDES,
    f"{A}fillRect": _SIDES,
    f"{A}fillToRect": _SIDES,
    f"{A}tile": {"tx": "0", "ty": "0", "sx": "100000", "sy": "100000", "flip": "none",
                 "algn": "tl"},
    f"{A}camera": {"prst": _READ, "fov": "0", "zoom": "100000"},
    f"{A}lightRig": {"rig": "threePt", "dir": "t"},
    f"{A}sp3d": {"extrusionH": _READ, "contourW": _READ, "z": "0", "prstMaterial": "warmMatte"},
})  # fmt: skip
_TAGS: Final = tuple(_ATTRIBUTES)
_READ_ATTRIBUTES: Final = MappingProxyType({
    tag: frozenset(name for name, default in defaults.items() if default is _READ)
    for tag, defaults in _ATTRIBUTES.items()
})  # fmt: skip

# There are many paragraphs and runs, so libxml2 searches for those with unread attributes.
_TEXT_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({
    "marR": "0", "eaLnBrk": "1", "latinLnBrk": "0", "hangingPunct": "1",
    "normalizeH": "0", "kumimoji": "0",
})  # fmt: skip
_FIND_TEXT: Final = XPath(
    ".//a:pPr[@marR or @eaLnBrk or @latinLnBrk or @hangingPunct]"
    "|.//a:rPr[@normalizeH or @kumimoji]",
    namespaces={"a": A.strip("{}")},
)
_BOOLEANS: Final = {"true": "1", "false": "0"}


def unread_attributes(element: _Element) -> str:
    """Return the attributes of a shape that no fact holds, in a fixed order.

    Equal attributes of several paragraphs are listed once, so that adding or deleting such a
    paragraph is not a change.

    For a group, only its own properties count, not those of its members.

    Returns:
        Text such as ``fillRect l=40000; pPr marR=90000``; empty for none.
    """
    roots = [element]
    if element.tag == f"{P}grpSp":
        roots = [child for child in element if local_name(child) in ("nvGrpSpPr", "grpSpPr")]
    texts: set[str] = set()
    for root in roots:
        for descendant in root.iter(*_TAGS):
            tag = str(descendant.tag)
            if not _READ_ATTRIBUTES[tag].issuperset(descendant.keys()):
                texts.update(_unread_attributes(descendant, _ATTRIBUTES[tag]))
        for descendant in _FIND_TEXT(root):
            texts.update(
                f"{local_name(descendant)} {name}={value}"
                for name, default in _TEXT_ATTRIBUTES.items()
                if (value := _normalized(descendant.get(name) or default)) != default
            )
    return "; ".join(sorted(texts))


def _unread_attributes(element: _Element, defaults: Mapping[str, str | None]) -> Iterator[str]:
    for key, text in element.items():
        name, value = str(key), _normalized(str(text))
        if not name.startswith("{") and defaults.get(name, "") not in (_READ, value):
            yield f"{local_name(element)} {name}={value}"


def _normalized(value: str) -> str:
    return _BOOLEANS.get(value, value)


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
_NOISE_ATTRIBUTES = frozenset((
    "id", "dirty", "err", "lang", "altLang", "smtClean", "bmk", "noProof", "spid", "modelId",
    "uri", "uniqueId", "srcId", "destId", "parTransId", "sibTransId", "presId", "presAssocID",
    "cxnId", "dt", "created", "lastIdx", "authorId", "Requires",
))  # fmt: skip
# Positions and sizes within a chart, as shares of its size.
_SHARES = frozenset(("x", "y", "w", "h"))
_MAX_DEPTH = 4
_XML_ENDINGS = (".xml", ".rels", ".vml")


class Fingerprints:
    """Computes digests for one deck; digests of parts are cached."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._stack: list[str] = []

    def elements(
        self, elements: Iterable[_Element], part: str, skip: frozenset[str] = frozenset()
    ) -> str:
        """Return the digest of a sequence of elements; empty for none.

        Descendants with a local name in `skip` are ignored.
        """
        digest = hashlib.sha256()
        has_content = False
        for element in elements:
            if is_noise(element):
                continue
            has_content = True
            self._feed(digest.update, element, part, skip)
        return digest.hexdigest() if has_content else ""

    def located(
        self,
        elements: Iterable[tuple[str, _Element]],
        part: str,
        skip: frozenset[str] = frozenset(),
    ) -> str:
        """Return the digest of elements with their locations; empty for none."""
        digests = (f"{location}={self.elements([each], part, skip)}" for location, each in elements)
        text = "\n".join(each for each in digests if not each.endswith("="))
        return hashlib.sha256(text.encode()).hexdigest() if text else ""

    def target(self, part: str, rel_id: str) -> str:
        """Return a digest of a relationship's target, ``link:`` and an address, or empty text."""
        rel = self._package.rels(part).get(rel_id)
        return "" if rel is None else self.rel_digest(rel)

    def rel_digest(self, rel: Rel) -> str:
        """Return a digest of a relationship's target, as in `target`."""
        if not rel.target:
            return ""
        if rel.external:
            return f"link:{rel.target}"
        if rel.target not in self._package:
            return "missing"
        return self.part(rel.target) + rel.fragment

    def part(self, name: str) -> str:
        """Return the digest of a part, including the parts that it refers to."""
        if not self._stack:
            return self._package.shared(
                ("fingerprint", name), lambda: self._digest_with_targets(name)
            )
        if name in self._stack or len(self._stack) >= _MAX_DEPTH:
            # A cycle, or too deep to matter. Nested digests therefore depend on the starting part,
            # and only those that start at the part itself are cached.
            return "further"
        return self._digest_with_targets(name)

    def _digest_with_targets(self, name: str) -> str:
        self._stack.append(name)
        try:
            return self._digest(name)
        finally:
            self._stack.pop()

    def unread_rels(self, part: str, read_types: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return type and digest of relationships whose type is not in `read_types`."""
        rels = [
            (f"part {rel.kind}", self.rel_digest(rel))
            for rel in self._package.rels(part).values()
            if rel.kind not in read_types
        ]
        return tuple(sorted(rels))

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
                normalized = _rounded(value) if is_share else value
                update(self._attribute(name, normalized, part).encode())
            text = (current.text or "").strip()
            if text:
                update(f"={text}".encode())
            stack.append(None)
            stack.extend(reversed(current))

    def _attribute(self, name: str, value: str, part: str) -> str:
        if name.startswith(R):
            return f" ->{self.target(part, value)}"
        if name in _NOISE_ATTRIBUTES or name.startswith("rsid"):
            return ""
        return f" {name}={value}"


def _rounded(value: str) -> str:
    """Return a share of a chart's size in hundredths, because saving rounds the digits beyond."""
    match = re.fullmatch(r"0\.\d{3,}", value)
    # The offset keeps quarters and thirds away from the rounding boundary.
    return f"{math.floor(100 * float(value) + 0.37)}" if match else value


def is_noise(element: _Element) -> bool:
    """Return whether an element, or all content of an extension, is irrelevant to readers."""
    name = local_name(element)
    if name in ("ext", "extLst"):
        return all(is_noise(child) for child in element)
    return name in NOISE
