"""Merging of detections with each other and with the tree."""

from pptarena.envs.pixels.detection import Detection, iou
from pptarena.envs.pixels.merging import exclude_known, merge_detections

FILE = Detection((10, 10, 30, 12), "label", "File", 0.9)
EDIT = Detection((60, 10, 30, 12), "label", "Edit", 0.9)


def test_iou_is_shared_area_by_total_area() -> None:
    assert iou((0, 0, 10, 10), (5, 0, 10, 10)) == 50 / 150
    assert iou((0, 0, 10, 10), (10, 0, 10, 10)) == 0.0


def test_more_confident_of_two_overlapping_boxes_is_retained() -> None:
    weak, strong = (Detection((0, 0, 40, 30 + c), "icon", "", c / 10) for c in (3, 8))
    assert merge_detections([weak, strong]) == merge_detections([strong, weak]) == [strong]


def test_text_replaces_an_icon_of_the_same_area() -> None:
    assert merge_detections([Detection((8, 8, 34, 16), "icon"), FILE]) == [FILE]


def test_control_is_named_by_its_text() -> None:
    button = Detection((0, 0, 90, 32), "button")
    assert merge_detections([FILE, button]) == [Detection(button.box, "button", "File")]
    tick = Detection((45, 10, 12, 12), "check box")
    assert merge_detections([tick, EDIT]) == [Detection((45, 10, 45, 12), "check box", "Edit")]


def test_bar_of_controls_is_dropped() -> None:
    controls = [Detection((x, 4, 40, 24), "button") for x in (5, 55)]
    bar = Detection((0, 0, 200, 40), "button")
    far = Detection((140, 10, 30, 12), "label", "Help", 0.9)
    named = [
        Detection(each.box, "button", name)
        for each, name in zip(controls, ("File", "Edit"), strict=True)
    ]
    assert merge_detections([bar, *controls, FILE, EDIT, far]) == [*named, far]


def test_elements_are_in_reading_order() -> None:
    below = Detection((0, 100, 30, 12), "label", "Below", 0.99)
    assert merge_detections([below, EDIT, FILE]) == [FILE, EDIT, below]


def test_elements_of_the_tree_are_excluded() -> None:
    menu = (4, 4, 40, 24)
    assert exclude_known([FILE, EDIT], [menu]) == [EDIT]
    assert exclude_known([FILE, EDIT], [(0, 0, 1280, 720)]) == [FILE, EDIT]


def test_texts_side_by_side_stay_separate() -> None:
    row = Detection((0, 0, 120, 32), "button")
    assert merge_detections([row, FILE, EDIT]) == [row, FILE, EDIT]
    below = Detection((10, 24, 30, 12), "label", "New", 0.9)
    assert merge_detections([Detection((0, 0, 60, 40), "button"), FILE, below]) == [
        Detection((0, 0, 60, 40), "button", "File New")
    ]


def test_short_text_on_a_wide_picture_stays_separate() -> None:
    banner, tile = Detection((0, 0, 90, 24), "icon"), Detection((0, 0, 48, 40), "icon")
    assert merge_detections([banner, FILE]) == [banner, FILE]
    assert merge_detections([tile, FILE]) == [Detection(tile.box, "icon", "File")]
