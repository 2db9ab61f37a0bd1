"""One more change of a shape, line or picture: position, fill, contents."""

from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu

from pptarena.tasks.quality.attacks.extra import Scene, extra
from pptarena.tasks.quality.attacks.tools import add_words, cover, words_picture
from pptarena.tasks.quality.attacks.touched import ObjectType

__all__: list[str] = []

_BOXES: Final[tuple[ObjectType, ...]] = ("text", "shape")
_PLACED: Final[tuple[ObjectType, ...]] = ("text", "shape", "picture")
_FRAMES: Final[tuple[ObjectType, ...]] = ("text", "shape", "line", "picture", "table", "chart")
_PICTURES: Final[tuple[ObjectType, ...]] = ("picture",)
_GAUDY = "00E5FF"


@extra("upside down", "unreadable", (*_PLACED, "stamp"))
def _upside_down(scene: Scene) -> bool:
    """It is turned by 180 degrees."""
    return _turn(scene, 180)


@extra("flipped", "unreadable", ("text", "picture"))
def _flipped(scene: Scene) -> bool:
    """It is mirrored top to bottom, which turns its text over."""
    return _placed(scene) and _set_transform(scene, "flipV", "1")


@extra("turned a little", "placement", _PLACED, of_new=False)
def _turned(scene: Scene) -> bool:
    """It is turned by 25 degrees."""
    return _turn(scene, 25)


@extra("three times as high", "placement", _PLACED, of_new=False)
def _stretched(scene: Scene) -> bool:
    """It is three times as high and half as wide."""
    if not _placed(scene):
        return False
    scene.shape.height, scene.shape.width = scene.shape.height * 3, scene.shape.width // 2
    return True


