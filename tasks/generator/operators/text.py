"""Operators for text."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    PHRASES,
    has_text,
    make_edit,
    param,
    shape_targets,
    single_edit,
    text_fits,
)
from pptarena.tasks.generator.references import quotable
from pptarena.tasks.generator.slots import TEXT

__all__ = ["OPERATORS"]

_MIN_CHARACTERS = 4
_NEW_WORDS = ("Zephyr", "Harbour", "Juniper", "Beacon", "Cobalt", "Meadow", "Orchard", "Granite")


def _is_title(shape: Shape) -> bool:
    return shape.placeholder in ("title", "ctrTitle") and has_text(shape) and text_fits(shape)


def _is_box(shape: Shape) -> bool:
    is_box = shape.kind in ("text_box", "shape") and not shape.placeholder
    return is_box and has_text(shape) and text_fits(shape)


def _is_list(shape: Shape) -> bool:
    texts = [p.text.strip() for p in shape.paragraphs]
    return has_text(shape) and len(texts) > 1 and all(map(quotable, texts))


def _sample_text(target: Target, rng: Random) -> Params:
    return {"text": rng.choice([each for each in PHRASES if each != target.shape.text])}


def _slides_with_text(context: DeckContext) -> Iterator[Target]:
    for slide in context.deck.slides:
        if slide.text.strip():
            yield Target(context, slide.index)


def _sample_word(target: Target, rng: Random) -> Params | None:
    shapes = [s for s in target.slide.shapes if has_text(s) and not s.hidden]
    runs = [run.text for s in shapes for p in s.paragraphs for run in p.runs]
    words = Counter(word.strip(".,;:!?()") for text in runs for word in text.split())
    text = target.slide.text
    eligible = [
        word
        for word in words
        if len(word) >= _MIN_CHARACTERS and word.isalpha() and text.count(word) == words[word]
    ]
    if not eligible:
        return None
    unused = [word for word in _NEW_WORDS if word.lower() not in text.lower()]
    return {"old": rng.choice(sorted(eligible)), "new": rng.choice(unused or list(_NEW_WORDS))}


def _lines(target: Target) -> list[str]:
    return [paragraph.text for paragraph in target.shape.paragraphs]


def _sample_line(target: Target, rng: Random) -> Params | None:
    lines = [each for each in _lines(target) if _lines(target).count(each) == 1]
    return {"line": rng.choice(lines)} if lines else None


def _sample_line_change(target: Target, rng: Random) -> Params | None:
    line = _sample_line(target, rng)
    return None if line is None else {**line, **_sample_text(target, rng)}


def _line_number(target: Target, params: Params) -> int:
    return _lines(target).index(params["line"]) + 1


def _changed_lines(target: Target, params: Params) -> list[str]:
    return [params["text"] if each == params["line"] else each for each in _lines(target)]


OPERATORS = (
    Operator(
        "set-title",
        "text",
        "shape",
        shape_targets(_is_title),
        single_edit("set_text", text=param("text")),
        lambda target, params: [leaf("title_is", slide=target.slide_number, text=params["text"])],
        ("text",),
        (
            "change {it} to {text}",
            "replace {it} with {text}",
            "make {it} read {text}",
            "reword {it} as {text}",
            "put {text} in place of {it}",
        ),
        ("{it} should read {text}", "{it} should say {text} and nothing else"),
        params=_sample_text,
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "set-box-text",
        "text",
        "shape",
        shape_targets(_is_box),
        single_edit("set_text", text=param("text")),
        lambda target, params: [leaf("shape_text_is", **target.args, text=params["text"])],
        ("text",),
        (
            "write {text} in {it} in place of its current text",
            "change the text of {it} to {text}",
            "replace the text of {it} with {text}",
            "give {it} the new text {text}",
            "have {it} say {text}",
        ),
        ("the text of {it} should be {text}", "the text of {it} should be changed to {text}"),
        params=_sample_text,
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "replace-word",
        "text",
        "slide",
        _slides_with_text,
        single_edit("replace_text", old=param("old"), new=param("new")),
        lambda target, params: [
            leaf(
                "text_replaced_everywhere",
                old=params["old"],
                new=params["new"],
                slides=[target.slide_number],
            )
        ],
        ("text",),
        (
            "replace the word {old} on {it} with {new}",
            "write {new} instead of {old} wherever it appears on {it}",
            "change every {old} on {it} to {new}",
            "swap {old} for {new} on {it}",
            "substitute {new} for {old} everywhere on {it}",
        ),
        (
            "{new} should appear wherever {old} appears on {it}",
            "every {old} on {it} should become {new}",
        ),
        params=_sample_word,
        slots={"old": TEXT, "new": TEXT},
        scope=lambda target, params: {"words": [[params["old"], params["new"]]]},
    ),
    Operator(
        "add-line",
        "text",
        "shape",
        shape_targets(_is_list),
        lambda target, params: [
            make_edit(target, "set_text", text="\n".join([*_lines(target), params["text"]]))
        ],
        lambda target, params: [
            leaf("paragraphs_are", **target.args, paragraphs=[*_lines(target), params["text"]])
        ],
        ("text", "geometry"),
        (
            "add the line {text} at the end of {it}",
            "append {text} to {it} as a separate paragraph",
            "put {text} as the last point of {it}",
            "end {it} with the new line {text}",
            "extend {it} with the line {text}",
        ),
        (
            "the last line of {it} should be a new one, {text}",
            "{text} should be added to {it} as its last line",
        ),
        params=_sample_text,
        slots={"text": TEXT},
        level=2,
    ),
    Operator(
        "delete-line",
        "text",
        "shape",
        shape_targets(_is_list),
        lambda target, params: [
            make_edit(target, "delete_paragraph", paragraph=_line_number(target, params))
        ],
        lambda target, params: [
            leaf(
                "paragraphs_are",
                **target.args,
                paragraphs=[each for each in _lines(target) if each != params["line"]],
            )
        ],
        ("text", "animation"),
        (
            "delete the line {line} from {it}",
            "take {line} out of {it}",
            "remove the point {line} in {it}",
            "cut the paragraph {line} from {it}",
            "drop {line} from {it} and close the gap",
        ),
        (
            "the line {line} should be removed from {it}",
            "{it} should no longer include the line {line}",
        ),
        params=_sample_line,
        slots={"line": TEXT},
    ),
    Operator(
        "change-line",
        "text",
        "shape",
        shape_targets(_is_list),
        lambda target, params: [
            make_edit(
                target, "set_text", text=params["text"], paragraph=_line_number(target, params)
            )
        ],
        lambda target, params: [
            leaf("paragraphs_are", **target.args, paragraphs=_changed_lines(target, params))
        ],
        ("text",),
        (
            "change the line {line} of {it} to {text}",
            "instead of {line}, write {text} in {it}",
            "rewrite the point {line} of {it} as {text}",
            "change the paragraph {line} of {it} so that it reads {text}",
            "replace {line} in {it} with {text}",
        ),
        (
            "the line {line} of {it} should read {text}",
            "where {it} says {line}, it should say {text}",
        ),
        params=_sample_line_change,
        slots={"line": TEXT, "text": TEXT},
        playable=always,
        level=2,
    ),
)
"""The operators of this module."""
