"""Read outlines: adjustments of presets, and digests of custom outlines."""

import hashlib
import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from lxml.etree import _Element

from pptarena.decks.package.names import A, children, local_name
from pptarena.decks.read.numbers import COORDINATE, LENGTH, number

__all__ = ["read_adjustments", "read_path"]

# Default adjustments of each preset (ECMA-376, presetShapeDefinitions.xml), which applications may
# write or omit. Each line lists the values and the presets that have them.
_STARTS = """\
adj=4653: smileyFace
adj=8333: bracePair leftBracket rightBracket
adj=12500: bevel horizontalScroll star4 verticalScroll
adj=16667: bracketPair plaque round1Rect roundRect snip1Rect
adj=18750: noSmoking
adj=25000: can cube donut parallelogram plus sun trapezoid
adj=29289: octagon
adj=37500: star12 star16 star24 star32 star8
adj=50000: chevron diagStripe homePlate moon triangle
adj=100000: teardrop
adj1=12500: frame
adj1=23520: mathMinus mathMultiply mathPlus
adj1=50000: bentConnector3 curvedConnector3
vf=105146: decagon
adj=25000 vf=115470: hexagon
adj=28868 hf=115470: star6
adj=42533 hf=105146: star10
adj1=-20833 adj2=62500: cloudCallout wedgeEllipseCallout wedgeRectCallout
adj1=0 adj2=16667: snip2DiagRect
adj1=0 adj2=16200000: pie
adj1=6250 adj2=0: doubleWave
adj1=8333 adj2=50000: leftBrace rightBrace
adj1=10000 adj2=1763: gear9
adj1=12500 adj2=0: wave
adj1=15000 adj2=3526: gear6
adj1=16667 adj2=0: round2DiagRect round2SameRect snip2SameRect
adj1=16667 adj2=16667: snipRoundRect
adj1=16667 adj2=50000: ribbon ribbon2
adj1=23520 adj2=11760: mathEqual
adj1=25000 adj2=16667: swooshArrow
adj1=25000 adj2=25000: nonIsoscelesTrapezoid
adj1=33333 adj2=33333: halfFrame
adj1=50000 adj2=50000: bentConnector4 corner curvedConnector4 downArrow leftArrow
adj1=50000 adj2=50000: leftRightArrow notchedRightArrow rightArrow stripedRightArrow upArrow
adj1=50000 adj2=50000: upDownArrow
adj1=2700000 adj2=16200000: chord
adj1=16200000 adj2=0: arc
hf=102572 vf=105210: heptagon
hf=105146 vf=110557: pentagon
adj=19098 hf=105146 vf=110557: star5
adj=34601 hf=102572 vf=105210: star7
adj1=-20833 adj2=62500 adj3=16667: wedgeRoundRectCallout
adj1=22500 adj2=22500 adj3=22500: quadArrow
adj1=23520 adj2=5880 adj3=11760: mathDivide
adj1=23520 adj2=6600000 adj3=11760: mathNotEqual
adj1=25000 adj2=25000 adj3=25000: bentUpArrow leftRightUpArrow leftUpArrow
adj1=25000 adj2=50000 adj3=12500: ellipseRibbon ellipseRibbon2
adj1=25000 adj2=50000 adj3=25000: curvedDownArrow curvedLeftArrow curvedRightArrow
adj1=25000 adj2=50000 adj3=25000: curvedUpArrow
adj1=50000 adj2=50000 adj3=16667: leftRightRibbon
adj1=50000 adj2=50000 adj3=50000: bentConnector5 curvedConnector5
adj1=10800000 adj2=0 adj3=25000: blockArc
adj1=18515 adj2=18515 adj3=18515 adj4=48123: quadArrowCallout
adj1=18750 adj2=-8333 adj3=112500 adj4=-38333: accentBorderCallout1 accentCallout1
adj1=18750 adj2=-8333 adj3=112500 adj4=-38333: borderCallout1 callout1
adj1=25000 adj2=25000 adj3=25000 adj4=43750: bentArrow
adj1=25000 adj2=25000 adj3=25000 adj4=48123: leftRightArrowCallout upDownArrowCallout
adj1=25000 adj2=25000 adj3=25000 adj4=64977: downArrowCallout leftArrowCallout
adj1=25000 adj2=25000 adj3=25000 adj4=64977: rightArrowCallout upArrowCallout
adj1=12500 adj2=-1142319 adj3=1142319 adj4=10800000 adj5=12500: leftCircularArrow
adj1=12500 adj2=1142319 adj3=20457681 adj4=10800000 adj5=12500: circularArrow
adj1=12500 adj2=1142319 adj3=20457681 adj4=11942319 adj5=12500: leftRightCircularArrow
adj1=25000 adj2=25000 adj3=25000 adj4=43750 adj5=75000: uturnArrow
adj1=18750 adj2=-8333 adj3=18750 adj4=-16667 adj5=112500 adj6=-46667:\
 accentBorderCallout2 accentCallout2 borderCallout2 callout2
adj1=18750 adj2=-8333 adj3=18750 adj4=-16667 adj5=100000 adj6=-16667 adj7=112963 adj8=-8333:\
 accentBorderCallout3 accentCallout3 borderCallout3 callout3
"""