@extra("over a neighbor", "placement", _FRAMES, of_new=False)
def _over_neighbor(scene: Scene) -> bool:
    """It lies on the middle of the next object of its slide."""
    others = [each for each in scene.slide.shapes
              if each._element is not scene.element and each.width and each.height]  # fmt: skip
    if not others or not _placed(scene):
        return False
    other = max(others, key=lambda each: each.width * each.height)
    shape = scene.shape
    shape.left = Emu(other.left + (other.width - shape.width) // 2)
    shape.top = Emu(other.top + (other.height - shape.height) // 2)
    return True


@extra("on the words of a neighbor", "unreadable", ("text", "shape", "picture"))
def _on_words(scene: Scene) -> bool:
    """It lies on the first words of another shape, upon which both are hard to read."""
    others = [each for each in scene.slide.shapes
              if each._element is not scene.element and each.has_text_frame and each.width
              and each.text_frame.text.strip()]  # fmt: skip
    if not others or not _placed(scene):
        return False
    other = max(others, key=lambda each: len(each.text_frame.text))
    scene.shape.left, scene.shape.top = other.left, other.top
    return True


@extra("half off the slide", "unreadable", _FRAMES)
def _half_off(scene: Scene) -> bool:
    """The right half of it lies beyond the slide's edge."""
    if not _placed(scene):
        return False
    scene.shape.left = Emu(scene.deck.slide_width - scene.shape.width // 2)
    return True


@extra("off the slide", "hidden", (*_FRAMES, "stamp"))
def _off(scene: Scene) -> bool:
    """It lies next to the slide."""
    if not _placed(scene):
        return False
    scene.shape.left = Emu(scene.deck.slide_width + 500_000)
    return True


@extra("a millimeter large", "hidden", ("picture", "table", "chart"))
def _tiny(scene: Scene) -> bool:
    """It is a millimeter wide and high."""
    if scene.element.tag == qn("p:graphicFrame") and scene.object.type == "table":
        return False  # cells keep their own sizes
    if not _placed(scene):
        return False
    scene.shape.width, scene.shape.height = Emu(36_000), Emu(36_000)
    return True


@extra("covered", "hidden", ("picture", "table", "chart"))
def _covered(scene: Scene) -> bool:
    """An opaque rectangle in the color of the background lies over it."""
    shape = scene.shape
    if shape.left is None:
        return False
    cover(scene.slide, (shape.left, shape.top, shape.width, shape.height), scene.background)
    return True


@extra("words laid over it", "unreadable", ("text", "table", "chart"))
def _written_over(scene: Scene) -> bool:
    """A text box of large words lies right on it."""
    shape = scene.shape
    if shape.left is None or not shape.height:
        return False
    box = shape.left, shape.top, shape.width, shape.height
    lines = "\n".join(["SAMPLE SAMPLE SAMPLE SAMPLE"] * max(1, shape.height // 400_000))
    add_words(scene.slide, lines, box, 28)
    return True


@extra("a glaring fill", "formatting", _BOXES, of_new=False)
def _filled(scene: Scene) -> bool:
    """It is filled with cyan."""
    if scene.element.find(qn("p:spPr")) is None:
        return False
    scene.shape.fill.solid()
    _color(scene.shape.fill.fore_color, _GAUDY)
    return True


@extra("a thick outline", "formatting", _PLACED, of_new=False)
def _outlined(scene: Scene) -> bool:
    """It has a red outline of 12 points."""
    scene.shape.line.width = Emu(12 * 12_700)
    _color(scene.shape.line.color, "FF0000")
    return True


@extra("filled like the background", "hidden", ("shape",))
def _white_shape(scene: Scene) -> bool:
    """The shape and its outline have the color of what is behind it."""
    if scene.element.tag != qn("p:sp"):
        return False
    scene.shape.fill.solid()
    _color(scene.shape.fill.fore_color, scene.background)
    _color(scene.shape.line.color, scene.background)
    return True


@extra("in the color of the background", "hidden", ("line",))
def _white_line(scene: Scene) -> bool:
    """The line has the color of what is behind it."""
    _color(scene.shape.line.color, scene.background)
    return True


@extra("nearly transparent", "hidden", ("line",))
def _pale_line(scene: Scene) -> bool:
    """The line lets 97 % of what is behind it through."""
    _color(scene.shape.line.color, "808080")
    for color in scene.element.iter(qn("a:srgbClr")):
        color.append(color.makeelement(qn("a:alpha"), {"val": "3000"}))
    return True


@extra("another picture", "false data", _PICTURES)
def _other_picture(scene: Scene) -> bool:
    """Its file is another one."""
    stream = words_picture("Lorem ipsum", 320, 200)
    _, id = scene.slide.part.get_or_add_image_part(stream)
    for blip in scene.element.iter(qn("a:blip")):
        blip.set(qn("r:embed"), id)
        return True
    return False


@extra("cropped to a tenth", "hidden", _PICTURES)
def _cropped(scene: Scene) -> bool:
    """Its upper left tenth fills the frame."""
    return _crop(scene, r="90000", b="90000")


@extra("cropped to nothing", "hidden", ("picture", "media"))
def _cropped_away(scene: Scene) -> bool:
    """What is left of it is a hundredth of its width; the symbol of a sound need not be seen."""
    if next(scene.element.iter(qn("a:audioFile")), None) is not None:
        return False
    return _crop(scene, l="49500", r="49500")


@extra("cropped on one side", "placement", _PICTURES, of_new=False)
def _cropped_side(scene: Scene) -> bool:
    """Its left third is cut off, and the rest stretched."""
    return _crop(scene, l="33000")


@extra("nearly transparent", "hidden", _PICTURES)
def _pale_picture(scene: Scene) -> bool:
    """The picture lets 95 % of what is behind it through."""
    return _blip_effect(scene, f'<a:alphaModFix {nsdecls("a")} amt="5000"/>')


@extra("black and white", "unreadable", _PICTURES)
def _threshold(scene: Scene) -> bool:
    """The picture is black and white with a threshold of 95 %."""
    return _blip_effect(scene, f'<a:biLevel {nsdecls("a")} thresh="95000"/>')


def _color(target: Any, value: str) -> None:
    from pptx.dml.color import RGBColor

    kind: Any = RGBColor  # untyped in python-pptx
    target.rgb = kind.from_string(value)


def _placed(scene: Scene) -> bool:
    """Write an inherited position to the shape; return whether the shape has a position."""
    shape = scene.shape
    box = shape.left, shape.top, shape.width, shape.height
    if None in box or scene.element.getparent().tag == qn("p:grpSp"):
        return False
    shape.left, shape.top, shape.width, shape.height = box
    return True


def _turn(scene: Scene, degrees: int) -> bool:
    if not _placed(scene):
        return False
    scene.shape.rotation = (scene.shape.rotation + degrees) % 360
    return True


def _set_transform(scene: Scene, name: str, value: str) -> bool:
    transform = scene.element.find(f"{qn('p:spPr')}/{qn('a:xfrm')}")
    if transform is None:
        return False
    transform.set(name, value)
    return True


def _crop(scene: Scene, **sides: str) -> bool:
    for fill in scene.element.iter(qn("p:blipFill")):
        blip = fill.find(qn("a:blip"))
        if blip is None or blip.get(qn("r:embed")) is None:
            return False
        for old in fill.findall(qn("a:srcRect")):
            fill.remove(old)
        blip.addnext(fill.makeelement(qn("a:srcRect"), sides))
        return True
    return False


def _blip_effect(scene: Scene, xml: str) -> bool:
    for blip in scene.element.iter(qn("a:blip")):
        blip.insert(0, parse_xml(xml))
        return True
    return False
