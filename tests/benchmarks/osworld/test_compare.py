"""The twin of OSWorld's comparison: what it sees, what its options leave out, and its faults."""

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


def struck(presentation: Any) -> None:
    run(presentation).font._element.set("strike", "sngStrike")


def red(presentation: Any) -> None:
    run(presentation).font.color.rgb = RGBColor(255, 0, 0)  # type: ignore[no-untyped-call]


def blue(presentation: Any) -> None:
    run(presentation).font.color.rgb = RGBColor(0, 0, 255)  # type: ignore[no-untyped-call]


def renamed(presentation: Any) -> None:
    presentation.slides[0].shapes.title.text = "Yield"


def left(presentation: Any) -> None:
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT


def right(presentation: Any) -> None:
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT


def deeper(presentation: Any) -> None:
    presentation.slides[0].placeholders[1].text_frame.paragraphs[1].level = 1


def bullet(presentation: Any) -> None:
    from lxml import etree

    paragraph = presentation.slides[0].placeholders[1].text_frame.paragraphs[0]
    space = "http://schemas.openxmlformats.org/drawingml/2006/main"
    sign = etree.SubElement(paragraph._p.get_or_add_pPr(), f"{{{space}}}buChar")
    sign.set("char", "*")


def split(presentation: Any) -> None:
    paragraph = presentation.slides[0].placeholders[1].text_frame.paragraphs[0]
    paragraph.runs[0].text = "Wh"
    paragraph.add_run().text = "eat"


def noted(presentation: Any) -> None:
    presentation.slides[0].notes_slide.notes_text_frame.text = "Say so."


def green(presentation: Any) -> None:
    presentation.slides[0].background.fill.solid()
    presentation.slides[0].background.fill.fore_color.rgb = RGBColor(0, 128, 0)  # type: ignore[no-untyped-call]


def shifted(presentation: Any) -> None:
    presentation.slides[0].shapes[2].left += 200_000


def nudged(presentation: Any) -> None:
    presentation.slides[0].shapes[2].left += 1_000


def heightened(presentation: Any) -> None:
    presentation.slides[0].shapes[2].height += 200_000


def more(presentation: Any) -> None:
    presentation.slides.add_slide(presentation.slide_layouts[6])


def boxed(presentation: Any) -> None:
    presentation.slides[0].shapes.add_textbox(*map(Emu, (0, 0, 900_000, 900_000)))


def cell_bold(presentation: Any) -> None:
    cell = presentation.slides[2].shapes[2].table.cell(0, 0)
    cell.text_frame.paragraphs[0].runs[0].font.bold = True


def cell_text(presentation: Any) -> None:
    cell = presentation.slides[2].shapes[2].table.cell(0, 0)
    cell.text_frame.paragraphs[0].runs[0].text = "z"


def said(deck: Deck, result: Any, gold: Any, **options: Any) -> str:
    one, other = (deck(*filter(None, [edit])) for edit in (result, gold))
    found = compare_files(one, other, options)
    assert found.same is not bool(found.reason)
    return found.reason


@pytest.mark.slow
@each_case(
    "edit, option",
    [
        (bold, "font_bold"),
        (italic, "font_italic"),
        (underlined, "font_underline"),
        (large, "font_size"),
        (typeface, "font_name"),
        (struck, "strike_through"),
        (right, "alignment"),
        (bullet, "bullets"),
        (split, "run_count"),
        (noted, "note"),
        (green, "background_color"),
        (shifted, "shape"),
        (more, "number_of_slides"),
    ],
)
def test_what_differs_is_seen_unless_an_option_leaves_it_out(
    deck: Deck, edit: Any, option: str
) -> None:
    assert said(deck, edit, None)
    assert said(deck, None, edit)
    assert said(deck, edit, edit) == ""
    assert said(deck, None, edit, **{f"examine_{option}": False}) == ""


@pytest.mark.slow
def test_text_and_levels_are_seen_by_more_than_one_option(deck: Deck) -> None:
    assert "'Harvest' instead of 'Yield'" in said(deck, None, renamed)
    off = {"examine_text": False, "examine_bullets": False}
    assert said(deck, None, renamed, **off) == ""
    bullets = "slide 1: shape 1: the bullets of the slide differ"
    assert said(deck, None, deeper, examine_indent=False) == bullets
    assert said(deck, None, deeper, examine_indent=False, examine_bullets=False) == ""


