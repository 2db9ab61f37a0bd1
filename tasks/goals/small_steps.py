"""Solutions of the small training tasks: their macros, applied to the file."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn

from pptarena.tasks.goals.editing import delete_slide, move_slide, slide_at
from pptarena.tasks.grow.copying import copy_slide
from pptarena.tasks.task import Task

__all__ = ["small_steps"]

Edit = Callable[[Any], None]

_SUITES = ("first-steps-", "two-steps-")
_ALIGN = {"left": PP_ALIGN.LEFT, "center": PP_ALIGN.CENTER, "right": PP_ALIGN.RIGHT}


def small_steps(task: Task) -> tuple[Edit, ...]:
    """Return the edits that solve a small training task; empty for other tasks.

    Its macros specify the complete solution in order.
    """
    # A task read from a file has a place, and its id may be anything.
    if task.place or not task.id.startswith(_SUITES):
        return ()
    if any(call.name not in _EDITS for call in task.macros):
        return ()
    return tuple(partial(_EDITS[call.name], **call.arguments) for call in task.macros)


def _format_title(deck: Any, *, slide: int, shape: str, **formats: bool) -> None:
    for paragraph in _title(deck, slide, shape).paragraphs:
        for run in paragraph.runs:
            for name, value in formats.items():
                setattr(run.font, name, value)


def _align_title(deck: Any, *, slide: int, shape: str, align: str) -> None:
    for paragraph in _title(deck, slide, shape).paragraphs:
        paragraph.alignment = _ALIGN[align]


def _title(deck: Any, slide: int, shape: str) -> Any:
    if shape != "@title":
        raise ValueError(f"expected the title, got {shape!r}")
    return slide_at(deck, slide).shapes.title.text_frame


def _delete(deck: Any, *, slide: int) -> None:
    delete_slide(deck, slide)


def _duplicate(deck: Any, *, slide: int) -> None:
    copy_slide(deck, slide - 1)


def _insert(deck: Any, *, after: int) -> None:
    deck.slides.add_slide(slide_at(deck, after).slide_layout)
    move_slide(deck, len(deck.slides), after + 1)


def _delete_picture(deck: Any, *, slide: int, shape: str) -> None:
    if shape != "@picture":
        raise ValueError(f"expected the picture, got {shape!r}")
    root = slide_at(deck, slide)._element
    picture = next(root.iter(qn("p:pic")))
    id = picture.nvPicPr.cNvPr.get("id")
    picture.getparent().remove(picture)
    timing = root.find(qn("p:timing"))
    shown = () if timing is None else timing.iter(qn("p:spTgt"), qn("p:bldP"))
    if timing is not None and any(each.get("spid") == id for each in shown):
        root.remove(timing)


_EDITS: Mapping[str, Callable[..., None]] = {
    "delete_shape": _delete_picture,
    "delete_slide": _delete,
    "duplicate_slide": _duplicate,
    "format_text": _format_title,
    "insert_slide": _insert,
    "paragraph_align": _align_title,
}
