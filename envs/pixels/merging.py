"""Merge the detections of one screenshot with each other and with an accessibility tree."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from pptarena.envs.pixels.detection import Box, Detection, area, intersection, iou

__all__ = ["SAME_IOU", "merged", "unlike"]

SAME_IOU = 0.5
"""Boxes with this intersection over union are the same thing."""

_INSIDE_SHARE = 0.7
_LARGER_MAX = 8  # how many times larger than a text or icon the control around it may be
_CAPTION_SHARE = 0.6  # of an icon's width; a text of this width is its name
_PADDED_MAX = 2.5  # how many times larger than a text the icon that consists of its letters may be
_TEXT, _PICTURE = "label", "icon"
_LABEL_GAP_PX = 12  # between a check box and its text
_ROW_PX = 16


def merged(detections: Sequence[Detection]) -> list[Detection]:
    """Return detections without duplicates, named by their text, in reading order.

    Of two boxes with an IoU of at least `SAME_IOU`, the more certain one is kept, and text is kept
    instead of an icon. A control takes the text inside of it as its name, a check box also the text
    to its right. Several texts side by side stay separate. Icons inside a control are part of it;
    frames of several controls are left out.
    """
    texts = _distinct([each for each in detections if each.role == _TEXT])
    others = _distinct([each for each in detections if each.role != _TEXT])
    others = [each for each in others if not any(_is_text(each.box, text.box) for text in texts)]
    named: list[Detection] = []
    owners: dict[int, int] = {}  # text -> position in `named`
    for each in sorted(others, key=lambda each: (area(each.box), each.box)):  # inner ones first
        inside = [
            at
            for at, text in enumerate(texts)
            if at not in owners and _belongs(text.box, each.box, each.role)
        ]
        if _side_by_side([texts[at].box for at in inside]):  # a row of a table is no control
            inside = []
        owners |= dict.fromkeys(inside, len(named))
        name = " ".join(texts[at].name for at in sorted(inside, key=lambda at: texts[at].box[::-1]))
        box = each.box
        if each.role == "check box":
            for at in inside:
                box = _around(box, texts[at].box)
        named.append(replace(each, box=box, name=each.name or name))
    controls = [each for each in named if each.role != _PICTURE or each.name]
    bars = [each for each in controls if sum(_holds(each.box, one.box) for one in controls) > 1]
    controls = [each for each in controls if each not in bars]
    kept = [
        each
        for each in named
        if each not in bars
        and (each.name or not any(_is_part(each.box, control.box) for control in controls))
    ]
    kept += [text for at, text in enumerate(texts) if at not in owners or named[owners[at]] in bars]
    return sorted(kept, key=lambda each: (_middle(each.box) // _ROW_PX, each.box))


def unlike(detections: Sequence[Detection], boxes: Sequence[Box]) -> list[Detection]:
    """Return the detections that are not one of the boxes, or a part of one that is little larger.

    Args:
        detections: The detections.
        boxes: Boxes of known elements.
    """
    return [
        each
        for each in detections
        if not any(iou(each.box, box) >= SAME_IOU or _is_part(each.box, box) for box in boxes)
    ]


def _distinct(detections: Sequence[Detection]) -> list[Detection]:
    kept: list[Detection] = []
    for each in sorted(detections, key=lambda each: (-each.confidence, each.box)):
        if all(iou(each.box, other.box) < SAME_IOU for other in kept):
            kept.append(each)
    return kept


def _is_text(box: Box, text: Box) -> bool:
    return 2 * intersection(box, text) >= area(box) and area(box) <= _PADDED_MAX * area(text)


def _belongs(text: Box, box: Box, role: str) -> bool:
    if role == "check box":
        gap = text[0] - (box[0] + box[2])
        return 0 <= gap <= _LABEL_GAP_PX and box[1] <= _middle(text) <= box[1] + box[3]
    if role == _PICTURE:  # a short text on a wide picture, such as a banner, is separate
        return _is_part(text, box) and text[2] >= _CAPTION_SHARE * box[2]
    return intersection(text, box) >= _INSIDE_SHARE * area(text)


def _side_by_side(boxes: Sequence[Box]) -> bool:
    return any(
        abs(_middle(one) - _middle(other)) < min(one[3], other[3]) / 2
        for one, other in combinations(boxes, 2)
    )


def _is_part(inner: Box, outer: Box) -> bool:
    return _holds(outer, inner) and area(outer) <= _LARGER_MAX * area(inner)


def _holds(outer: Box, inner: Box) -> bool:
    return area(inner) < area(outer) and intersection(inner, outer) >= _INSIDE_SHARE * area(inner)


def _around(one: Box, other: Box) -> Box:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right = max(one[0] + one[2], other[0] + other[2])
    bottom = max(one[1] + one[3], other[1] + other[3])
    return left, top, right - left, bottom - top


def _middle(box: Box) -> int:
    return box[1] + box[3] // 2
