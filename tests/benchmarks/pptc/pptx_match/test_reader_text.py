"""The text of a deck for a model."""

from collections.abc import Callable

from pptarena.benchmarks.pptc.pptx_match import reader_text
from pptarena.decks import Deck

MakeDeck = Callable[[str], Deck]


def test_text_describes_all_objects(make_scene: MakeDeck) -> None:
    text = reader_text(make_scene(""))
    assert text.splitlines() == [
        "There are 2 slides with slide height 6858 and slide width 9144.",
        "Slide 0 with background color FFFFFF:",
        "Notes: say it",
        "[Title]",
        "Size: height=1143, width=8229",
        "Text:",
        "Sales",
        "Font Style: bold=False, italic=False, underline=False, size=508000, color=000000, "
        "fill=None, font style=Calibri, line_space=1, align=CENTER (2)",
        "Visual Positions: left=457, top=274",
        "",
        "[Content]",
        "Size: height=4525, width=8229",
        "Text:",
        "one",
        "two",
        "Font Style: bold=False, italic=False, underline=False, size=406400, color=000000, "
        "fill=None, font style=Calibri, line_space=1, align=LEFT (1)",
        "Visual Positions: left=457, top=1600",
        "",
        "[Star]",
        "Size: height=900, width=900",
        "Text: ",
        "Shape Style: fill=FF0000",
        "Visual Positions: left=600, top=2979",
        "",
        "[Picture 0]",
        "Size: height=2160, width=2160",
        "Picture Style: rotation=0",
        "Visual Positions: left=5172, top=1825",
        "",
        "Slide 1 with background color FFFF00:",
        "[Title]",
        "Size: height=1143, width=8229",
        "Text:",
        "",
        "Visual Positions: left=457, top=274",
        "",
        "[Content]",
        "Size: height=4525, width=8229",
        "Text:",
        "",
        "Visual Positions: left=457, top=1600",
        "",
        "[Table] with 2 rows and 2 columns",
        "Size: height=740, width=7886",
        "Data:",
        "|a|b|",
        "|||",
        "Visual Positions: left=628, top=1825",
        "",
        "[Chart]",
        "Size: height=4351, width=7886",
        "Title: Chart",
        "Chart Type: COLUMN_CLUSTERED",
        "Data:",
        "x: 1",
        "y: 2",
        "Visual Positions: left=628, top=1825",
    ]


def test_parts_can_be_omitted(make_scene: MakeDeck) -> None:
    deck = make_scene("")
    bare = reader_text(deck, text=False, style=False, position=False)
    assert "[Table] with 2 rows and 2 columns" in bare
    assert not any(word in bare for word in ("Text", "Style", "Size", "Positions", "Notes", "Data"))
    assert "Font Style" not in reader_text(deck, style=False)
    assert "Visual Positions" in reader_text(deck, style=False)


def test_text_boxes_are_numbered(make_deck: MakeDeck) -> None:
    deck = make_deck("insert_textbox();insert_text('a');insert_textbox();insert_text('b')")
    text = reader_text(deck, style=False, position=False)
    assert "[TextBox 0]\nText: a\n" in text
    assert "[TextBox 1]\nText: b\n" in text
