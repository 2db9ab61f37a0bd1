"""The slides of a .pptx file with ids and XML, for both comparisons."""

from dataclasses import dataclass

from lxml.etree import _Element

from pptarena.decks.package.names import P, R
from pptarena.decks.package.package import Package
from pptarena.errors import DeckError

__all__ = ["SlidePart", "slide_parts"]

_MAX_SLIDES = 2_000


@dataclass(frozen=True, slots=True)
class SlidePart:
    """A slide of a file.

    Attributes:
        id: Its id in the list of slides, as text.
        number: Its position, from 1.
        name: Name of its part.
        root: Its XML; read-only.
    """

    id: str
    number: int
    name: str
    root: _Element


def slide_parts(package: Package) -> tuple[SlidePart, ...]:
    """Return the slides of a file in presentation order.

    Raises:
        DeckError: If the file cannot be read.
    """
    main = package.related("", "officeDocument")
    if main is None:
        raise DeckError("not a valid .pptx: it names no main document")
    rels = package.rels(main)
    parts = []
    entries = package.xml(main).findall(f"{P}sldIdLst/{P}sldId")
    if len(entries) > _MAX_SLIDES:
        raise DeckError(f"expected at most {_MAX_SLIDES} slides, found {len(entries)}")
    for number, entry in enumerate(entries, start=1):
        rel = rels.get(entry.get(f"{R}id") or "")
        if rel is None or rel.external:
            raise DeckError(f"slide {number} of the list leads nowhere")
        root = package.xml(rel.target)
        parts.append(SlidePart(entry.get("id") or "", number, rel.target, root))
    return tuple(parts)
