"""Blind policies on entire slides: animations, transitions, order, hidden slides, notes."""

from collections import Counter
from copy import deepcopy
from typing import Any

from pptx.dml.color import RGBColor
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from tests.scorer.blind.policy import Policy, bodies, every_shape, policy, title_of

from pptarena.edits import edit_presentation
from pptarena.edits.slide_list import drop_slide
from pptarena.tasks.goals.editing import move_slide, set_transition

__all__ = ["SLIDES"]

SLIDES: list[Policy] = []

_BACKUP = ("backup", "appendix", "annex", "hidden", "draft", "internal")
_MAX_LINES = 8
_FADE_SEC = 8
_KINDS = ("fade", 'wipe dir="r"')


@policy("removes all animations", SLIDES)
def _no_animations(deck: Any) -> None:
    edit_presentation(deck, [{"edit": "remove_animations", "slides": "all"}])


@policy("fades all slides", SLIDES)
def _fade(deck: Any) -> None:
    for slide in deck.slides:
        set_transition(slide, _KINDS[0])


@policy("wipes all slides", SLIDES)
def _wipe(deck: Any) -> None:
    for slide in deck.slides:
        set_transition(slide, _KINDS[1])


@policy("fades the slides that have another transition", SLIDES)
def _fade_others(deck: Any) -> None:
    for slide in deck.slides:
        if any(True for _ in slide._element.iter(qn("p:transition"))):
            set_transition(slide, _KINDS[0])


@policy("copies the first transition to all slides", SLIDES)
def _like_first(deck: Any) -> None:
    slides = list(deck.slides)
    first = next(slides[0]._element.iter(qn("p:transition")), None) if slides else None
    kinds = [] if first is None else [each.tag.rpartition("}")[2] for each in first]
    for slide in slides[1:] if kinds else ():
        set_transition(slide, kinds[0], first.get("spd", "med") if first is not None else "med")


@policy("fades all slides and advances them automatically", SLIDES)
def _advance_automatically(deck: Any) -> None:
    for slide in deck.slides:
        set_transition(slide, _KINDS[0])
        for each in slide._element.iter(qn("p:transition")):
            each.set("advTm", str(1000 * _FADE_SEC))


@policy("removes all transitions", SLIDES)
def _no_transitions(deck: Any) -> None:
    for slide in deck.slides:
        set_transition(slide, _KINDS[0])
        for each in list(slide._element.iter(qn("p:transition"))):
            each.getparent().remove(each)


@policy("shows all hidden slides", SLIDES)
def _show_hidden(deck: Any) -> None:
    for slide in deck.slides:
        slide._element.attrib.pop("show", None)


@policy("hides backup slides", SLIDES)
def _hide_backup(deck: Any) -> None:
    for slide in deck.slides:
        if any(word in title_of(slide).lower() for word in _BACKUP):
            slide._element.set("show", "0")


@policy("hides the last slide", SLIDES)
def _hide_last(deck: Any) -> None:
    deck.slides[len(deck.slides) - 1]._element.set("show", "0")


@policy("deletes hidden slides", SLIDES, is_safe=False)
def _delete_hidden(deck: Any) -> None:
    hidden = [n for n, each in enumerate(deck.slides) if each._element.get("show") == "0"]
    for index in reversed(hidden):
        drop_slide(deck, index)


@policy("deletes repeated slides", SLIDES, is_safe=False)
def _delete_repeated(deck: Any) -> None:
    counts: Counter[str] = Counter()
    repeated = []
    for index, slide in enumerate(deck.slides):
        text = "\n".join(each.text or "" for each in slide._element.iter(qn("a:t")))
        counts[text] += 1
        if counts[text] > 1 and text.strip():
            repeated.append(index)
    for index in reversed(repeated):
        drop_slide(deck, index)


@policy("deletes all comments", SLIDES)
def _no_comments(deck: Any) -> None:
    for slide in deck.slides:
        for key, relation in list(slide.part.rels.items()):
            if relation.reltype == RT.COMMENTS:
                slide.part.rels.pop(key)


@policy("adds a summary slide", SLIDES)
def _summary(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    lines = [title_of(each) for each in deck.slides]
    if slide.shapes.title is not None:
        slide.shapes.title.text_frame.text = "Summary"
    for body in list(bodies(slide))[:1]:
        body.text_frame.text = "\n".join([line for line in lines if line][1 : 1 + _MAX_LINES])


@policy("adds a summary after the agenda", SLIDES)
def _summary_after_agenda(deck: Any) -> None:
    _summary(deck)
    move_slide(deck, len(deck.slides), 3)


@policy("adds titles to untitled slides", SLIDES)
def _title_untitled(deck: Any) -> None:
    last = ""
    for number, slide in enumerate(deck.slides, 1):
        shape = slide.shapes.title
        if shape is not None and not shape.text_frame.text.strip():
            shape.text_frame.text = last or f"Slide {number}"
        elif shape is None:
            box = slide.shapes.add_textbox(500_000, 200_000, deck.slide_width - 1_000_000, 700_000)
            box.text_frame.text = last or f"Slide {number}"
        last = title_of(slide) or last


@policy("numbers all slides", SLIDES)
def _page_numbers(deck: Any) -> None:
    for slide in deck.slides:
        kinds = {each.get("type") for each in slide._element.iter(qn("p:ph"))}
        placeholder = next(
            (e for e in slide.slide_layout.placeholders if e.placeholder_format.type == 13), None
        )
        if "sldNum" not in kinds and placeholder is not None:
            copy = deepcopy(placeholder._element)
            used = [each.shape_id for each in every_shape(slide.shapes)]
            copy.nvSpPr.cNvPr.set("id", str(max(used, default=1) + 1))
            slide.shapes._spTree.append(copy)


@policy("writes notes where there are none", SLIDES)
def _notes(deck: Any) -> None:
    for slide in deck.slides:
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            frame = slide.notes_slide.notes_text_frame
            if frame.text.strip():
                continue
            frame.text = f"In this part we talk about {title_of(slide)}."
        elif not slide.has_notes_slide:
            frame = slide.notes_slide.notes_text_frame
            if frame is not None:
                frame.text = f"In this part we talk about {title_of(slide)}."


@policy("gives all slides a plain background", SLIDES)
def _plain_background(deck: Any) -> None:
    color: Any = RGBColor
    for slide in deck.slides:
        fill = slide.background.fill
        fill.solid()
        fill.fore_color.rgb = color(0xF3, 0xE5, 0xC3)


@policy("moves the contents to the second place", SLIDES)
def _contents_first(deck: Any) -> None:
    for number, slide in enumerate(deck.slides, 1):
        if title_of(slide).lower() in ("contents", "agenda", "overview", "outline", "目次"):
            move_slide(deck, number, 2)
            return
