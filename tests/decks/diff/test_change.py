import json

from pptarena.decks import Box, Paint
from pptarena.decks.diff.change import Change, Difference


def test_change_text_is_a_sentence() -> None:
    change = Change("style_changed", "style", 3, 4, "the shape 'A'", 1, "red", "blue", "fill")
    assert change.text == "slide 3: style changed of the shape 'A': fill red -> blue"
    assert change.sentence == "style changed of the shape 'A': fill red -> blue"
    assert Change("notes_changed", "notes", 1, 1, after="'Hi'").text == (
        "slide 1: notes changed: nothing -> 'Hi'"
    )
    assert Change("theme_fonts_changed", "master").text == "theme fonts changed"


def test_added_or_removed_object_is_named_once() -> None:
    assert Change("shape_added", "shapes", 2, 2, "the chart 'C'").text == (
        "slide 2: shape added: the chart 'C'"
    )
    assert Change("slide_added", "slides", None, 5, after="'End'").text == (
        "new slide 5: slide added: 'End'"
    )
    assert Change("slide_removed", "slides", 2).text == "slide 2: slide removed"


def test_json_holds_plain_values() -> None:
    difference = Difference(
        "style", "fill", "a", "b", Paint("solid", "#FF0000"), (Box(1, 2, 3, 4),)
    )
    data = json.loads(json.dumps(Change.of(difference).to_json()))
    assert data["kind"] == "style_changed"
    assert data["value_before"]["color"] == "#FF0000"
    assert data["value_after"] == [
        {"left": 1, "top": 2, "width": 3, "height": 4, "rotation_deg": 0.0, "flip_h": False,
         "flip_v": False}
    ]  # fmt: skip
    assert data["text"] == "style changed: fill a -> b"
