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
from tools.decks.deck_template import open_template
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
from tools.decks.masters import add_master
from tools.decks.media import draw_film, make_film, make_sound
from tools.decks.media_shapes import add_film, add_sound
from tools.decks.motion import animate
from tools.decks.pie_picture import draw_pie
from tools.decks.scenes import draw_scene
from tools.decks.styles import STYLES
from tools.decks.text_direction import set_arabic_direction

__all__ = ["render"]

_BODIES = (1, 2, 3, 4)  # indices of the layouts' text placeholders
_COMMON_FIELDS = ("caption", "placeholder")  # fields common to several kinds of blocks
_OBJECT_PLACEHOLDERS = (PP_PLACEHOLDER.PICTURE, PP_PLACEHOLDER.TABLE, PP_PLACEHOLDER.CHART)


def render(text: DeckText) -> Any:
    """Return the presentation that a text defines.

    Raises:
        DeckError: If the text names an unknown style, or a block has an unknown field.
    """
    for style in (text.look, *text.looks.values()):
        if style not in STYLES:
            raise DeckError(
                f"{text.name}: look: expected one of {', '.join(STYLES)}, got {style!r}"
            )
    deck = open_template(STYLES[text.look])
    for key, style in text.looks.items():
        add_master(deck, STYLES[style], key.capitalize())
    masters = {key: number for number, key in enumerate(("", *text.looks))}
    tables = {table.name: table.fields["rows"] for table in text.tables()}
    for number, slide in enumerate(text.slides, start=1):
        try:
            _render_slide(deck, slide, tables, text, masters[slide.look])
        except (TypeError, KeyError, ValueError, IndexError) as error:
            raise DeckError(f"{text.name}: slide {number}: {error!r}") from error
    add_comments(deck, [slide.comments for slide in text.slides])
    return deck


def _render_slide(
    deck: Any, text: SlideText, tables: Mapping[str, Any], deck_text: DeckText, master: int
) -> None:
    slide = add_slide(deck, text.layout, text.title, text.notes, master=master)
    bodies = [
        shape
        for shape in slide.placeholders
        if shape.placeholder_format.idx in _BODIES
        and shape.placeholder_format.type not in _OBJECT_PLACEHOLDERS
        and shape.has_text_frame
    ]
    for shape, items in zip(bodies, text.body, strict=True):
        set_bullets(shape, items)
    shapes = {
        block.name: _BLOCK_RENDERERS[block.kind](slide, block, tables) for block in text.blocks
    }
    set_arabic_direction(slide._element)
    for block in text.blocks:
        if block.fields.get("placeholder"):
            _move_into_placeholder(slide, shapes[block.name])
        if caption := block.fields.get("caption"):
            _caption(
                slide, shapes[block.name], f"{deck_text.facts[f'figure {block.name}']}: {caption}"
            )
    if deck_text.footer and text.layout not in ("title", "section", "blank"):
        show_footer(slide, deck_text.footer["text"], deck_text.footer["date"])
    if text.transition:
        set_transition(slide, text.transition)
    if text.appear:
        animate(slide, [shapes[name] for name in text.appear])
    if text.hidden:
        slide._element.set("show", "0")


def _move_into_placeholder(slide: Any, shape: Any) -> None:
    """Replace a placeholder of the layout with a picture, table or chart."""
    empty = next(
        each for each in slide.placeholders if each.placeholder_format.type in _OBJECT_PLACEHOLDERS
    )
    placeholder_tag = empty._element.find(".//" + qn("p:ph"))
    shape._element[0].find(qn("p:nvPr")).insert(0, placeholder_tag)
    empty._element.addprevious(shape._element)
    drop(empty)


def _caption(slide: Any, figure: Any, text: str) -> None:
    """Add a caption below a figure."""
    left, top, width = figure.left, figure.top + figure.height, figure.width
    box = (Emu(left).cm, Emu(top).cm + 0.1, Emu(width).cm, 0.9)
    label = add_label(slide, box, text, name=f"Caption {figure.name}", size=14)
    label.text_frame.paragraphs[0].runs[0].font.italic = True


