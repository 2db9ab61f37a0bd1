"""Tools that change pictures, films and sounds, diagrams, and the rows of tables."""

import base64
import binascii
import io
from copy import deepcopy
from typing import Annotated, Any, Literal

from lxml import etree
from PIL import Image
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Cm as Centimetres
from pydantic import Field

from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Cm, Position, SlideId, Words
from pptarena.envs.machines.fake.text import write_text
from pptarena.errors import ActionError

__all__ = [
    "add_picture",
    "add_row",
    "crop_picture",
    "delete_row",
    "set_diagram_text",
    "set_media",
]

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DSP = "{http://schemas.microsoft.com/office/drawing/2008/diagram}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAX_PIXELS = 4_000_000
_Share = Annotated[float, Field(ge=0, le=0.95, allow_inf_nan=False)]


def add_picture(
    document: Document,
    slide: SlideId,
    data: Annotated[str, Field(max_length=200_000)],
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    alt_text: Words = "",
) -> str:
    """Add a picture in its own proportions; the answer names its id.

    Args:
        slide: Id of the slide.
        data: A PNG or JPEG file in base64.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        alt_text: What it shows, for people who cannot see it.
    """
    if width_cm <= 0:
        raise ActionError("expected a width above 0")
    stream = io.BytesIO(_picture(data))
    document.require_room(shapes=1)
    place = Centimetres(left_cm), Centimetres(top_cm), Centimetres(width_cm)
    made = document.slide(slide).shapes.add_picture(stream, *place)
    made._element._nvXxPr.cNvPr.set("descr", alt_text)
    return f"the new picture has the id {made.shape_id}"


def crop_picture(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    left: _Share = 0.0,
    top: _Share = 0.0,
    right: _Share = 0.0,
    bottom: _Share = 0.0,
) -> str:
    """Show only a part of a picture; its frame stays as it is.

    Args:
        slide: Id of the slide.
        shape: Id of the picture.
        left: Share of its width that is cut off there, from 0 to 0.95.
        top: The same of its height.
        right: The same of its width.
        bottom: The same of its height.
    """
    if left + right > 0.95 or top + bottom > 0.95:
        raise ActionError("expected that a twentieth of the picture is left at least")
    found = document.shape(slide, shape)
    if not hasattr(found, "crop_left"):
        raise ActionError(f"the shape {shape} of slide {slide} is no picture")
    found.crop_left, found.crop_top, found.crop_right, found.crop_bottom = left, top, right, bottom
    return "cropped"


def set_media(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    volume_pct: Annotated[int, Field(ge=0, le=100)] | None = None,
    muted: bool | None = None,
    shown_when_stopped: bool | None = None,
    repeat: Literal["once", "until_stopped"] | None = None,
) -> str:
    """Set how a film or sound plays; what is left out stays as it is.

    Args:
        slide: Id of the slide.
        shape: Id of the film or sound.
        volume_pct: How loud it is.
        muted: Whether it makes no sound.
        shown_when_stopped: Whether it can be seen while it does not play.
        repeat: How often it plays.
    """
    document.shape(slide, shape)
    root = document.slide(slide)._element
    nodes = [
        node
        for node in root.iter(qn("p:cMediaNode"))
        if any(each.get("spid") == str(shape) for each in node.iter(qn("p:spTgt")))
    ]
    if not nodes:
        raise ActionError(f"the shape {shape} of slide {slide} is no film or sound that plays")
    for node in nodes:
        for name, value in (("mute", muted), ("showWhenStopped", shown_when_stopped)):
            if value is not None:
                node.set(name, str(int(value)))
        if volume_pct is not None:
            node.set("vol", str(volume_pct * 1000))
        if repeat is not None:
            node.find(qn("p:cTn")).attrib.pop("repeatCount", None)
            if repeat == "until_stopped":
                node.find(qn("p:cTn")).set("repeatCount", "indefinite")
    return "the film or sound is set"


