"""Find attributes of known elements that no fact holds, so that changes are still reported.

`unread` finds elements that no reader reads; this module covers elements that are read, but not
with all attributes. Ignored are attributes that another fact holds, invisible ones such as spelling
checker marks, and default values, which applications may write or omit.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from lxml.etree import XPath, _Element

from pptarena.decks.package.names import A, P, local_name

__all__ = ["unread_attributes"]

_SIDES: Final = dict.fromkeys(("l", "t", "r", "b"), "0")
_READ: Final = None

# For each element: attributes that are read or invisible (None), and the default values of those
# that are not read. An attribute that is not listed is not read and has no default.
_KNOWN: Final[Mapping[str, Mapping[str, str | None]]] = MappingProxyType({
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
_TAGS: Final = tuple(_KNOWN)
_ALL_READ: Final = MappingProxyType({
    tag: frozenset(name for name, usual in known.items() if usual is _READ)
    for tag, known in _KNOWN.items()
})  # fmt: skip

# There are many paragraphs and runs, so libxml2 searches for those with unread attributes.
_OF_TEXT: Final[Mapping[str, str]] = MappingProxyType({
    "marR": "0", "eaLnBrk": "1", "latinLnBrk": "0", "hangingPunct": "1",
    "normalizeH": "0", "kumimoji": "0",
})  # fmt: skip
_TEXTS: Final = XPath(
    ".//a:pPr[@marR or @eaLnBrk or @latinLnBrk or @hangingPunct]"
    "|.//a:rPr[@normalizeH or @kumimoji]",
    namespaces={"a": A.strip("{}")},
)
_BOOLEANS: Final = {"true": "1", "false": "0"}


def unread_attributes(element: _Element) -> str:
    """Return the attributes of a shape that no fact holds, in a fixed order.

    Equal attributes of several paragraphs are listed once, so that adding or deleting such a
    paragraph is not a change.

    Args:
        element: The shape. For a group, only its own properties count, not those of its members.

    Returns:
        Text such as ``fillRect l=40000; pPr marR=90000``; empty for none.
    """
    roots = [element]
    if element.tag == f"{P}grpSp":
        roots = [child for child in element if local_name(child) in ("nvGrpSpPr", "grpSpPr")]
    found: set[str] = set()
    for root in roots:
        for each in root.iter(*_TAGS):
            tag = str(each.tag)
            if not _ALL_READ[tag].issuperset(each.keys()):
                found.update(_words(each, _KNOWN[tag]))
        for each in _TEXTS(root):
            found.update(
                f"{local_name(each)} {name}={value}"
                for name, usual in _OF_TEXT.items()
                if (value := _plain(each.get(name) or usual)) != usual
            )
    return "; ".join(sorted(found))


def _words(element: _Element, known: Mapping[str, str | None]) -> Iterator[str]:
    for key, text in element.items():
        name, value = str(key), _plain(str(text))
        if not name.startswith("{") and known.get(name, "") not in (_READ, value):
            yield f"{local_name(element)} {name}={value}"


def _plain(value: str) -> str:
    return _BOOLEANS.get(value, value)
