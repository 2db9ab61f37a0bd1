"""Check that the relationships used by a part exist and have the right type."""

from collections.abc import Iterator, Mapping

from lxml.etree import _Element

from pptarena.decks.package.names import DGM, A, C, P, R
from pptarena.decks.package.relationships import Rel
from pptarena.decks.validity.problem import Problem
from pptarena.decks.validity.schema import path_of

__all__ = ["link_problems"]

# Relationship types by element and attribute (ECMA-376 part 1, 12 to 14: "Part Summary").
_KINDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    (f"{P}sldId", f"{R}id"): ("slide",),
    (f"{P}sldMasterId", f"{R}id"): ("slideMaster",),
    (f"{P}sldLayoutId", f"{R}id"): ("slideLayout",),
    (f"{P}notesMasterId", f"{R}id"): ("notesMaster",),
    (f"{P}handoutMasterId", f"{R}id"): ("handoutMaster",),
    (f"{P}oleObj", f"{R}id"): ("oleObject", "package"),
    (f"{C}chart", f"{R}id"): ("chart",),
    (f"{C}externalData", f"{R}id"): ("package", "oleObject"),
    (f"{A}blip", f"{R}embed"): ("image",),
    (f"{A}blip", f"{R}link"): ("image",),
    (f"{A}videoFile", f"{R}link"): ("video",),
    (f"{A}audioFile", f"{R}link"): ("audio",),
    (f"{A}wavAudioFile", f"{R}embed"): ("audio",),
    (f"{DGM}relIds", f"{R}dm"): ("diagramData",),
    (f"{DGM}relIds", f"{R}lo"): ("diagramLayout",),
    (f"{DGM}relIds", f"{R}qs"): ("diagramQuickStyle",),
    (f"{DGM}relIds", f"{R}cs"): ("diagramColors",),
}
_TO_SLIDE = "ppaction://hlinksldjump"


def link_problems(root: _Element, part: str, rels: Mapping[str, Rel]) -> Iterator[Problem]:
    """Yield references to missing or wrong relationships.

    Args:
        root: Root element of the part.
        part: Name of the part.
        rels: Relationships of the part by id.
    """
    for element in root.iter("*"):
        for name, value in element.attrib.items():
            if str(name).startswith(R):
                reason = _reason(element, str(name), str(value), rels)
                if reason:
                    yield Problem(part, path_of(element), reason)


def _reason(element: _Element, name: str, value: str, rels: Mapping[str, Rel]) -> str | None:
    tag = str(element.tag)
    kinds = _KINDS.get((tag, name), ())
    if not value and (not kinds or tag == f"{A}blip"):
        return None  # normal for action links and diagram layouts
    rel = rels.get(value)
    if rel is None:
        return f"no relationship of the part has the id {value!r}"
    if tag == f"{A}hlinkClick" and element.get("action") == _TO_SLIDE:
        kinds = ("slide",)
    if kinds and rel.kind not in kinds:
        return f"the relationship {value!r} is of kind {rel.kind!r}, expected {' or '.join(kinds)}"
    return None
