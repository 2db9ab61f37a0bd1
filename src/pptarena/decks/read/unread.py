"""Find the elements of a slide that no reader reads."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from lxml.etree import _Element

from pptarena.decks.package.names import MC, local_name
from pptarena.decks.read.fingerprint import is_noise

__all__ = [
    "FILLS_READ",
    "LAYOUT",
    "MASTER",
    "PRESENTATION",
    "SHAPE",
    "SLIDE",
    "TABLE",
    "Known",
    "is_motion",
    "known",
    "unread",
]

_MOTION = frozenset(("transition", "timing"))

# Names of children that are read. A mapping describes their children; None means read completely.
Known = Mapping[str, "Known | None"]


def known(*whole: str, **inside: "Known | None") -> Known:
    """Return the known children: those read completely, and those with known children."""
    return MappingProxyType(dict.fromkeys(whole) | inside)


FILLS_READ: Final = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_PROPERTIES = known(
    "xfrm", "prstGeom", "custGeom", *FILLS_READ, "ln", "effectLst", "effectDag", "scene3d", "sp3d",
    "extLst",
)  # fmt: skip
_NAMED = known(hlinkClick=known(), hlinkHover=known())
_BODY = known("p", "lstStyle", bodyPr=known("prstTxWarp", "noAutofit", "normAutofit", "spAutoFit"))
_PLACED = known("ph", "videoFile", "audioFile", "wavAudioFile", "quickTimeFile", "audioCd")
_MARKS = {"cNvPr": _NAMED, "nvPr": _PLACED}

SHAPE: Final = known(
    "style", "xfrm", "blipFill", "graphic", "sp", "pic", "graphicFrame", "grpSp",
    "cxnSp", "contentPart", "AlternateContent",
    nvSpPr=known("cNvSpPr", **_MARKS),
    nvPicPr=known("cNvPicPr", **_MARKS),
    nvCxnSpPr=known("cNvCxnSpPr", **_MARKS),
    nvGrpSpPr=known("cNvGrpSpPr", **_MARKS),
    nvGraphicFramePr=known("cNvGraphicFramePr", **_MARKS),
    txBody=_BODY,
    spPr=_PROPERTIES,
    grpSpPr=_PROPERTIES,
)  # fmt: skip

_COMMON = known(
    "bg",
    spTree=SHAPE,
)
SLIDE: Final = known("clrMapOvr", "transition", "timing", cSld=_COMMON)
LAYOUT: Final = known("clrMapOvr", "transition", "timing", "hf", cSld=_COMMON)
MASTER: Final = known(
    "clrMap", "sldLayoutIdLst", "transition", "timing", "hf", "txStyles", cSld=_COMMON
)
PRESENTATION: Final = known(
    "sldMasterIdLst", "notesMasterIdLst", "handoutMasterIdLst", "sldIdLst", "sldSz", "notesSz",
    "defaultTextStyle", "embeddedFontLst", "kinsoku",
    custShowLst=known(custShow=known("sldLst")),
)  # fmt: skip
TABLE: Final = known(
    tblPr=known("tableStyleId", "tableStyle", *FILLS_READ),
    tblGrid=known(gridCol=known()),
    tr=known(tc=known("txBody", tcPr=known("lnL", "lnR", "lnT", "lnB", *FILLS_READ))),
)


def unread(element: _Element, known: Known) -> Iterator[_Element]:
    """Yield the descendants of an element that no reader reads, except for irrelevant ones.

    Args:
        element: The element.
        known: Its known children.
    """
    for child in element:
        name = local_name(child)
        if name in known:
            inside = known[name]
            if inside is not None:
                yield from unread(child, inside)
        elif name == "extLst":
            yield from (ext for ext in child if not is_noise(ext))
        elif not is_noise(child):
            yield child


def is_motion(element: _Element) -> bool:
    """Return whether an element is alternative content with a transition or timing."""
    if element.tag != f"{MC}AlternateContent":
        return False
    return any(local_name(child) in _MOTION for branch in element for child in branch)