def set_diagram_text(
    document: Document, slide: SlideId, shape: SlideId, old: Words, new: Words
) -> str:
    """Replace the text of an entry of a diagram (SmartArt).

    Args:
        slide: Id of the slide.
        shape: Id of the diagram.
        old: The whole text of the entry now.
        new: What it will say.
    """
    found = document.shape(slide, shape)
    frame = next(found._element.iter(f"{_DGM}relIds"), None)
    if frame is None:
        raise ActionError(f"the shape {shape} of slide {slide} is no diagram")
    part = found.part.related_part(frame.get(f"{_RELATION}dm"))
    root = parse_xml(part.blob)
    if not _rewritten(root.iter(f"{_DGM}t"), old, new):
        raise ActionError(f"no entry of the diagram says {old!r}")
    _write(part, root)
    # PowerPoint keeps a drawing of it beside the entries, which others show.
    for relation in found.part.rels.values():
        if relation.reltype.endswith("/diagramDrawing"):
            drawing = parse_xml(relation.target_part.blob)
            if _rewritten(drawing.iter(f"{_DSP}txBody"), old, new):
                _write(relation.target_part, drawing)
    return "the text is set"


def add_row(
    document: Document, slide: SlideId, shape: SlideId, cells: list[Words], position: Position
) -> str:
    """Add a row to a table; it looks like the one above it, or below if it is the first.

    Args:
        slide: Id of the slide.
        shape: Id of the table.
        cells: Its texts, one a column.
        position: Where it will stand, from 1.
    """
    frame, table = _table(document, slide, shape)
    rows, columns = list(table._tbl.tr_lst), len(table.columns)
    if len(cells) != columns or position > len(rows) + 1:
        raise ActionError(
            f"expected {columns} cells and a position from 1 to {len(rows) + 1}, "
            f"got {len(cells)} and {position}"
        )
    model = rows[max(0, position - 2)]
    if any(cell.get(name) for cell in model for name in ("rowSpan", "vMerge")):
        raise ActionError("the row beside it has cells over several rows")
    made = deepcopy(model)
    for each in made.findall(qn("a:extLst")):  # it has the row's own id
        made.remove(each)
    model.addprevious(made) if position == 1 else model.addnext(made)
    frame.height = sum(row.height for row in table.rows)
    for column, text in enumerate(cells):
        write_text(table.cell(position - 1, column), text)
    return "the row is added"


def delete_row(document: Document, slide: SlideId, shape: SlideId, position: Position) -> str:
    """Delete a row of a table.

    Args:
        slide: Id of the slide.
        shape: Id of the table.
        position: Its place, from 1.
    """
    frame, table = _table(document, slide, shape)
    rows = list(table._tbl.tr_lst)
    if position > len(rows) or len(rows) == 1:
        raise ActionError(f"expected a row of several, from 1 to {len(rows)}, got {position}")
    row = rows[position - 1]
    if any(cell.get(name) for cell in row for name in ("rowSpan", "vMerge")):
        raise ActionError("the row has cells over several rows")
    row.getparent().remove(row)
    frame.height = sum(row.height for row in table.rows)
    return "the row is deleted"


def _picture(data: str) -> bytes:
    try:
        found = base64.b64decode(data, validate=True)
        with Image.open(io.BytesIO(found), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
            if width * height > _MAX_PIXELS:
                raise ActionError(f"expected at most {_MAX_PIXELS} pixels, got {width} x {height}")
            picture.load()
    except (binascii.Error, OSError, ValueError, SyntaxError) as error:
        raise ActionError(f"expected a PNG or JPEG file in base64: {error}") from error
    return found


def _table(document: Document, slide: int, shape: int) -> tuple[Any, Any]:
    found = document.shape(slide, shape)
    if not found.has_table:
        raise ActionError(f"the shape {shape} of slide {slide} is no table")
    return found, found.table


def _rewritten(bodies: Any, old: str, new: str) -> bool:
    """Rewrite the first body of a text; it keeps the look of its first run."""
    for body in bodies:
        texts = list(body.iter(qn("a:t")))
        if texts and "".join(each.text or "" for each in texts) == old:
            texts[0].text = new
            for each in texts[1:]:
                each.text = ""
            return True
    return False


def _write(part: Any, root: Any) -> None:
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
