"""Several answers in one place: the right answer is one of many, and the reader must guess."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn

from pptarena.edits.slide_list import clone_slide
from pptarena.tasks.quality.attacks.extra import Scene, extra
from pptarena.tasks.quality.attacks.extras_text import falsified
from pptarena.tasks.quality.attacks.tools import garbled, proxy, text_elements

__all__: list[str] = []

_FIGURES = frozenset("0123456789")
_WORDED = ("text", "table")
_SHORTEST = 2


@extra("a second answer after a slash", "stuffing", _WORDED)
def _slash(scene: Scene) -> bool:
    """One line of the work is followed by another answer: "93.7 / 15.9"."""
    return _rewrite(_line(scene), lambda text: f"{text} / {_other(text)}")


@extra("another answer first", "stuffing", _WORDED)
def _first(scene: Scene) -> bool:
    """One line of the work is preceded by another answer: "15.9 or 93.7"."""
    return _rewrite(_line(scene), lambda text: f"{_other(text)} or {text}")


@extra("three answers in a row", "stuffing", _WORDED)
def _three(scene: Scene) -> bool:
    """One line of the work is followed by two other answers: "93.7 15.9 37.1"."""
    return _rewrite(_line(scene), lambda text: f"{text} {_other(text)} {_other(_other(text))}")


@extra("a second answer in parentheses", "stuffing", _WORDED)
def _parentheses(scene: Scene) -> bool:
    """One line of the work is followed by another answer in parentheses."""
    return _rewrite(_line(scene), lambda text: f"{text} ({_other(text)})")


@extra("the old words beside the new", "stuffing", _WORDED)
def _old_beside_new(scene: Scene) -> bool:
    """One line of the work is followed by the line that it replaced."""
    line, old = _line(scene), _replaced(scene)
    if line is None or not old:
        return False
    return _rewrite(line, lambda text: f"{text} / {old}")


@extra("a line with another answer", "stuffing", ("text",))
def _further_line(scene: Scene) -> bool:
    """A line with another answer follows one of the work."""
    line = _line(scene)
    if line is None:
        return False
    copy = deepcopy(line)
    line.addnext(copy)
    return _rewrite(copy, _other)


@extra("a box with another answer", "stuffing", ("text",))
def _further_box(scene: Scene) -> bool:
    """A copy of the object with another answer stands under it, or over it."""
    old = _replaced(scene)
    lines = [each for each in _lines(scene) if old or _FIGURES & set(_text(each))]
    if not lines:
        return False
    copy = deepcopy(scene.element)
    place = scene.shape
    scene.element.addnext(copy)
    for each in copy.iter(qn("p:ph")):
        each.getparent().remove(each)
    for each in copy.iter(qn("p:cNvPr")):
        each.set("id", str(max(shape.shape_id for shape in scene.slide.shapes) + 1))
    under = place.top + place.height
    fits = under + place.height <= scene.deck.slide_height
    box = proxy(scene.slide, copy)
    box.left, box.width, box.height = place.left, place.width, place.height
    box.top = under if fits else max(0, place.top - place.height)
    first, *others = list(copy.iter(qn("a:p")))
    if not old:
        return any([_rewrite(each, _other) for each in (first, *others)])
    for each in others:
        each.getparent().remove(each)
    return _rewrite(first, lambda _: old)


@extra("a row with another answer", "stuffing", ("table",))
def _further_row(scene: Scene) -> bool:
    """A copy of a row of the work with other figures or words follows it."""
    line = _line(scene)
    if line is None:
        return False
    row = next(line.iterancestors(qn("a:tr")))
    copy = deepcopy(row)
    row.addnext(copy)
    return any([_rewrite(each, _other) for each in copy.iter(qn("a:p"))][1:])


@extra("a slide with another answer", "stuffing", ("slide",))
def _further_slide(scene: Scene) -> bool:
    """A copy of a new slide with different text follows it."""
    if not scene.object.is_new:
        return False
    slide = clone_slide(scene.deck, scene.object.slide, notes=False)
    return any([_rewrite(each, _other) for each in slide._element.iter(qn("a:p"))])


@extra("a second answer in the notes", "stuffing", ("slide",), aspects=("notes",))
def _notes(scene: Scene) -> bool:
    """The notes of the work have another answer behind it."""
    if not scene.slide.has_notes_slide:
        return False
    body = scene.slide.notes_slide.notes_text_frame._element
    lines = [each for each in body.iter(qn("a:p")) if len(_text(each)) >= _SHORTEST]
    return bool(lines) and _rewrite(lines[-1], lambda text: f"{text} / {_other(text)}")


def _replaced(scene: Scene) -> str:
    """Return the only line that the work replaced; empty if there is none or several."""
    old = [each for each in scene.kept_lines if each.strip() and each not in _texts(scene)]
    return old[0] if len(old) == 1 else ""


def _other(text: str) -> str:
    """Return another answer: other figures, or made-up words if there are no figures."""
    return falsified(text) if _FIGURES & set(text) else garbled(text)


def _line(scene: Scene) -> Any:
    """Return a random line of the object that belongs to the work; None if there is none."""
    lines = list(_lines(scene))
    return scene.rng.choice(lines) if lines else None


def _lines(scene: Scene) -> Iterator[Any]:
    kept = scene.kept_lines
    for paragraph in scene.element.iter(qn("a:p")):
        text = _text(paragraph)
        is_made = next(paragraph.iter(qn("a:fld")), None) is not None
        if len(text.strip()) >= _SHORTEST and text not in kept and not is_made:
            yield paragraph


def _texts(scene: Scene) -> set[str]:
    return {_text(each) for each in scene.element.iter(qn("a:p"))}


def _text(paragraph: Any) -> str:
    return "".join(text.text or "" for text in text_elements(paragraph))


def _rewrite(paragraph: Any, change: Callable[[str], str]) -> bool:
    texts = [] if paragraph is None else list(text_elements(paragraph))
    old = "".join(text.text or "" for text in texts)
    if not old.strip() or change(old) == old:
        return False
    texts[0].text = change(old)
    for text in texts[1:]:
        text.text = ""
    return True
