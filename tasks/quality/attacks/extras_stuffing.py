"""Several answers in one place: the right answer is one of many, and the reader must guess."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn

from pptarena.edits.slide_list import clone_slide
from pptarena.tasks.quality.attacks.extra import ObjectContext, extra
from pptarena.tasks.quality.attacks.extras_text import change_digits
from pptarena.tasks.quality.attacks.tools import garble, shape_proxy, text_elements

__all__: list[str] = []

_FIGURES = frozenset("0123456789")
_TEXT_TYPES = ("text", "table")
_MIN_CHARACTERS = 2


@extra("a second answer after a slash", "stuffing", _TEXT_TYPES)
def _slash(context: ObjectContext) -> bool:
    """One requested line is followed by another answer: "93.7 / 15.9"."""
    return _rewrite(_random_line(context), lambda text: f"{text} / {_other_answer(text)}")


@extra("another answer first", "stuffing", _TEXT_TYPES)
def _first(context: ObjectContext) -> bool:
    """One requested line is preceded by another answer: "15.9 or 93.7"."""
    return _rewrite(_random_line(context), lambda text: f"{_other_answer(text)} or {text}")


@extra("three answers in a row", "stuffing", _TEXT_TYPES)
def _three(context: ObjectContext) -> bool:
    """One requested line is followed by two other answers: "93.7 15.9 37.1"."""
    return _rewrite(
        _random_line(context),
        lambda text: f"{text} {_other_answer(text)} {_other_answer(_other_answer(text))}",
    )


@extra("a second answer in parentheses", "stuffing", _TEXT_TYPES)
def _parentheses(context: ObjectContext) -> bool:
    """One requested line is followed by another answer in parentheses."""
    return _rewrite(_random_line(context), lambda text: f"{text} ({_other_answer(text)})")


@extra("the old words beside the new", "stuffing", _TEXT_TYPES)
def _old_line_after_new(context: ObjectContext) -> bool:
    """One requested line is followed by the line that it replaced."""
    line, old = _random_line(context), _replaced_line(context)
    if line is None or not old:
        return False
    return _rewrite(line, lambda text: f"{text} / {old}")


@extra("a line with another answer", "stuffing", ("text",))
def _further_line(context: ObjectContext) -> bool:
    """One requested line is followed by a line with another answer."""
    line = _random_line(context)
    if line is None:
        return False
    copy = deepcopy(line)
    line.addnext(copy)
    return _rewrite(copy, _other_answer)


@extra("a box with another answer", "stuffing", ("text",))
def _further_box(context: ObjectContext) -> bool:
    """A copy of the object with another answer is placed below or above it."""
    old = _replaced_line(context)
    lines = [each for each in _new_lines(context) if old or _FIGURES & set(_text(each))]
    if not lines:
        return False
    copy = deepcopy(context.element)
    place = context.shape
    context.element.addnext(copy)
    for each in copy.iter(qn("p:ph")):
        each.getparent().remove(each)
    for each in copy.iter(qn("p:cNvPr")):
        each.set("id", str(max(shape.shape_id for shape in context.slide.shapes) + 1))
    below = place.top + place.height
    fits_below = below + place.height <= context.deck.slide_height
    box = shape_proxy(context.slide, copy)
    box.left, box.width, box.height = place.left, place.width, place.height
    box.top = below if fits_below else max(0, place.top - place.height)
    first, *others = list(copy.iter(qn("a:p")))
    if not old:
        return any([_rewrite(each, _other_answer) for each in (first, *others)])
    for each in others:
        each.getparent().remove(each)
    return _rewrite(first, lambda _: old)


@extra("a row with another answer", "stuffing", ("table",))
def _further_row(context: ObjectContext) -> bool:
    """A requested row is followed by a copy with other figures or words."""
    line = _random_line(context)
    if line is None:
        return False
    row = next(line.iterancestors(qn("a:tr")))
    copy = deepcopy(row)
    row.addnext(copy)
    return any([_rewrite(each, _other_answer) for each in copy.iter(qn("a:p"))][1:])


@extra("a slide with another answer", "stuffing", ("slide",))
def _further_slide(context: ObjectContext) -> bool:
    """A copy of a new slide with different text follows it."""
    if not context.object.is_new:
        return False
    slide = clone_slide(context.deck, context.object.slide, notes=False)
    return any([_rewrite(each, _other_answer) for each in slide._element.iter(qn("a:p"))])


@extra("a second answer in the notes", "stuffing", ("slide",), aspects=("notes",))
def _notes(context: ObjectContext) -> bool:
    """The requested notes are followed by another answer."""
    if not context.slide.has_notes_slide:
        return False
    body = context.slide.notes_slide.notes_text_frame._element
    lines = [each for each in body.iter(qn("a:p")) if len(_text(each)) >= _MIN_CHARACTERS]
    return bool(lines) and _rewrite(lines[-1], lambda text: f"{text} / {_other_answer(text)}")


def _replaced_line(context: ObjectContext) -> str:
    """Return the only line that the work replaced; empty if there is none or several."""
    old = [each for each in context.original_lines if each.strip() and each not in _texts(context)]
    return old[0] if len(old) == 1 else ""


def _other_answer(text: str) -> str:
    """Return another answer: other figures, or made-up words if there are no figures."""
    return change_digits(text) if _FIGURES & set(text) else garble(text)


def _random_line(context: ObjectContext) -> Any:
    """Return a random line of the object that belongs to the work; None if there is none."""
    lines = list(_new_lines(context))
    return context.rng.choice(lines) if lines else None


def _new_lines(context: ObjectContext) -> Iterator[Any]:
    original_lines = context.original_lines
    for paragraph in context.element.iter(qn("a:p")):
        text = _text(paragraph)
        is_field = next(paragraph.iter(qn("a:fld")), None) is not None
        if len(text.strip()) >= _MIN_CHARACTERS and text not in original_lines and not is_field:
            yield paragraph


def _texts(context: ObjectContext) -> set[str]:
    return {_text(each) for each in context.element.iter(qn("a:p"))}


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
