"""XML namespaces and helpers to look up elements."""

from functools import lru_cache
from typing import Final

from lxml.etree import _Element

__all__ = [
    "A_NS",
    "DGM",
    "MC",
    "P14",
    "STRICT",
    "A",
    "C",
    "M",
    "P",
    "R",
    "children",
    "find_path",
    "local_name",
    "rel_suffix",
    "true_attribute",
]

A_NS: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
A: Final = "{" + A_NS + "}"
P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
P14: Final = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"

# Strict files use other namespaces, which are mapped to the transitional ones before parsing.
STRICT: Final = (
    (b"http://purl.oclc.org/ooxml/drawingml/main", A[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/presentationml/main", P[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", R[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/chart", C[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/diagram", DGM[1:-1].encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", M[1:-1].encode()),
)


def find_path(element: _Element | None, *tags: str) -> _Element | None:
    """Return the first descendant along a path of child tags, or None."""
    for tag in tags:
        if element is None:
            return None
        element = element.find(tag)
    return element


def children(element: _Element | None) -> tuple[_Element, ...]:
    """Return the children of an element; empty for None."""
    return () if element is None else tuple(element)


def local_name(element: _Element) -> str:
    """Return a tag without its namespace."""
    return _local(str(element.tag))


@lru_cache(maxsize=4096)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def true_attribute(element: _Element, name: str) -> bool | None:
    """Return an attribute as an XML Schema boolean; None if it is missing."""
    text = element.get(name)
    return None if text is None else text in ("1", "true", "on")


def rel_suffix(kind: str) -> str:
    """Return the last part of a relationship type, such as ``slideLayout``."""
    return kind.rpartition("/")[2]
