"""Operators for text."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    PHRASES,
    as_edit,
    has_room,
    of_shapes,
    param,
    sets,
    with_text,
)
from pptarena.tasks.grow.references import quotable
from pptarena.tasks.grow.slots import TEXT

__all__ = ["OPERATORS"]

_LEAST_LETTERS = 4
_NEW_WORDS = ("Zephyr", "Harbour", "Juniper", "Beacon", "Cobalt", "Meadow", "Orchard", "Granite")


def _is_title(shape: Shape) -> bool:
    return shape.placeholder in ("title", "ctrTitle") and with_text(shape) and has_room(shape)


def _is_box(shape: Shape) -> bool:
    own = shape.kind in ("text_box", "shape") and not shape.placeholder
    return own and with_text(shape) and has_room(shape)


def _is_list(shape: Shape) -> bool:
    texts = [p.text.strip() for p in shape.paragraphs]
    return with_text(shape) and len(texts) > 1 and all(map(quotable, texts))


def _draw_text(site: Site, rng: Random) -> Params:
    return {"text": rng.choice([each for each in PHRASES if each != site.shape.text])}


def _word_sites(ground: Ground) -> Iterator[Site]:
    for slide in ground.deck.slides:
        if slide.text.strip():
            yield Site(ground, slide.index)


def _draw_words(site: Site, rng: Random) -> Params | None:
    shapes = [s for s in site.slide.shapes if with_text(s) and not s.hidden]
    runs = [run.text for s in shapes for p in s.paragraphs for run in p.runs]
    words = Counter(word.strip(".,;:!?()") for text in runs for word in text.split())
    text = site.slide.text
    fitting = [
        word
        for word in words
        if len(word) >= _LEAST_LETTERS and word.isalpha() and text.count(word) == words[word]
    ]
    if not fitting:
        return None
    new = [word for word in _NEW_WORDS if word.lower() not in text.lower()]
    return {"old": rng.choice(sorted(fitting)), "new": rng.choice(new or list(_NEW_WORDS))}


def _lines(site: Site) -> list[str]:
    return [paragraph.text for paragraph in site.shape.paragraphs]


def _draw_line(site: Site, rng: Random) -> Params | None:
    lines = [each for each in _lines(site) if _lines(site).count(each) == 1]
    return {"line": rng.choice(lines)} if lines else None


def _draw_change(site: Site, rng: Random) -> Params | None:
    drawn = _draw_line(site, rng)
    return None if drawn is None else {**drawn, **_draw_text(site, rng)}


def _number(site: Site, params: Params) -> int:
    return _lines(site).index(params["line"]) + 1


def _changed(site: Site, params: Params) -> list[str]:
    return [params["text"] if each == params["line"] else each for each in _lines(site)]


OPERATORS = (
    Operator(
        "set-title",
        "text",
        "shape",
        of_shapes(_is_title),
        sets("set_text", text=param("text")),
        lambda site, params: [leaf("title_is", slide=site.number, text=params["text"])],
        ("text",),
        (
            "change {it} to {text}",
            "replace {it} with {text}",
            "make {it} read {text}",
            "reword {it} as {text}",
            "put {text} in place of {it}",
        ),
        ("{it} should read {text}", "{it} should say {text} and nothing else"),
        params=_draw_text,
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "set-box-text",
        "text",
        "shape",
        of_shapes(_is_box),
        sets("set_text", text=param("text")),
        lambda site, params: [leaf("shape_text_is", **site.args, text=params["text"])],
        ("text",),
        (
            "write {text} in {it} in place of its current text",
            "change the text of {it} to {text}",
            "replace the text of {it} with {text}",
            "give {it} the new text {text}",
            "have {it} say {text}",
        ),
        ("the text of {it} should be {text}", "the text of {it} should be changed to {text}"),
        params=_draw_text,
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "replace-word",
        "text",
        "slide",
        _word_sites,
        sets("replace_text", old=param("old"), new=param("new")),
        lambda site, params: [
            leaf(
                "text_replaced_everywhere",
                old=params["old"],
                new=params["new"],
                slides=[site.number],
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
        params=_draw_words,
        slots={"old": TEXT, "new": TEXT},
        scope=lambda site, params: {"words": [[params["old"], params["new"]]]},
    ),
    Operator(
        "add-line",
        "text",
        "shape",
        of_shapes(_is_list),
        lambda site, params: [
            as_edit(site, "set_text", text="\n".join([*_lines(site), params["text"]]))
        ],
        lambda site, params: [
            leaf("paragraphs_are", **site.args, paragraphs=[*_lines(site), params["text"]])
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
        params=_draw_text,
        slots={"text": TEXT},
        level=2,
    ),
    Operator(
        "delete-line",
        "text",
        "shape",
        of_shapes(_is_list),
        lambda site, params: [as_edit(site, "delete_paragraph", paragraph=_number(site, params))],
        lambda site, params: [
            leaf(
                "paragraphs_are",
                **site.args,
                paragraphs=[each for each in _lines(site) if each != params["line"]],
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
        params=_draw_line,
        slots={"line": TEXT},
    ),
    Operator(
        "change-line",
        "text",
        "shape",
        of_shapes(_is_list),
        lambda site, params: [
            as_edit(site, "set_text", text=params["text"], paragraph=_number(site, params))
        ],
        lambda site, params: [
            leaf("paragraphs_are", **site.args, paragraphs=_changed(site, params))
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
        params=_draw_change,
        slots={"line": TEXT, "text": TEXT},
        playable=always,
        level=2,
    ),
)
"""The operators of this module."""
