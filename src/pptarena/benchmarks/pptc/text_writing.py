"""Write text into a text frame like a user typing: new text inherits the existing formatting."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn
from pptx.text.text import Font

__all__ = ["append_text", "clear", "fonts", "is_empty", "new_paragraph"]


def clear(frame: Any) -> None:
    """Delete all text; new text gets the formatting of the first run."""
    properties = frame.paragraphs[0]._p.pPr
    style = _copy_style(frame.paragraphs[0]._p, first=True)
    frame.text = ""
    p = frame.paragraphs[0]._p
    if properties is not None and p.pPr is None:
        p.insert(0, properties)
    if style is not None:
        p.remove(_end_style(p))
        style.tag = qn("a:endParaRPr")
        p.append(style)


def is_empty(frame: Any) -> bool:
    """Return whether a text frame has no text and no second paragraph."""
    return len(frame.paragraphs) <= 1 and not frame.text


def append_text(frame: Any, text: str) -> None:
    r"""Append text formatted like the last run; ``\n`` starts a new paragraph."""
    first, *others = text.split("\n")
    _append(frame.paragraphs[-1], first)
    for line in others:
        _append(new_paragraph(frame), line)


def new_paragraph(frame: Any) -> Any:
    """Append a paragraph formatted like the last one."""
    last = frame.paragraphs[-1]._p
    paragraph = frame.add_paragraph()
    if last.pPr is not None:
        paragraph._p.insert(0, deepcopy(last.pPr))
    style = _copy_style(last)
    if style is not None:
        style.tag = qn("a:endParaRPr")
        paragraph._p.append(style)
    return paragraph


def fonts(frame: Any) -> Iterator[Font]:
    """Yield every font of a text frame; an empty paragraph's font applies to future text."""
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            yield run.font
        if not paragraph.runs:
            yield Font(_end_style(paragraph._p))


def _end_style(p: Any) -> Any:
    style = p.find(qn("a:endParaRPr"))
    if style is None:
        style = p.makeelement(qn("a:endParaRPr"))
        p.append(style)
    return style


def _append(paragraph: Any, text: str) -> None:
    if not text:
        return
    style = _copy_style(paragraph._p)
    run = paragraph.add_run()
    run.text = text
    if style is not None:
        style.tag = qn("a:rPr")
        old = run._r.find(qn("a:rPr"))
        if old is not None:
            run._r.remove(old)
        run._r.insert(0, style)


def _copy_style(p: Any, *, first: bool = False) -> Any:
    """Return a copy of the properties of a paragraph's last or first run; None without any."""
    runs = p.findall(qn("a:r"))
    properties = runs[0 if first else -1].find(qn("a:rPr")) if runs else p.find(qn("a:endParaRPr"))
    return None if properties is None else deepcopy(properties)
