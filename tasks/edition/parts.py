"""Rewrite the XML parts of decks and workbooks by a substitution.

Matches are found in entire paragraphs, even across runs. Each run keeps its formatting and as many
characters as it had of the replaced text; the last run gets the rest.
"""

from collections.abc import Callable, Iterator

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.names import A, local_name
from pptarena.tasks.edition.substitution import Rewriter

__all__ = ["rewrite_part"]

_TEXT_ATTRIBUTES = ("name", "descr", "title", "tooltip", "initials", "lastModifiedBy")
_CACHED_VALUES = frozenset(("numCache", "numLit"))
_SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_TERMS = "{http://purl.org/dc/terms/}"
_TIMESTAMP_TAGS = frozenset((f"{_TERMS}created", f"{_TERMS}modified"))
_TIMESTAMP = "2026-10-01T08:00:00Z"  # as in the packaged decks; also for a target's workbooks
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"


def rewrite_part(
    data: bytes,
    name: str,
    rewriter: Rewriter,
    paint: Callable[[_Element], bool] = lambda element: False,
) -> bytes:
    """Return an XML part with its texts, and the numbers of charts and cells, replaced.

    Args:
        data: The part.
        name: Name of the part.
        rewriter: The replacements.
        paint: Restyles an element and returns whether the element changed.

    Raises:
        DeckError: If the part is not valid XML.
    """
    root = parse_markup(data, name)
    changed = (
        [_rewrite_relations(root, rewriter)]
        if name.endswith(".rels")
        else _rewrite_elements(root, rewriter, paint)
    )
    if not any(changed):
        return data
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _rewrite_elements(
    root: _Element, rewriter: Rewriter, paint: Callable[[_Element], bool]
) -> list[bool]:
    changed = []
    for element in root.iter(tag=etree.Element):
        changed.append(_rewrite_names(element, rewriter))
        changed.append(paint(element))
        if element.tag == f"{A}p":
            changed.append(_rewrite_paragraph(element, rewriter))
        elif element.text and element.tag != f"{A}t":
            changed.append(_rewrite_text(element, rewriter))
        if value := element.get(f"{_OFFICE}value"):
            element.set(f"{_OFFICE}value", rewriter.number(value))
            changed.append(rewriter.number(value) != value)
    return changed


def _rewrite_relations(root: _Element, rewriter: Rewriter) -> bool:
    changed = False
    for relation in root:
        target = relation.get("Target", "")
        if relation.get("TargetMode") == "External" and rewriter.text(target) != target:
            relation.set("Target", rewriter.text(target))
            changed = True
    return changed


def _rewrite_names(element: _Element, rewriter: Rewriter) -> bool:
    changed = False
    for name in _TEXT_ATTRIBUTES:
        value = element.get(name)
        if value and rewriter.text(value) != value:
            element.set(name, rewriter.text(value))
            changed = True
    return changed


def _rewrite_text(element: _Element, rewriter: Rewriter) -> bool:
    """Rewrite the text of an element outside paragraph runs."""
    text = element.text or ""
    if element.tag in _TIMESTAMP_TAGS:
        element.text = _TIMESTAMP
        return text != _TIMESTAMP
    kind = _text_kind(element)
    new = {"number": rewriter.number, "text": rewriter.text}[kind](text) if kind else text
    element.text = new
    return new != text


def _text_kind(element: _Element) -> str:
    """Return the type of an element's text: ``number``, ``text``, or "" for neither."""
    parent = element.getparent()
    if local_name(element) != "v" or parent is None:
        return "text"
    if parent.tag == f"{_SPREADSHEET}c":
        # Other cell types hold a shared string index, a Boolean or an error.
        return {"n": "number", "str": "text"}.get(parent.get("t", "n"), "")
    grandparent = parent.getparent()
    is_number = grandparent is not None and local_name(grandparent) in _CACHED_VALUES
    return "number" if is_number else "text"


def _rewrite_paragraph(paragraph: _Element, rewriter: Rewriter) -> bool:
    changed = False
    for runs in _lines(paragraph):
        texts = [run.text or "" for run in runs]
        new = _replace_in_runs(texts, rewriter)
        for run, text in zip(runs, new, strict=True):
            run.text = text
        changed |= new != texts
    return changed


def _lines(paragraph: _Element) -> Iterator[list[_Element]]:
    """Yield the text elements of each line."""
    line: list[_Element] = []
    for child in paragraph:
        if local_name(child) == "br":
            yield line
            line = []
        line += child.iterfind(f"{A}t")
    yield line


def _replace_in_runs(texts: list[str], rewriter: Rewriter) -> list[str]:
    new = list(texts)
    starts = [sum(map(len, texts[:index])) for index in range(len(texts))]
    for match in reversed(list(rewriter.find("".join(texts)))):
        indexes = [
            index
            for index, start in enumerate(starts)
            if start < match.end and match.start < start + len(texts[index])
        ]
        remaining = match.text
        for index in indexes:
            begin = max(match.start - starts[index], 0)
            end = min(match.end - starts[index], len(texts[index]))
            piece = remaining if index == indexes[-1] else remaining[: end - begin]
            remaining = remaining[len(piece) :]
            new[index] = new[index][:begin] + piece + new[index][end:]
    return new
