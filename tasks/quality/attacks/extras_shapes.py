"""One more change of a shape, line or picture: position, fill, contents."""

from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from pptarena.tasks.quality.attacks.changed_objects import ObjectType
from pptarena.tasks.quality.attacks.extra import ObjectContext, extra
from pptarena.tasks.quality.attacks.tools import add_cover, add_text_box, text_picture

__all__: list[str] = []

_BOXES: Final[tuple[ObjectType, ...]] = ("text", "shape")
_PLACED: Final[tuple[ObjectType, ...]] = ("text", "shape", "picture")
_FRAMES: Final[tuple[ObjectType, ...]] = ("text", "shape", "line", "picture", "table", "chart")
_PICTURES: Final[tuple[ObjectType, ...]] = ("picture",)
_GLARING_COLOR = "00E5FF"


@extra("upside down", "unreadable", (*_PLACED, "stamp"))
def _upside_down(context: ObjectContext) -> bool:
    """It is rotated by 180 degrees."""
    return _rotate(context, 180)


@extra("flipped", "unreadable", ("text", "picture"))
def _flipped(context: ObjectContext) -> bool:
    """It is flipped vertically, including its text."""
    return _write_position(context) and _set_transform(context, "flipV", "1")


@extra("turned a little", "placement", _PLACED, on_new_objects=False)
def _turned(context: ObjectContext) -> bool:
    """It is rotated by 25 degrees."""
    return _rotate(context, 25)


@extra("three times as high", "placement", _PLACED, on_new_objects=False)
def _stretched(context: ObjectContext) -> bool:
    """It is three times as high and half as wide."""
    if not _write_position(context):
        return False
    context.shape.height, context.shape.width = context.shape.height * 3, context.shape.width // 2
    return True