def read_adjustments(geometry: _Element | None) -> tuple[tuple[str, int], ...]:
    """Return names and values of the adjustments of a preset outline, sorted by name.

    Args:
        geometry: An ``a:prstGeom``; other elements have no adjustments.
    """
    if geometry is None or local_name(geometry) != "prstGeom":
        return ()
    starts = _starts().get(geometry.get("prst") or "", _NOTHING)
    values = dict(starts)
    for guide in children(geometry.find(f"{A}avLst")):
        name, formula = guide.get("name") or "", (guide.get("fmla") or "").split()
        if name not in starts:
            # Some applications write "adj1" for a single "adj", or the other way round.
            name = {"adj1": "adj", "adj": "adj1"}.get(name, name)
            name = name if name in starts else guide.get("name") or ""
        if len(formula) == 2 and formula[0] == "val":
            values[name] = round(number(formula[1], COORDINATE) or 0)
    return tuple(sorted(values.items()))


def read_path(geometry: _Element | None) -> str:
    """Return a digest of the paths of an ``a:custGeom``; empty for other elements.

    Points are in hundredths of the path's width and height, so the digest is independent of the
    units and of rounding.
    """
    if geometry is None or local_name(geometry) != "custGeom":
        return ""
    digest = hashlib.sha256()
    for path in children(geometry.find(f"{A}pathLst")):
        extents = {"x": number(path.get("w"), LENGTH) or 0, "y": number(path.get("h"), LENGTH) or 0}
        extents |= {"wR": extents["x"], "hR": extents["y"]}
        words = [f"{path.get('fill')} {path.get('stroke')}"]
        for step in path.iterdescendants():
            words.append(local_name(step))
            for name, value in sorted((str(n), str(v)) for n, v in step.items()):
                words.append(f"{name}={_scaled(value, extents.get(name, 0))}")
        digest.update(f"|{' '.join(words)}".encode())
        if not extents["x"]:
            # These paths use the shape's own units, which formulas may refer to.
            guides = children(geometry.find(f"{A}gdLst"))
            text = (f"{each.get('name')}={each.get('fmla')}" for each in guides)
            digest.update(" ".join(text).encode())
    return digest.hexdigest()


_NOTHING: Mapping[str, int] = MappingProxyType({})


@cache
def _starts() -> Mapping[str, Mapping[str, int]]:
    found: dict[str, Mapping[str, int]] = {}
    for line in _STARTS.replace("\\\n", "").splitlines():
        values, _, presets = line.partition(":")
        pairs = (word.partition("=") for word in values.split())
        numbers = MappingProxyType({name: int(value) for name, _, value in pairs})
        found.update(dict.fromkeys(presets.split(), numbers))
    return MappingProxyType(found)


def _scaled(text: str, extent: float) -> str:
    value = number(text, COORDINATE)
    if value is None:
        return text
    if extent <= 0:
        return f"{value:g}"
    # The offset keeps quarters and thirds away from the rounding boundary.
    return f"{math.floor(100 * value / extent + 0.37)}"