def _table(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    rows = block.fields["rows"]
    widths = block.fields.get("widths", [3, *[2] * (len(rows[0]) - 1)])
    numbers = block.fields.get("numbers", range(1, len(rows[0])))
    size = block.fields.get("size", 15)
    frame = add_table(
        slide, block.box, rows, widths, name=block.name, size=size, numbers=tuple(numbers)
    )
    if block.fields.get("total"):
        for cell in frame.table.rows[len(rows) - 1].cells:
            cell.text_frame.paragraphs[0].runs[0].font.bold = True
    return frame


def _chart(slide: Any, block: Block, tables: Mapping[str, Any]) -> Any:
    fields = {key: value for key, value in block.fields.items() if key not in _COMMON_FIELDS}
    if "table" in fields:  # drawn from a table of the deck, so that both agree
        header, *rows = tables[fields.pop("table")]
        rows = rows[: fields.pop("rows", len(rows))]
        fields["categories"] = [row[0] for row in rows]
        columns: Sequence[str] = fields.pop("columns")
        fields["series"] = {
            column: [_number(row[header.index(column)]) for row in rows] for column in columns
        }
    frame = add_chart(
        slide,
        block.box,
        fields.pop("kind"),
        fields.pop("categories"),
        fields.pop("series"),
        name=block.name,
        title=fields.pop("title", ""),
        number_format=fields.pop("number_format", "0.0"),
        labels=fields.pop("labels", False),
    )
    if fields:
        raise ValueError(f"a chart has no field {sorted(fields)[0]!r}")
    return frame


def _number(text: str) -> float:
    return float(text.replace(",", "").rstrip(" %"))


def _label(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    size = block.fields.get("size", 16)
    label = add_label(slide, block.box, block.fields["text"], name=block.name, size=size)
    if align := block.fields.get("align"):
        label.text_frame.paragraphs[0].alignment = getattr(PP_ALIGN, align)
    if block.fields.get("vertical"):
        label.text_frame._txBody.bodyPr.set("vert", "eaVert")
    if url := block.fields.get("url"):
        label.text_frame.paragraphs[0].runs[0].hyperlink.address = url
    return label


def _tiles(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    texts, colors = block.fields["texts"], block.fields.get("colors", ("ACCENT_1",))
    left, top, width, height = block.box
    gap = block.fields.get("gap", 0.4)
    tile_width = (width - gap * (len(texts) - 1)) / len(texts)
    size = block.fields.get("size", 24)
    lefts = [left + index * (tile_width + gap) for index in range(len(texts))]
    if block.fields.get("mirrored"):
        lefts.reverse()
    tiles = [
        add_box(
            slide.shapes,
            (lefts[index], top, tile_width, height),
            text,
            name=f"{block.name} {index + 1}",
            color=colors[index % len(colors)],
            size=size,
        )
        for index, text in enumerate(texts)
    ]
    return tiles[0]


def _process(slide: Any, block: Block, tables: Mapping[str, Any]) -> Any:
    """Boxes in a row, connected by glued arrows; mirrored rows run from right to left."""
    start = len(slide.shapes)
    first = _tiles(slide, block, tables)
    sides = (1, 3) if block.fields.get("mirrored") else (3, 1)
    for box, next_box in pairwise(list(slide.shapes)[start:]):
        edge = _connect(slide, box, sides[0], next_box, sides[1]).line._get_or_add_ln()
        edge.append(edge.makeelement(qn("a:tailEnd"), {"type": "triangle"}))
    return first


def _tree(slide: Any, block: Block, tables: Mapping[str, Any]) -> Any:
    """A box, and below it a row of others, each connected to it."""
    left, top, width, height = block.box
    box_height, top_width = block.fields["box_height"], block.fields["top_width"]
    top_box = (left + (width - top_width) / 2, top, top_width, box_height)
    size = block.fields.get("size", 20)
    first = add_box(
        slide.shapes, top_box, block.fields["top"], name=block.name, color="TEXT_2", size=size
    )
    start = len(slide.shapes)
    row = Block(
        "tiles", block.name, (left, top + height - box_height, width, box_height), block.fields
    )
    _tiles(slide, row, tables)
    for box in list(slide.shapes)[start:]:
        _connect(slide, first, 2, box, 0)
    return first


def _connect(slide: Any, start: Any, start_side: int, end: Any, end_side: int) -> Any:
    line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 0, 0)
    line.begin_connect(start, start_side)
    line.end_connect(end, end_side)
    line.name = f"{start.name} to {end.name}"
    line.line.color.theme_color = MSO_THEME_COLOR.TEXT_2
    line.line.width = Pt(2)
    return line


def _shape(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    fields = block.fields
    return add_box(
        slide.shapes,
        block.box,
        fields.get("text", ""),
        name=block.name,
        color=fields.get("color", "ACCENT_1"),
        shape=fields.get("geometry", "RECTANGLE"),
    )


def _pie_picture(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    image = draw_pie(block.fields["parts"])
    return add_picture(slide, image, block.box, block.name, block.fields["alt"])


def _scene(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    """A drawn picture; with `stretch` it fills its box and ignores its aspect ratio."""
    image = draw_scene(block.fields["draw"])
    picture = add_picture(slide, image, block.box, block.name, block.fields.get("alt", ""))
    if block.fields.get("stretch"):
        picture.height = Cm(block.box[3])
    return picture


def _photo(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    """A scene that fills its box like a photograph, cropped at the sides."""
    picture = add_picture(
        slide, draw_scene(block.fields["draw"]), block.box, block.name, block.fields.get("alt", "")
    )
    width, height = picture.width, picture.height
    picture.height = Cm(block.box[3])
    cropped = 1 - (picture.height / width) / (height / width)
    if cropped > 0:
        picture.crop_top = picture.crop_bottom = round(cropped / 2, 4)
    else:
        picture.crop_left = picture.crop_right = round((1 - 1 / (1 - cropped)) / 2, 4)
    if block.fields.get("behind"):
        slide.shapes._spTree.insert(2, picture._element)
    return picture


def _film(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    name = block.fields["film"]
    return add_film(slide, make_film(name), block.box, block.name, draw_film(name))


def _sound(slide: Any, block: Block, _: Mapping[str, Any]) -> Any:
    return add_sound(slide, make_sound(block.fields["sound"]), block.box, block.name)


_BLOCK_RENDERERS: Mapping[str, Callable[[Any, Block, Mapping[str, Any]], Any]] = {
    "table": _table,
    "chart": _chart,
    "label": _label,
    "tiles": _tiles,
    "chain": _process,
    "tree": _tree,
    "pie_picture": _pie_picture,
    "scene": _scene,
    "shape": _shape,
    "photo": _photo,
    "film": _film,
    "sound": _sound,
}