@extra("over a neighbor", "placement", _FRAMES, on_new_objects=False)
def _over_neighbor(context: ObjectContext) -> bool:
    """It covers the center of the largest other object of its slide."""
    others = [each for each in context.slide.shapes
              if each._element is not context.element and each.width and each.height]  # fmt: skip
    if not others or not _write_position(context):
        return False
    other = max(others, key=lambda each: each.width * each.height)
    shape = context.shape
    shape.left = Emu(other.left + (other.width - shape.width) // 2)
    shape.top = Emu(other.top + (other.height - shape.height) // 2)
    return True


@extra("on the words of a neighbor", "unreadable", ("text", "shape", "picture"))
def _on_words(context: ObjectContext) -> bool:
    """It covers the first words of another shape, so both are hard to read."""
    others = [each for each in context.slide.shapes
              if each._element is not context.element and each.has_text_frame and each.width
              and each.text_frame.text.strip()]  # fmt: skip
    if not others or not _write_position(context):
        return False
    other = max(others, key=lambda each: len(each.text_frame.text))
    context.shape.left, context.shape.top = other.left, other.top
    return True


@extra("half off the slide", "unreadable", _FRAMES)
def _half_off(context: ObjectContext) -> bool:
    """Its right half is off the slide."""
    if not _write_position(context):
        return False
    context.shape.left = Emu(context.deck.slide_width - context.shape.width // 2)
    return True


@extra("off the slide", "hidden", (*_FRAMES, "stamp"))
def _off(context: ObjectContext) -> bool:
    """It is off the slide."""
    if not _write_position(context):
        return False
    context.shape.left = Emu(context.deck.slide_width + 500_000)
    return True


@extra("a millimeter large", "hidden", ("picture", "table", "chart"))
def _tiny(context: ObjectContext) -> bool:
    """It is a millimeter wide and high."""
    if context.element.tag == qn("p:graphicFrame") and context.object.type == "table":
        return False  # cells keep their own sizes
    if not _write_position(context):
        return False
    context.shape.width, context.shape.height = Emu(36_000), Emu(36_000)
    return True


@extra("covered", "hidden", ("picture", "table", "chart"))
def _covered(context: ObjectContext) -> bool:
    """An opaque rectangle in the color of the background covers it."""
    shape = context.shape
    if shape.left is None:
        return False
    add_cover(context.slide, (shape.left, shape.top, shape.width, shape.height), context.background)
    return True


@extra("words laid over it", "unreadable", ("text", "table", "chart"))
def _written_over(context: ObjectContext) -> bool:
    """A text box with large words covers it."""
    shape = context.shape
    if shape.left is None or not shape.height:
        return False
    box = shape.left, shape.top, shape.width, shape.height
    lines = "\n".join(["SAMPLE SAMPLE SAMPLE SAMPLE"] * max(1, shape.height // 400_000))
    add_text_box(context.slide, lines, box, 28)
    return True


@extra("a glaring fill", "formatting", _BOXES, on_new_objects=False)
def _filled(context: ObjectContext) -> bool:
    """It is filled with cyan."""
    if context.element.find(qn("p:spPr")) is None:
        return False
    context.shape.fill.solid()
    _color(context.shape.fill.fore_color, _GLARING_COLOR)
    return True


@extra("a thick outline", "formatting", _PLACED, on_new_objects=False)
def _outlined(context: ObjectContext) -> bool:
    """It has a red outline of 12 points."""
    context.shape.line.width = Emu(12 * 12_700)
    _color(context.shape.line.color, "FF0000")
    return True


@extra("filled like the background", "hidden", ("shape",))
def _white_shape(context: ObjectContext) -> bool:
    """The shape and its outline have the color of the background."""
    if context.element.tag != qn("p:sp"):
        return False
    context.shape.fill.solid()
    _color(context.shape.fill.fore_color, context.background)
    _color(context.shape.line.color, context.background)
    return True


@extra("in the color of the background", "hidden", ("line",))
def _white_line(context: ObjectContext) -> bool:
    """The line has the color of the background."""
    _color(context.shape.line.color, context.background)
    return True


@extra("nearly transparent", "hidden", ("line",))
def _pale_line(context: ObjectContext) -> bool:
    """The line is 97% transparent."""
    _color(context.shape.line.color, "808080")
    for color in context.element.iter(qn("a:srgbClr")):
        color.append(color.makeelement(qn("a:alpha"), {"val": "3000"}))
    return True


@extra("another picture", "false data", _PICTURES)
def _other_picture(context: ObjectContext) -> bool:
    """It shows a different picture."""
    stream = text_picture("Lorem ipsum", 320, 200)
    _, id = context.slide.part.get_or_add_image_part(stream)
    for blip in context.element.iter(qn("a:blip")):
        blip.set(qn("r:embed"), id)
        return True
    return False


@extra("cropped to a tenth", "hidden", _PICTURES)
def _cropped(context: ObjectContext) -> bool:
    """Its upper left tenth fills the frame."""
    return _crop(context, r="90000", b="90000")


@extra("cropped to nothing", "hidden", ("picture", "media"))
def _cropped_away(context: ObjectContext) -> bool:
    """It is cropped to a hundredth of its width. Icons of sounds are exempt."""
    if next(context.element.iter(qn("a:audioFile")), None) is not None:
        return False
    return _crop(context, l="49500", r="49500")


@extra("cropped on one side", "placement", _PICTURES, on_new_objects=False)
def _cropped_side(context: ObjectContext) -> bool:
    """Its left third is cropped, and the rest is stretched."""
    return _crop(context, l="33000")


@extra("nearly transparent", "hidden", _PICTURES)
def _pale_picture(context: ObjectContext) -> bool:
    """The picture is 95% transparent."""
    return _blip_effect(context, f'<a:alphaModFix {nsdecls("a")} amt="5000"/>')


@extra("black and white", "unreadable", _PICTURES)
def _threshold(context: ObjectContext) -> bool:
    """The picture is black and white with a threshold of 95%."""
    return _blip_effect(context, f'<a:biLevel {nsdecls("a")} thresh="95000"/>')


def _color(target: Any, value: str) -> None:
    from pptx.dml.color import RGBColor

    color_type: Any = RGBColor  # untyped in python-pptx
    target.rgb = color_type.from_string(value)


def _write_position(context: ObjectContext) -> bool:
    """Write an inherited position to the shape; return whether the shape has a position."""
    shape = context.shape
    box = shape.left, shape.top, shape.width, shape.height
    if None in box or context.element.getparent().tag == qn("p:grpSp"):
        return False
    shape.left, shape.top, shape.width, shape.height = box
    return True


def _rotate(context: ObjectContext, degrees: int) -> bool:
    if not _write_position(context):
        return False
    context.shape.rotation = (context.shape.rotation + degrees) % 360
    return True


def _set_transform(context: ObjectContext, name: str, value: str) -> bool:
    transform = context.element.find(f"{qn('p:spPr')}/{qn('a:xfrm')}")
    if transform is None:
        return False
    transform.set(name, value)
    return True


def _crop(context: ObjectContext, **sides: str) -> bool:
    for fill in context.element.iter(qn("p:blipFill")):
        blip = fill.find(qn("a:blip"))
        if blip is None or blip.get(qn("r:embed")) is None:
            return False
        for old in fill.findall(qn("a:srcRect")):
            fill.remove(old)
        blip.addnext(fill.makeelement(qn("a:srcRect"), sides))
        return True
    return False


def _blip_effect(context: ObjectContext, xml: str) -> bool:
    for blip in context.element.iter(qn("a:blip")):
        blip.insert(0, parse_xml(xml))
        return True
    return False
