import hashlib
import io
from typing import Any

import pytest
from lxml import etree
from PIL import Image
from pptx.util import Inches

pytestmark = pytest.mark.slow

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def _film(slide: int, content: bytes = b"clip") -> Any:
    def edit(lab: Any, deck: Any) -> None:
        deck.slides[slide - 1].shapes.add_movie(
            io.BytesIO(content), Inches(1), Inches(4), Inches(2), Inches(1), mime_type="video/mp4"
        )

    return edit


def _far_film(lab: Any, deck: Any) -> None:
    _film(1)(lab, deck)
    deck.slides[0].shapes[-1].left = Inches(40)


def _start(node: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        slide = deck.slides[3]
        for old in slide._element.findall(f"{{{_P}}}timing"):
            slide._element.remove(old)
        film = lab.shape_named(deck, 4, "Film")
        lab.set_animations(slide, [("mediacall", 1, node, film.shape_id)])

    return edit


def _swap(color: str, left: float = 1, keep: bool = False, width: float = 2) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        old = lab.shape_named(deck, 4, "Photo")
        file = io.BytesIO(lab.picture_bytes(color))
        deck.slides[3].shapes.add_picture(file, Inches(left), Inches(2), Inches(width), Inches(1))
        if not keep:
            old._element.getparent().remove(old._element)

    return edit


def _crop(left: float, top: float = 0.0) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        picture = lab.shape_named(deck, 4, "Photo")
        picture.crop_left, picture.crop_top = left, top

    return edit


def _square(lab: Any, deck: Any) -> None:
    picture = lab.shape_named(deck, 4, "Photo")
    picture.crop_left = picture.crop_right = 0.25
    picture.width = picture.height


def _stretch(lab: Any, deck: Any) -> None:
    picture = lab.shape_named(deck, 4, "Photo")
    picture.width = picture.height


def _stretch_and_cut(lab: Any, deck: Any) -> None:
    picture = lab.shape_named(deck, 4, "Photo")
    picture.crop_left = 0.02
    picture.width = picture.height


def _blip(inner: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        blip = lab.shape_named(deck, 4, "Photo")._element.blipFill.blip
        blip.append(etree.fromstring(inner.replace("/>", f' xmlns:a="{_A}"/>', 1)))

    return edit


def _gray_and_bright(lab: Any, deck: Any) -> None:
    _blip("<a:grayscl/>")(lab, deck)
    _blip('<a:lum bright="20000"/>')(lab, deck)


def _duotone(dark: str, light: str) -> Any:
    colors = f'<a:srgbClr val="{dark}"/><a:srgbClr val="{light}"/>'

    def edit(lab: Any, deck: Any) -> None:
        blip = lab.shape_named(deck, 4, "Photo")._element.blipFill.blip
        blip.append(etree.fromstring(f'<a:duotone xmlns:a="{_A}">{colors}</a:duotone>'))

    return edit


def _file(color: tuple[int, int, int]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        file = io.BytesIO()
        Image.new("RGB", (80, 40), color).save(file, "PNG")
        photo = lab.shape_named(deck, 4, "Photo")
        _, rel = photo.part.get_or_add_image_part(file)
        photo._element.blipFill.blip.rEmbed = rel

    return edit


CLIP = {"slide": 1, "kind": "video"}
SAME = CLIP | {"sha256": hashlib.sha256(b"clip").hexdigest()}
STARTS = {"slide": 4, "start": "automatic"}
PHOTO = {"slide": 4, "shape": "Photo"}
BOX = {"same_box": True}
CUT = PHOTO | {"left_pct": 25, "top_pct": 10}
GREY = PHOTO | {"recolor": "grayscale"}
BRIGHT_GREY = PHOTO | {"brightness_pct": 20, "recolor": "grayscale"}

CASES = [
    ("media_present", CLIP, _film(1), 1, 1),
    ("media_present", SAME, _film(1), 1, 1),
    ("media_present", SAME, _film(1, b"other"), 0.5, 0.5),
    ("media_present", CLIP, _film(2), 0, 0),
    ("media_present", CLIP, _far_film, 0, 0),
    ("media_present", {"slide": 1, "kind": "audio"}, _film(1), 0, 0),
    ("media_starts", STARTS, _start("afterEffect"), 1, 1),
    ("media_starts", STARTS, _start("clickEffect"), 0, 0),
    ("picture_replaced", PHOTO, _swap("green"), 1, 1),
    ("picture_replaced", PHOTO, _swap("green", left=7), 0.5, 0.5),
    ("picture_replaced", PHOTO, _swap("green", keep=True), 0.7, 0.7),
    ("picture_replaced", PHOTO, _swap("green", left=7, keep=True), 0.3, 0.3),
    ("picture_replaced", PHOTO | BOX, _swap("green"), 1, 1),
    ("picture_replaced", PHOTO | BOX, _swap("green", left=1.5), 0.6, 0.9),
    ("picture_replaced", PHOTO | BOX, _swap("green", width=3), 0.5, 0.5),
    ("picture_replaced", PHOTO, _swap("red", left=2), 0, 0),
    ("picture_cropped", CUT, _crop(0.25, 0.1), 1, 1),
    ("picture_cropped", CUT, _crop(0.2, 0.1), 0.6, 0.99),
    ("picture_cropped", PHOTO | {"left_pct": 25}, _crop(0, 0.2), 0, 0),
    ("picture_cropped", PHOTO | {"ratio": 1}, _square, 1, 1),
    ("picture_cropped", PHOTO | {"ratio": 1}, _stretch, 0, 0),
    ("picture_cropped", PHOTO | {"ratio": 1}, _stretch_and_cut, 0, 0.5),
    ("picture_adjusted", BRIGHT_GREY, _gray_and_bright, 1, 1),
    ("picture_adjusted", BRIGHT_GREY, _blip("<a:grayscl/>"), 0.3, 0.8),
    ("picture_adjusted", GREY, _blip('<a:lum bright="1000"/>'), 0, 0),
    ("picture_adjusted", GREY, _blip("<a:grayscl/>"), 1, 1),
    ("picture_adjusted", GREY, _blip('<a:hsl hue="0" sat="-100000" lum="0"/>'), 1, 1),
    ("picture_adjusted", GREY, _duotone("000000", "FFFFFF"), 1, 1),
    ("picture_adjusted", GREY, _duotone("202020", "F0F0F0"), 1, 1),
    ("picture_adjusted", GREY, _duotone("000000", "F0C080"), 0, 0),
    ("picture_adjusted", GREY, _duotone("FFFFFF", "000000"), 0, 0),
    ("picture_adjusted", GREY, _file((76, 76, 76)), 1, 1),
    ("picture_adjusted", GREY, _file((250, 250, 250)), 0, 0),
    ("picture_adjusted", GREY, _file((200, 60, 60)), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)
