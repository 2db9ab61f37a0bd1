"""Pictures, films, sounds, embedded files."""

import hashlib
import io
import zipfile
from typing import Any

import pytest
from PIL import Image

from pptarena.decks.read import pictures
from pptarena.decks.read.pictures import see_through


def _png(mode: str, color: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, (8, 8), color).save(file, "PNG")
    return file.getvalue()


def _picture(stage: Any, blip: str = "", mark: str = "", fill: str = "", **options: Any) -> Any:
    xml = (
        f'<p:pic><p:nvPicPr><p:cNvPr id="906" name="P"/><p:cNvPicPr/><p:nvPr>{mark}</p:nvPr>'
        f'</p:nvPicPr><p:blipFill><a:blip r:embed="rId70">{blip}</a:blip>{fill}</p:blipFill>'
        "<p:spPr/></p:pic>"
    )
    content = options.pop("content", _png("RGB", "red"))
    rels = stage.rel("rId70", "image", "/ppt/media/p.png") + options.pop("rels", "")
    parts = {"ppt/media/p.png": content, **options.pop("parts", {})}
    return stage.shape(xml, rels=rels, parts=parts, **options)


@pytest.mark.parametrize(
    ("blip", "expected"),
    [
        ("", {}),
        ('<a:lum bright="20000" contrast="-40000"/>', {"brightness_pct": 20, "contrast_pct": -40}),
        (
            '<a:extLst><a:ext uri="{1}"><a14:imgProps><a14:imgLayer><a14:imgEffect>'
            '<a14:brightnessContrast bright="30000"/></a14:imgEffect></a14:imgLayer></a14:imgProps>'
            "</a:ext></a:extLst>",
            {"brightness_pct": 30},
        ),
        ("<a:grayscl/>", {"recolor": "grayscale"}),
        ('<a:biLevel thresh="50000"/>', {"recolor": "black_white 50"}),
        (
            '<a:duotone><a:prstClr val="black"/><a:schemeClr val="accent1"/></a:duotone>',
            {"recolor": "duotone #000000 #4F81BD"},
        ),
        ('<a:alphaModFix amt="35000"/>', {"opacity_pct": 35}),
        (
            '<a:extLst><a:ext uri="{1}"><a14:imgProps><a14:imgLayer><a14:imgEffect>'
            '<a14:saturation sat="0"/></a14:imgEffect></a14:imgLayer></a14:imgProps></a:ext>'
            "</a:extLst>",
            {"recolor": "saturation sat=0"},
        ),
    ],
)
def test_the_look_of_pictures(stage: Any, blip: str, expected: dict[str, Any]) -> None:
    plain = {"brightness_pct": 0, "contrast_pct": 0, "recolor": "", "opacity_pct": 100}
    picture = _picture(stage, blip).picture
    assert {name: getattr(picture, name) for name in plain} == plain | expected


@pytest.mark.parametrize(
    ("content", "holes"),
    [
        (_png("RGB", "red"), False),
        (_png("RGBA", (255, 0, 0, 255)), False),
        (_png("RGBA", (255, 0, 0, 128)), True),
        (_png("RGBA", (0, 0, 0, 0))[:60], True),
        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", True),
        (b"\x01\x00\x00\x00" + b"\0" * 60, True),
        (b"\xff\xd8\xff\xe0", False),
        (b"", False),
    ],
)
def test_pictures_may_have_holes(stage: Any, content: bytes, holes: bool) -> None:
    assert _picture(stage, content=content).picture.see_through is holes


def test_large_pictures_are_judged_by_their_header() -> None:
    data = bytearray(_png("RGBA", (1, 2, 3, 255)))
    data[16:24] = (50_000).to_bytes(4, "big") * 2
    assert see_through(hashlib.sha256(data).hexdigest(), lambda: bytes(data))


def test_linked_pictures(stage: Any) -> None:
    xml = (
        '<p:pic><p:nvPicPr><p:cNvPr id="906" name="P"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill><a:blip r:link="rId70"/></p:blipFill><p:spPr/></p:pic>'
    )
    rel = stage.rel("rId70", "image", "https://example.org/a.png", external=True)
    shape = stage.shape(xml, rels=rel)
    assert shape.picture.linked == "https://example.org/a.png"
    assert not shape.shows_nothing
    assert not shape.picture.see_through


