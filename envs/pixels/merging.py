"""Merge the detections of one screenshot with each other and with an accessibility tree."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from pptarena.envs.pixels.detection import Box, Detection, area, intersection, iou

__all__ = ["SAME_IOU", "exclude_known", "merge_detections"]

SAME_IOU = 0.5
"""Boxes with this intersection over union are the same thing."""

_INSIDE_SHARE = 0.7
_LARGER_MAX = 8  # how many times larger than a text or icon the control around it may be
_CAPTION_SHARE = 0.6  # of an icon's width; a text of this width is its name
_PADDED_MAX = 2.5  # how many times larger than a text the icon that consists of its letters may be
_TEXT, _PICTURE = "label", "icon"
_LABEL_GAP_PX = 12  # between a check box and its text
_ROW_PX = 16


def merge_detections(detections: Sequence[Detection]) -> list[Detection]:
    """Return detections without duplicates, named by their text, in reading order.

    Of two boxes with an IoU of at least `SAME_IOU`, the more certain one is kept, and text is kept
    instead of an icon. A control takes the text inside of it as its name, a check box also the text
    to its right. Several texts side by side stay separate. Icons inside a control are part of it;
    frames of several controls are left out.
    """
    texts = _without_duplicates([item for item in detections if item.role == _TEXT])
    controls_and_icons = _without_duplicates([item for item in detections if item.role != _TEXT])
    controls_and_icons = [
        item
        for item in controls_and_icons
        if not any(_covers_text(item.box, text.box) for text in texts)
    ]
    named: list[Detection] = []
    owners: dict[int, int] = {}  # text -> position in `named`
    controls_and_icons.sort(key=lambda item: (area(item.box), item.box))  # inner ones first
    for item in controls_and_icons:
        inner_texts = [
            index
            for index, text in enumerate(texts)
            if index not in owners and _is_label_of(text.box, item.box, item.role)
        ]
        if _side_by_side([texts[index].box for index in inner_texts]):
            inner_texts = []  # a row of a table is no control
        owners |= dict.fromkeys(inner_texts, len(named))
        name = " ".join(
            texts[index].name
            for index in sorted(inner_texts, key=lambda index: texts[index].box[::-1])
        )
        box = item.box
        if item.role == "check box":
            for index in inner_texts:
                box = _union(box, texts[index].box)
        named.append(replace(item, box=box, name=item.name or name))
    controls = [item for item in named if item.role != _PICTURE or item.name]
    bars = [
        item for item in controls if sum(_encloses(item.box, other.box) for other in controls) > 1
    ]
    controls = [item for item in controls if item not in bars]
    result = [
        item
        for item in named
        if item not in bars
        and (item.name or not any(_is_part_of(item.box, control.box) for control in controls))
    ]
    result += [
        text
        for index, text in enumerate(texts)
        if index not in owners or named[owners[index]] in bars
    ]
    return sorted(result, key=lambda item: (_center_y(item.box) // _ROW_PX, item.box))


def exclude_known(detections: Sequence[Detection], boxes: Sequence[Box]) -> list[Detection]:
    """Return the detections that are not one of the boxes, or a part of one that is little larger.

    Args:
        detections: The detections.
        boxes: Boxes of known elements.
    """
    return [
        detection
        for detection in detections
        if not any(
            iou(detection.box, box) >= SAME_IOU or _is_part_of(detection.box, box) for box in boxes
        )
    ]


def _without_duplicates(detections: Sequence[Detection]) -> list[Detection]:
    distinct: list[Detection] = []
    for detection in sorted(
        detections, key=lambda detection: (-detection.confidence, detection.box)
    ):
        if all(iou(detection.box, other.box) < SAME_IOU for other in distinct):
            distinct.append(detection)
    return distinct


def _covers_text(box: Box, text: Box) -> bool:
    return 2 * intersection(box, text) >= area(box) and area(box) <= _PADDED_MAX * area(text)


def _is_label_of(text: Box, box: Box, role: str) -> bool:
    if role == "check box":
        gap = text[0] - (box[0] + box[2])
        return 0 <= gap <= _LABEL_GAP_PX and box[1] <= _center_y(text) <= box[1] + box[3]
    if role == _PICTURE:  # a short text on a wide picture, such as a banner, is separate
        return _is_part_of(text, box) and text[2] >= _CAPTION_SHARE * box[2]
    return intersection(text, box) >= _INSIDE_SHARE * area(text)


def _side_by_side(boxes: Sequence[Box]) -> bool:
    return any(
        abs(_center_y(first) - _center_y(second)) < min(first[3], second[3]) / 2
        for first, second in combinations(boxes, 2)
    )


def _is_part_of(inner: Box, outer: Box) -> bool:
    return _encloses(outer, inner) and area(outer) <= _LARGER_MAX * area(inner)


def _encloses(outer: Box, inner: Box) -> bool:
    return area(inner) < area(outer) and intersection(inner, outer) >= _INSIDE_SHARE * area(inner)


def _union(first: Box, second: Box) -> Box:
    left, top = min(first[0], second[0]), min(first[1], second[1])
    right = max(first[0] + first[2], second[0] + second[2])
    bottom = max(first[1] + first[3], second[1] + second[3])
    return left, top, right - left, bottom - top


def _center_y(box: Box) -> int:
    return box[1] + box[3] // 2
