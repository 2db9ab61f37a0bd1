"""The renderer of all decks defined as data."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_CONNECTOR, PP_PLACEHOLDER
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Cm, Emu, Pt

from pptarena.errors import DeckError
from pptarena.tasks.goals.editing import set_transition
from tools.decks.comments import add_comments
from tools.decks.deck_text import Block, DeckText, SlideText
from tools.decks.elements import (
    add_box,
    add_chart,
    add_label,
    add_picture,
    add_slide,
    add_table,
    drop,
    set_bullets,
    show_footer,
)
from tools.decks.house import open_template
from tools.decks.looks import LOOKS
from tools.decks.masters import add_look
from tools.decks.media import draw_film, make_film, make_sound
from tools.decks.media_shapes import add_film, add_sound
from tools.decks.motion import animate
from tools.decks.pie_picture import draw_pie
from tools.decks.scenes import draw_scene
from tools.decks.writing import turn_arabic

__all__ = ["render"]

_BODIES = (1, 2, 3, 4)  # indices of the layouts' text placeholders
_ASIDE = ("caption", "placeholder")  # fields common to several kinds of blocks
_FILLED = (PP_PLACEHOLDER.PICTURE, PP_PLACEHOLDER.TABLE, PP_PLACEHOLDER.CHART)


def render(text: DeckText) -> Any:
    """Return the presentation that a text defines.

    Raises:
        DeckError: If the text names an unknown look, or a block has an unknown field.
    """
    for look in (text.look, *text.looks.values()):
        if look not in LOOKS:
            raise DeckError(f"{text.name}: expected a look of {', '.join(LOOKS)}, got {look!r}")
    deck = open_template(LOOKS[text.look])
    for word, look in text.looks.items():
        add_look(deck, LOOKS[look], word.capitalize())
    masters = {word: number for number, word in enumerate(("", *text.looks))}
    tables = {table.name: table.told["rows"] for table in text.tables()}
    for number, slide in enumerate(text.slides, start=1):
        try:
            _render_slide(deck, slide, tables, text, masters[slide.look])
        except (TypeError, KeyError, ValueError, IndexError) as error:
            raise DeckError(f"{text.name}: slide {number}: {error!r}") from error
    add_comments(deck, [slide.comments for slide in text.slides])
    return deck


def _render_slide(
    deck: Any, text: SlideText, tables: Mapping[str, Any], whole: DeckText, master: int
) -> None:
    slide = add_slide(deck, text.layout, text.title, text.notes, master=master)
    bodies = [
        shape
        for shape in slide.placeholders
        if shape.placeholder_format.idx in _BODIES
        and shape.placeholder_format.type not in _FILLED
        and shape.has_text_frame
    ]
    for shape, items in zip(bodies, text.body, strict=True):
        set_bullets(shape, items)
    made = {block.name: _BLOCKS[block.kind](slide, block, tables) for block in text.blocks}
    turn_arabic(slide._element)
    for block in text.blocks:
        if block.told.get("placeholder"):
            _into_placeholder(slide, made[block.name])
        if caption := block.told.get("caption"):
            _caption(slide, made[block.name], f"{whole.facts[f'figure {block.name}']}: {caption}")
    if whole.footer and text.layout not in ("title", "section", "blank"):
        show_footer(slide, whole.footer["text"], whole.footer["date"])
    if text.transition:
        set_transition(slide, text.transition)
    if text.appear:
        animate(slide, [made[name] for name in text.appear])
    if text.hidden:
        slide._element.set("show", "0")


def _into_placeholder(slide: Any, shape: Any) -> None:
    """Replace a placeholder of the layout with a picture, table or chart."""
    empty = next(each for each in slide.placeholders if each.placeholder_format.type in _FILLED)
    place = empty._element.find(".//" + qn("p:ph"))
    shape._element[0].find(qn("p:nvPr")).insert(0, place)
    empty._element.addprevious(shape._element)
    drop(empty)


def _caption(slide: Any, figure: Any, text: str) -> None:
    """Add a caption below a figure."""
    left, top, width = figure.left, figure.top + figure.height, figure.width
    box = (Emu(left).cm, Emu(top).cm + 0.1, Emu(width).cm, 0.9)
    label = add_label(slide, box, text, name=f"Caption {figure.name}", size=14)
    label.text_frame.paragraphs[0].runs[0].font.italic = True


def _table(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    rows = block.told["rows"]
    widths = block.told.get("widths", [3, *[2] * (len(rows[0]) - 1)])
    numbers = block.told.get("numbers", range(1, len(rows[0])))
    size = block.told.get("size", 15)
    frame = add_table(
        slide, block.box, rows, widths, name=block.name, size=size, numbers=tuple(numbers)
    )
    if block.told.get("total"):
        for cell in frame.table.rows[len(rows) - 1].cells:
            cell.text_frame.paragraphs[0].runs[0].font.bold = True
    return frame


def _chart(slide: Any, block: Block, tables: Mapping[str, Any]) -> Any:
    told = {key: value for key, value in block.told.items() if key not in _ASIDE}
    if "table" in told:  # drawn from a table of the deck, so that both agree
        head, *rows = tables[told.pop("table")]
        rows = rows[: told.pop("rows", len(rows))]
        told["categories"] = [row[0] for row in rows]
        columns: Sequence[str] = told.pop("columns")
        told["series"] = {
            column: [_number(row[head.index(column)]) for row in rows] for column in columns
        }
    frame = add_chart(
        slide,
        block.box,
        told.pop("kind"),
        told.pop("categories"),
        told.pop("series"),
        name=block.name,
        title=told.pop("title", ""),
        number_format=told.pop("number_format", "0.0"),
        labels=told.pop("labels", False),
    )
    if told:
        raise ValueError(f"a chart is told no {sorted(told)[0]}")
    return frame


def _number(text: str) -> float:
    return float(text.replace(",", "").rstrip(" %"))


def _label(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    size = block.told.get("size", 16)
    label = add_label(slide, block.box, block.told["text"], name=block.name, size=size)
    if align := block.told.get("align"):
        label.text_frame.paragraphs[0].alignment = getattr(PP_ALIGN, align)
    if block.told.get("vertical"):
        label.text_frame._txBody.bodyPr.set("vert", "eaVert")
    if url := block.told.get("url"):
        label.text_frame.paragraphs[0].runs[0].hyperlink.address = url
    return label


def _tiles(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    texts, colors = block.told["texts"], block.told.get("colors", ("ACCENT_1",))
    left, top, width, height = block.box
    gap = block.told.get("gap", 0.4)
    each = (width - gap * (len(texts) - 1)) / len(texts)
    size = block.told.get("size", 24)
    places = [left + index * (each + gap) for index in range(len(texts))]
    if block.told.get("mirrored"):
        places.reverse()
    made = [
        add_box(
            slide.shapes,
            (places[index], top, each, height),
            text,
            name=f"{block.name} {index + 1}",
            color=colors[index % len(colors)],
            size=size,
        )
        for index, text in enumerate(texts)
    ]
    return made[0]


def _chain(slide: Any, block: Block, tables: Mapping[str, Any]) -> Any:
    """Boxes in a row, connected by glued arrows; mirrored rows run from right to left."""
    start = len(slide.shapes)
    first = _tiles(slide, block, tables)
    sides = (1, 3) if block.told.get("mirrored") else (3, 1)
    for one, two in pairwise(list(slide.shapes)[start:]):
        edge = _join(slide, one, sides[0], two, sides[1]).line._get_or_add_ln()
        edge.append(edge.makeelement(qn("a:tailEnd"), {"type": "triangle"}))
    return first


def _tree(slide: Any, block: Block, tables: Mapping[str, Any]) -> Any:
    """A box, and below it a row of others, each connected to it."""
    left, top, width, height = block.box
    high, wide = block.told["box_height"], block.told["top_width"]
    above = (left + (width - wide) / 2, top, wide, high)
    size = block.told.get("size", 20)
    first = add_box(
        slide.shapes, above, block.told["top"], name=block.name, color="TEXT_2", size=size
    )
    start = len(slide.shapes)
    row = Block("tiles", block.name, (left, top + height - high, width, high), block.told)
    _tiles(slide, row, tables)
    for below in list(slide.shapes)[start:]:
        _join(slide, first, 2, below, 0)
    return first


def _join(slide: Any, one: Any, side: int, two: Any, other_side: int) -> Any:
    line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 0, 0)
    line.begin_connect(one, side)
    line.end_connect(two, other_side)
    line.name = f"{one.name} to {two.name}"
    line.line.color.theme_color = MSO_THEME_COLOR.TEXT_2
    line.line.width = Pt(2)
    return line


def _shape(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    told = block.told
    return add_box(
        slide.shapes,
        block.box,
        told.get("text", ""),
        name=block.name,
        color=told.get("color", "ACCENT_1"),
        shape=told.get("geometry", "RECTANGLE"),
    )


def _pie_picture(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    image = draw_pie(block.told["parts"])
    return add_picture(slide, image, block.box, block.name, block.told["alt"])


def _scene(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    """A drawn picture; with `stretch` it fills its box and ignores its aspect ratio."""
    image = draw_scene(block.told["draw"])
    picture = add_picture(slide, image, block.box, block.name, block.told.get("alt", ""))
    if block.told.get("stretch"):
        picture.height = Cm(block.box[3])
    return picture


def _photo(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    """A scene that fills its box like a photograph, cropped at the sides."""
    picture = add_picture(
        slide, draw_scene(block.told["draw"]), block.box, block.name, block.told.get("alt", "")
    )
    wide, high = picture.width, picture.height
    picture.height = Cm(block.box[3])
    cut = 1 - (picture.height / wide) / (high / wide)
    if cut > 0:
        picture.crop_top = picture.crop_bottom = round(cut / 2, 4)
    else:
        picture.crop_left = picture.crop_right = round((1 - 1 / (1 - cut)) / 2, 4)
    if block.told.get("behind"):
        slide.shapes._spTree.insert(2, picture._element)
    return picture


def _film(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    name = block.told["film"]
    return add_film(slide, make_film(name), block.box, block.name, draw_film(name))


def _sound(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    return add_sound(slide, make_sound(block.told["sound"]), block.box, block.name)


_BLOCKS: Mapping[str, Callable[[Any, Block, Mapping[str, Any]], Any]] = {
    "table": _table,
    "chart": _chart,
    "label": _label,
    "tiles": _tiles,
    "chain": _chain,
    "tree": _tree,
    "pie_picture": _pie_picture,
    "scene": _scene,
    "shape": _shape,
    "photo": _photo,
    "film": _film,
    "sound": _sound,
}
