"""The reimplementation of OSWorld's comparison: checks, options and known faults."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import MSO_TEXT_UNDERLINE_TYPE, PP_ALIGN
from pptx.util import Emu, Pt
from tests.each_case import each_case

from pptarena.benchmarks.osworld.compare import compare_files
from pptarena.errors import DeckError

Deck = Callable[..., bytes]


def run(presentation: Any) -> Any:
    return presentation.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0]


def bold(presentation: Any) -> None:
    run(presentation).font.bold = True


def not_bold(presentation: Any) -> None:
    run(presentation).font.bold = False


def italic(presentation: Any) -> None:
    run(presentation).font.italic = True


def underlined(presentation: Any) -> None:
    run(presentation).font.underline = True


def wavy(presentation: Any) -> None:
    run(presentation).font.underline = MSO_TEXT_UNDERLINE_TYPE.WAVY_LINE


def large(presentation: Any) -> None:
    run(presentation).font.size = Pt(40)


def typeface(presentation: Any) -> None:
    run(presentation).font.name = "Georgia"


def struck_through(presentation: Any) -> None:
    run(presentation).font._element.set("strike", "sngStrike")


def red(presentation: Any) -> None:
    run(presentation).font.color.rgb = RGBColor(255, 0, 0)  # type: ignore[no-untyped-call]


def blue(presentation: Any) -> None:
    run(presentation).font.color.rgb = RGBColor(0, 0, 255)  # type: ignore[no-untyped-call]


def retitled(presentation: Any) -> None:
    presentation.slides[0].shapes.title.text = "Yield"


def left(presentation: Any) -> None:
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT


def right(presentation: Any) -> None:
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT


def indented(presentation: Any) -> None:
    presentation.slides[0].placeholders[1].text_frame.paragraphs[1].level = 1


def bullet(presentation: Any) -> None:
    from lxml import etree

    paragraph = presentation.slides[0].placeholders[1].text_frame.paragraphs[0]
    namespace = "http://schemas.openxmlformats.org/drawingml/2006/main"
    character = etree.SubElement(paragraph._p.get_or_add_pPr(), f"{{{namespace}}}buChar")
    character.set("char", "*")


def split(presentation: Any) -> None:
    paragraph = presentation.slides[0].placeholders[1].text_frame.paragraphs[0]
    paragraph.runs[0].text = "Wh"
    paragraph.add_run().text = "eat"


def with_note(presentation: Any) -> None:
    presentation.slides[0].notes_slide.notes_text_frame.text = "Say so."


def green(presentation: Any) -> None:
    presentation.slides[0].background.fill.solid()
    presentation.slides[0].background.fill.fore_color.rgb = RGBColor(0, 128, 0)  # type: ignore[no-untyped-call]


def shifted(presentation: Any) -> None:
    presentation.slides[0].shapes[2].left += 200_000


def nudged(presentation: Any) -> None:
    presentation.slides[0].shapes[2].left += 1_000


def taller(presentation: Any) -> None:
    presentation.slides[0].shapes[2].height += 200_000


def with_new_slide(presentation: Any) -> None:
    presentation.slides.add_slide(presentation.slide_layouts[6])


def with_box(presentation: Any) -> None:
    presentation.slides[0].shapes.add_textbox(*map(Emu, (0, 0, 900_000, 900_000)))


def cell_bold(presentation: Any) -> None:
    cell = presentation.slides[2].shapes[2].table.cell(0, 0)
    cell.text_frame.paragraphs[0].runs[0].font.bold = True


def cell_text(presentation: Any) -> None:
    cell = presentation.slides[2].shapes[2].table.cell(0, 0)
    cell.text_frame.paragraphs[0].runs[0].text = "z"


def difference(deck: Deck, result: Any, gold: Any, **options: Any) -> str:
    first, second = (deck(*filter(None, [edit])) for edit in (result, gold))
    comparison = compare_files(first, second, options)
    assert comparison.same is not bool(comparison.reason)
    return comparison.reason


@pytest.mark.slow
@each_case(
    "edit, option",
    [
        (bold, "font_bold"),
        (italic, "font_italic"),
        (underlined, "font_underline"),
        (large, "font_size"),
        (typeface, "font_name"),
        (struck_through, "strike_through"),
        (right, "alignment"),
        (bullet, "bullets"),
        (split, "run_count"),
        (with_note, "note"),
        (green, "background_color"),
        (shifted, "shape"),
        (with_new_slide, "number_of_slides"),
    ],
)
def test_difference_is_reported_unless_an_option_excludes_it(
    deck: Deck, edit: Any, option: str
) -> None:
    assert difference(deck, edit, None)
    assert difference(deck, None, edit)
    assert difference(deck, edit, edit) == ""
    assert difference(deck, None, edit, **{f"examine_{option}": False}) == ""


@pytest.mark.slow
def test_text_and_levels_are_checked_by_several_options(deck: Deck) -> None:
    assert "'Harvest' instead of 'Yield'" in difference(deck, None, retitled)
    off = {"examine_text": False, "examine_bullets": False}
    assert difference(deck, None, retitled, **off) == ""
    bullets = "slide 1: shape 1: the bullets of the slide differ"
    assert difference(deck, None, indented, examine_indent=False) == bullets
    assert difference(deck, None, indented, examine_indent=False, examine_bullets=False) == ""


@pytest.mark.slow
def test_missing_formatting_equals_the_default(deck: Deck) -> None:
    assert difference(deck, not_bold, None) == ""
    assert difference(deck, left, None) == ""
    # Two known faults: underline styles, and a color on text that had none, are ignored.
    assert difference(deck, wavy, None) == ""
    assert difference(deck, red, None) == ""
    assert "the colour of 'Wheat' differs" in difference(deck, red, blue)


def test_lengths_may_differ_by_half_a_percent(deck: Deck) -> None:
    assert difference(deck, nudged, None) == ""
    assert "left is 301000 instead of 300000" in difference(
        deck, nudged, None, approximately_tolerance=0.001
    )


def test_shape_count_is_always_compared(deck: Deck) -> None:
    assert difference(deck, with_box, None, examine_shape=False) == "slide 1: 4 shapes instead of 3"


@pytest.mark.slow
def test_table_formatting_is_compared_but_not_text(deck: Deck) -> None:
    reason = "slide 3: shape 3: row 1, column 1: bold differs"
    assert difference(deck, cell_bold, None) == reason
    assert difference(deck, cell_bold, None, examine_font_bold=False) == reason
    # The check of bullets detects the text: it covers all paragraphs on a slide with their text.
    assert difference(deck, cell_text, None) == "slide 3: shape 1: the bullets of the slide differ"
    assert difference(deck, cell_text, None, examine_bullets=False) == ""


@pytest.mark.slow
def test_heights_count_without_shapes(deck: Deck) -> None:
    options = {"examine_shape": False, "examine_modify_height": True}
    assert difference(deck, shifted, None, **options) == ""
    assert "height is 1100000" in difference(deck, taller, None, **options)
    sizes = {"examine_shape": False, "examine_image_size": True}
    assert difference(deck, shifted, None, **sizes) == ""
    assert "height is 1100000" in difference(deck, taller, None, **sizes)


def test_group_members_are_compared(deck: Deck) -> None:
    def grouped(align: PP_ALIGN) -> Any:
        def edit(presentation: Any) -> None:
            group = presentation.slides[0].shapes.add_group_shape()
            box = group.shapes.add_textbox(*map(Emu, (0, 0, 900_000, 900_000)))
            box.text_frame.text = "Inside"
            box.text_frame.paragraphs[0].alignment = align

        return edit

    assert difference(deck, grouped(PP_ALIGN.LEFT), grouped(PP_ALIGN.LEFT)) == ""
    reason = difference(deck, grouped(PP_ALIGN.LEFT), grouped(PP_ALIGN.CENTER))
    assert reason.startswith("slide 1: 'Inside' is aligned LEFT")


def test_theme_background_cannot_be_compared(deck: Deck) -> None:
    def themed(presentation: Any) -> None:
        presentation.slides[0].background.fill.solid()
        color = presentation.slides[0].background.fill.fore_color
        color.theme_color = MSO_THEME_COLOR.ACCENT_1

    assert difference(deck, themed, None).startswith("cannot be compared: ValueError")
    assert difference(deck, themed, None, examine_background_color=False) == ""


def test_comparison_does_not_change_decks(deck: Deck) -> None:
    data = deck(green)
    before = [slide.part.blob for slide in Presentation(io.BytesIO(data)).slides]
    compare_files(data, data, {})
    assert [slide.part.blob for slide in Presentation(io.BytesIO(data)).slides] == before


def test_unknown_options_are_ignored(deck: Deck) -> None:
    assert difference(deck, None, None, examine_shape_lenient_height=True, colour=3) == ""
    assert difference(deck, nudged, None, approximately_tolerance="x") == ""


def test_invalid_deck_is_an_error(deck: Deck) -> None:
    with pytest.raises(DeckError, match="the result cannot be read"):
        compare_files(b"PK", deck(), {})
    with pytest.raises(DeckError, match="the gold deck cannot be read"):
        compare_files(deck(), b"", {})
