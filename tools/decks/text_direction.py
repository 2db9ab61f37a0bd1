"""Writing direction: Arabic paragraphs run from right to left and are right-aligned."""

from collections.abc import Iterator
from typing import Any

from pptx.oxml.ns import qn

__all__ = ["arabic_paragraphs", "is_arabic", "set_arabic_direction"]

_ARABIC = range(0x0600, 0x0700)


def is_arabic(text: str) -> bool:
    """Return whether the first letter of a text is Arabic."""
    first = next((character for character in text if character.isalpha()), "")
    return bool(first) and ord(first) in _ARABIC


def arabic_paragraphs(element: Any) -> Iterator[Any]:
    """Yield the paragraphs of an element that start in Arabic."""
    for paragraph in element.iter(qn("a:p")):
        if is_arabic("".join(each.text or "" for each in paragraph.iter(qn("a:t")))):
            yield paragraph


def set_arabic_direction(element: Any) -> None:
    """Set the direction of all Arabic paragraphs of an element; centered ones stay centered."""
    for paragraph in arabic_paragraphs(element):
        properties = paragraph.get_or_add_pPr()
        properties.set("rtl", "1")
        if properties.get("algn") is None:
            properties.set("algn", "r")
        for run in paragraph.iter(qn("a:r")):
            run.get_or_add_rPr().set("lang", "ar-SA")
