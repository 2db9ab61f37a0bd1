"""Pictures, videos, sounds and embedded files."""

import hashlib
import io
from typing import Any

import pytest
from PIL import Image
from tests.decks.packing import pack

from pptarena.decks.read import pictures
from pptarena.decks.read.pictures import has_transparency


def _png(mode: str, color: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, (8, 8), color).save(file, "PNG")
    return file.getvalue()


def _picture(stage: Any, blip: str = "", media: str = "", fill: str = "", **options: Any) -> Any:
    xml = (
        f'<p:pic><p:nvPicPr><p:cNvPr id="906" name="P"/><p:cNvPicPr/><p:nvPr>{media}</p:nvPr>'
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
def test_picture_settings(stage: Any, blip: str, expected: dict[str, Any]) -> None:
    plain = {"brightness_pct": 0, "contrast_pct": 0, "recolor": "", "opacity_pct": 100}
    picture = _picture(stage, blip).picture
    assert {name: getattr(picture, name) for name in plain} == plain | expected


@pytest.mark.parametrize(
    ("content", "transparent"),
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
def test_transparency_of_pictures(stage: Any, content: bytes, transparent: bool) -> None:
    assert _picture(stage, content=content).picture.see_through is transparent


def test_large_pictures_are_judged_by_their_header() -> None:
    data = bytearray(_png("RGBA", (1, 2, 3, 255)))
    data[16:24] = (50_000).to_bytes(4, "big") * 2
    assert has_transparency(hashlib.sha256(data).hexdigest(), lambda: bytes(data))


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


def test_icon_of_an_empty_placeholder_shows_nothing(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = _picture(stage)
    assert not shape.shows_nothing
    digest = shape.picture.sha256
    monkeypatch.setattr(pictures, "PLACEHOLDER_ICONS", frozenset((digest,)))
    # Another blip, because the facts of the first picture are cached.
    assert _picture(stage, '<a:biLevel thresh="41000"/>').shows_nothing


def test_svg_alternative_changes_the_fingerprint(stage: Any) -> None:
    def fingerprint(svg: str) -> str:
        blip = '<a:extLst><a:ext uri="{1}"><asvg:svgBlip r:embed="rId71"/></a:ext></a:extLst>'
        rels = stage.rel("rId71", "image", "/ppt/media/p.svg")
        digest: str = _picture(stage, blip, rels=rels, parts={"ppt/media/p.svg": svg}).fingerprint
        return digest

    assert fingerprint("<svg/>") == fingerprint("<svg/>") != fingerprint("<svg a='1'/>")


@pytest.mark.parametrize(
    ("media", "kind"),
    [
        ('<a:videoFile r:link="rId72"/>', "video"),
        ('<a:audioFile r:link="rId72"/>', "audio"),
        ('<a:wavAudioFile r:embed="rId72" name="x.wav"/>', "audio"),
    ],
)
def test_video_and_audio(stage: Any, media: str, kind: str) -> None:
    rels = stage.rel("rId72", "media", "/ppt/media/m.bin")
    shape = _picture(stage, media=media, rels=rels, parts={"ppt/media/m.bin": b"film"})
    assert shape.kind == "media"
    assert shape.picture.media_kind == kind
    assert shape.picture.media_sha256 == hashlib.sha256(b"film").hexdigest()
    assert shape.picture.linked == ""


def test_video_trim_changes_the_fingerprint(stage: Any) -> None:
    def fingerprint(end: int) -> str:
        extension = (
            f'<p:ext uri="{{1}}"><p14:media r:embed="rId72"><p14:trim end="{end}"/></p14:media>'
        )
        media = f'<a:videoFile r:link="rId72"/><p:extLst>{extension}</p:ext></p:extLst>'
        rels = stage.rel("rId72", "media", "/ppt/media/m.bin")
        digest: str = _picture(
            stage, media=media, rels=rels, parts={"ppt/media/m.bin": b"f"}
        ).fingerprint
        return digest

    assert fingerprint(1) == fingerprint(1) != fingerprint(2)


def test_linked_video(stage: Any) -> None:
    rels = stage.rel("rId72", "video", "https://example.org/v", external=True)
    shape = _picture(stage, media='<a:videoFile r:link="rId72"/>', rels=rels)
    assert (shape.kind, shape.picture.linked) == ("media", "https://example.org/v")


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


def test_embedded_files_are_compared_by_content(stage: Any) -> None:
    shape = _embedded(stage, pack({"a": b"1", "b": b"2"}))
    assert (shape.kind, shape.embedded.program) == ("graphic", "Excel.Sheet.12")
    assert shape.embedded == _embedded(stage, pack({"b": b"2", "a": b"1"})).embedded
    assert shape.embedded != _embedded(stage, pack({"a": b"1", "b": b"3"})).embedded
    assert _embedded(stage, b"no zip").embedded.sha256 == hashlib.sha256(b"no zip").hexdigest()


def test_missing_and_linked_embedded_files(stage: Any) -> None:
    assert _embedded(stage, None).embedded.sha256 == ""
    linked = _embedded(stage, None, external=True).embedded
    assert (linked.sha256, linked.linked) == ("", "file:///book.xlsx")