@pytest.mark.slow
def test_what_is_not_said_is_off_or_left(deck: Deck) -> None:
    assert said(deck, not_bold, None) == ""
    assert said(deck, left, None) == ""
    # Two of its faults: a style of underlining, and a color where there was none, are not seen.
    assert said(deck, wavy, None) == ""
    assert said(deck, red, None) == ""
    assert "the colour of 'Wheat' differs" in said(deck, red, blue)


def test_lengths_may_differ_by_half_a_percent(deck: Deck) -> None:
    assert said(deck, nudged, None) == ""
    assert "left is 301000 instead of 300000" in said(
        deck, nudged, None, approximately_tolerance=0.001
    )


def test_shapes_are_counted_whatever_is_examined(deck: Deck) -> None:
    assert said(deck, boxed, None, examine_shape=False) == "slide 1: 4 shapes instead of 3"


@pytest.mark.slow
def test_tables_are_looked_at_but_for_their_text(deck: Deck) -> None:
    reason = "slide 3: shape 3: row 1, column 1: bold differs"
    assert said(deck, cell_bold, None) == reason
    assert said(deck, cell_bold, None, examine_font_bold=False) == reason
    # That is seen after all, since bullets are those of everything on a slide, with their texts.
    assert said(deck, cell_text, None) == "slide 3: shape 1: the bullets of the slide differ"
    assert said(deck, cell_text, None, examine_bullets=False) == ""


@pytest.mark.slow
def test_heights_alone_count_where_shapes_do_not(deck: Deck) -> None:
    options = {"examine_shape": False, "examine_modify_height": True}
    assert said(deck, shifted, None, **options) == ""
    assert "height is 1100000" in said(deck, heightened, None, **options)
    sizes = {"examine_shape": False, "examine_image_size": True}
    assert said(deck, shifted, None, **sizes) == ""
    assert "height is 1100000" in said(deck, heightened, None, **sizes)


def test_members_of_groups_are_compared_too(deck: Deck) -> None:
    def grouped(align: PP_ALIGN) -> Any:
        def edit(presentation: Any) -> None:
            group = presentation.slides[0].shapes.add_group_shape()
            box = group.shapes.add_textbox(*map(Emu, (0, 0, 900_000, 900_000)))
            box.text_frame.text = "Inside"
            box.text_frame.paragraphs[0].alignment = align

        return edit

    assert said(deck, grouped(PP_ALIGN.LEFT), grouped(PP_ALIGN.LEFT)) == ""
    reason = said(deck, grouped(PP_ALIGN.LEFT), grouped(PP_ALIGN.CENTER))
    assert reason.startswith("slide 1: 'Inside' is aligned LEFT")


def test_a_background_of_the_theme_cannot_be_compared(deck: Deck) -> None:
    def themed(presentation: Any) -> None:
        presentation.slides[0].background.fill.solid()
        color = presentation.slides[0].background.fill.fore_color
        color.theme_color = MSO_THEME_COLOR.ACCENT_1

    assert said(deck, themed, None).startswith("cannot be compared: ValueError")
    assert said(deck, themed, None, examine_background_color=False) == ""


def test_nothing_is_changed_by_looking(deck: Deck) -> None:
    one = deck(green)
    before = [slide.part.blob for slide in Presentation(io.BytesIO(one)).slides]
    compare_files(one, one, {})
    assert [slide.part.blob for slide in Presentation(io.BytesIO(one)).slides] == before


def test_options_that_are_none_are_passed_over(deck: Deck) -> None:
    assert said(deck, None, None, examine_shape_lenient_height=True, colour=3) == ""
    assert said(deck, nudged, None, approximately_tolerance="x") == ""


def test_what_is_no_deck_is_an_error(deck: Deck) -> None:
    with pytest.raises(DeckError, match="the result cannot be read"):
        compare_files(b"PK", deck(), {})
    with pytest.raises(DeckError, match="the gold deck cannot be read"):
        compare_files(deck(), b"", {})
