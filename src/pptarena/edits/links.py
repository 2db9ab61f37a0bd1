"""Edits of links and alternative text."""

from pptarena.edits.addresses import shown
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Name, Position, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = ["set_alt_text", "set_link", "set_text_link"]


def set_alt_text(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, text: Text) -> None:
    """Set the alternative text of a shape, which screen readers read aloud.

    Args:
        slide: The slide.
        shape: The shape.
        text: The description.
    """
    deck.shape(slide, shape)._element._nvXxPr.cNvPr.set("descr", text)


def set_link(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    address: Name | None = None,
    to_slide: SlideRef | None = None,
) -> None:
    """Set the link that a click on a shape follows; without a target, remove it.

    Args:
        slide: The slide.
        shape: The shape.
        address: A web or mail address.
        to_slide: A slide of this deck.
    """
    if address is not None and to_slide is not None:
        raise EditError("expected address or to_slide, got both")
    target = deck.slide(to_slide) if to_slide is not None else None
    found = deck.shape(slide, shape)
    if not hasattr(found, "click_action"):
        raise EditError(f"the shape {shown(shape)} cannot be a link")
    if target is not None:
        found.click_action.target_slide = target
    else:
        found.click_action.hyperlink.address = address


def set_text_link(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    address: Name | None,
    paragraph: Position = 1,
    run: Position = 1,
) -> None:
    """Set the link of a run of text.

    Args:
        slide: The slide.
        shape: The shape.
        address: A web or mail address; null removes the link.
        paragraph: Number of the paragraph, from 1.
        run: Number of the run in the paragraph, from 1.
    """
    paragraphs = deck.text_frame(slide, shape).paragraphs
    if paragraph > len(paragraphs) or run > len(paragraphs[paragraph - 1].runs):
        raise EditError(f"the shape {shown(shape)} has no run {run} in a paragraph {paragraph}")
    paragraphs[paragraph - 1].runs[run - 1].hyperlink.address = address
