"""Edits of links and alternative text."""

from pptx.opc.constants import RELATIONSHIP_TYPE

from pptarena.edits.addresses import shown
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.text_frames import select_runs
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
    _require_one_target(address, to_slide)
    target = deck.slide(to_slide) if to_slide is not None else None
    linked = deck.shape(slide, shape)
    if not hasattr(linked, "click_action"):
        raise EditError(f"the shape {shown(shape)} cannot be a link")
    if target is not None:
        linked.click_action.target_slide = target
    else:
        linked.click_action.hyperlink.address = address


def set_text_link(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    address: Name | None = None,
    paragraph: Position | None = None,
    run: Position | None = None,
    to_slide: SlideRef | None = None,
) -> int:
    """Set the link of text; without a target, remove it.

    Args:
        slide: The slide.
        shape: The shape.
        address: A web or mail address.
        paragraph: Number of the paragraph, from 1; all by default.
        run: Number of the run in its paragraph, from 1; all by default.
        to_slide: A slide of this deck.
    """
    _require_one_target(address, to_slide)
    target = None if to_slide is None else deck.slide(to_slide).part
    frame = deck.text_frame(slide, shape)
    runs = [selected for selected in select_runs(frame, paragraph, run) if selected.text]
    if not runs:
        raise EditError(f"the shape {shown(shape)} has no such text")
    for selected in runs:
        style = selected._r.get_or_add_rPr()
        if style.hlinkClick is not None and not style.hlinkClick.rId:  # such as the next slide
            style.remove(style.hlinkClick)
        selected.hyperlink.address = address
        if target is not None:
            link = style.add_hlinkClick(selected.part.relate_to(target, RELATIONSHIP_TYPE.SLIDE))
            link.set("action", "ppaction://hlinksldjump")
    return len(runs)


def _require_one_target(address: str | None, to_slide: int | str | None) -> None:
    if address is not None and to_slide is not None:
        raise EditError("expected address or to_slide, got both")