def test_the_sign_of_an_unfilled_placeholder_shows_nothing(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = _picture(stage)
    assert not shape.shows_nothing
    digest = shape.picture.sha256
    monkeypatch.setattr(pictures, "UNFILLED_ICONS", frozenset((digest,)))
    # Another blip, since what was read before is not read again.
    assert _picture(stage, '<a:biLevel thresh="41000"/>').shows_nothing


def test_the_drawing_beside_a_picture_counts(stage: Any) -> None:
    def fingerprint(svg: str) -> str:
        blip = '<a:extLst><a:ext uri="{1}"><asvg:svgBlip r:embed="rId71"/></a:ext></a:extLst>'
        rels = stage.rel("rId71", "image", "/ppt/media/p.svg")
        found: str = _picture(stage, blip, rels=rels, parts={"ppt/media/p.svg": svg}).fingerprint
        return found

    assert fingerprint("<svg/>") == fingerprint("<svg/>") != fingerprint("<svg a='1'/>")


@pytest.mark.parametrize(
    ("mark", "kind"),
    [
        ('<a:videoFile r:link="rId72"/>', "video"),
        ('<a:audioFile r:link="rId72"/>', "audio"),
        ('<a:wavAudioFile r:embed="rId72" name="x.wav"/>', "audio"),
    ],
)
def test_films_and_sounds(stage: Any, mark: str, kind: str) -> None:
    rels = stage.rel("rId72", "media", "/ppt/media/m.bin")
    shape = _picture(stage, mark=mark, rels=rels, parts={"ppt/media/m.bin": b"film"})
    assert shape.kind == "media"
    assert shape.picture.media_kind == kind
    assert shape.picture.media_sha256 == hashlib.sha256(b"film").hexdigest()
    assert shape.picture.linked == ""


def test_the_cut_of_a_film_counts(stage: Any) -> None:
    def fingerprint(end: int) -> str:
        cut = f'<p:ext uri="{{1}}"><p14:media r:embed="rId72"><p14:trim end="{end}"/></p14:media>'
        mark = f'<a:videoFile r:link="rId72"/><p:extLst>{cut}</p:ext></p:extLst>'
        rels = stage.rel("rId72", "media", "/ppt/media/m.bin")
        found: str = _picture(
            stage, mark=mark, rels=rels, parts={"ppt/media/m.bin": b"f"}
        ).fingerprint
        return found

    assert fingerprint(1) == fingerprint(1) != fingerprint(2)


def test_films_elsewhere(stage: Any) -> None:
    rels = stage.rel("rId72", "video", "https://example.org/v", external=True)
    shape = _picture(stage, mark='<a:videoFile r:link="rId72"/>', rels=rels)
    assert (shape.kind, shape.picture.linked) == ("media", "https://example.org/v")


def _zip(**members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, text in members.items():
            made.writestr(f"{name}.xml", text)
    return file.getvalue()


def _embedded(stage: Any, content: bytes | None, external: bool = False) -> Any:
    ole = '<p:oleObj name="W" progId="Excel.Sheet.12" r:id="rId73"><p:embed/></p:oleObj>'
    xml = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="907" name="O"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="http://schemas.'
        'openxmlformats.org/presentationml/2006/ole"><mc:AlternateContent><mc:Choice Requires="v">'
        f"{ole}</mc:Choice><mc:Fallback>{ole}</mc:Fallback></mc:AlternateContent></a:graphicData>"
        "</a:graphic></p:graphicFrame>"
    )
    target = "file:///book.xlsx" if external else "/ppt/embeddings/book.xlsx"
    rels = stage.rel("rId73", "package", target, external)
    parts = {} if content is None else {"ppt/embeddings/book.xlsx": content}
    return stage.shape(xml, rels=rels, parts=parts)


def test_embedded_files_are_what_is_in_them(stage: Any) -> None:
    shape = _embedded(stage, _zip(a="1", b="2"))
    assert (shape.kind, shape.embedded.program) == ("graphic", "Excel.Sheet.12")
    assert shape.embedded == _embedded(stage, _zip(b="2", a="1")).embedded
    assert shape.embedded != _embedded(stage, _zip(a="1", b="3")).embedded
    assert _embedded(stage, b"no zip").embedded.sha256 == hashlib.sha256(b"no zip").hexdigest()


def test_embedded_files_elsewhere(stage: Any) -> None:
    assert _embedded(stage, None).embedded.sha256 == ""
    linked = _embedded(stage, None, external=True).embedded
    assert (linked.sha256, linked.linked) == ("", "file:///book.xlsx")
