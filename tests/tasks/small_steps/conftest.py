"""Edits that reach the goal of each kind of small task."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn

from pptarena.tasks import Task

Edit = Callable[[Any, int], None]


def _delete(deck: Any, number: int) -> None:
    entry = deck.slides._sldIdLst[number - 1]
    deck.part.drop_rel(entry.rId)
    deck.slides._sldIdLst.remove(entry)


def _insert(deck: Any, number: int, like: Any = None) -> None:
    """Insert a slide after slide `number`, with the shapes and effects of `like`."""
    new = deck.slides.add_slide((like or deck.slides[1]).slide_layout)
    if like is not None:
        for shape in list(new.shapes):
            shape._element.getparent().remove(shape._element)
        for shape in like.shapes:
            new.shapes._spTree.append(deepcopy(shape._element))
        for effects in like._element.findall(qn("p:timing")):
            new._element.append(deepcopy(effects))
        for rel in like.part.rels.values():
            if "image" in rel.reltype or "chart" in rel.reltype:
                new.part.rels._rels[rel.rId] = rel
    ids = deck.slides._sldIdLst
    entry = ids[-1]
    ids.remove(entry)
    ids.insert(number, entry)


def _font(name: str) -> Edit:
    def edit(deck: Any, number: int) -> None:
        for paragraph in deck.slides[number - 1].shapes.title.text_frame.paragraphs:
            for run in paragraph.runs:
                setattr(run.font, name, True)

    return edit


def _align(alignment: Any) -> Edit:
    def edit(deck: Any, number: int) -> None:
        for paragraph in deck.slides[number - 1].shapes.title.text_frame.paragraphs:
            paragraph.alignment = alignment

    return edit


def _delete_picture(deck: Any, number: int) -> None:
    slide = deck.slides[number - 1]
    picture = next(shape for shape in slide.shapes if shape.shape_type == 13)
    picture._element.getparent().remove(picture._element)


EDITS: dict[str, Edit] = {
    "italic-title": _font("italic"),
    "underline-title": _font("underline"),
    "center-title": _align(PP_ALIGN.CENTER),
    "right-title": _align(PP_ALIGN.RIGHT),
    "delete-slide": _delete,
    "duplicate-slide": lambda deck, n: _insert(deck, n, deck.slides[n - 1]),
    "new-slide": lambda deck, n: _insert(deck, n),
    "delete-picture": _delete_picture,
}


def kind_of(task: Task) -> str:
    return task.id.removeprefix(f"{task.suite}-").rsplit("-", 1)[0]


def slide_number_of(task: Task) -> int:
    return int(task.id.rsplit("-", 1)[1])


@pytest.fixture
def edits() -> dict[str, Edit]:
    """Return edits by kind of task; each changes the slide with a 1-based number."""
    return EDITS
