"""Relationships that PowerPoint ignores or resolves, and those that break a deck."""

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Emu
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.validity import validate_deck

SLIDE = "ppt/slides/slide1.xml"
SLIDE_RELS = "ppt/slides/_rels/slide1.xml.rels"
NOTES_RELS = "ppt/notesSlides/_rels/notesSlide1.xml.rels"
PRESENTATION_RELS = "ppt/_rels/presentation.xml.rels"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture(scope="module")
def deck() -> bytes:
    picture, stream = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(picture, "PNG")
    made = Presentation()
    for title in ("Harvest", "Yield"):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = title
    first = made.slides[0]
    first.shapes.add_picture(io.BytesIO(picture.getvalue()), Emu(0), Emu(0))
    first.notes_slide.notes_text_frame.text = "Say hello"
    made.save(stream)
    return stream.getvalue()


def changed(deck: bytes, edits: dict[str, Callable[[str], str]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(deck)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name in edits:
                text = edits[name](data.decode())
                assert text != data.decode()
                data = text.encode()
            new.writestr(name, data)
    return out.getvalue()


def added(kind: str, target: str, number: str = "rId77") -> Callable[[str], str]:
    rel = f'<Relationship Id="{number}" Type="{KIND}/{kind}" Target="{target}"/>'
    return lambda text: text.replace("</Relationships>", f"{rel}</Relationships>")


def without(kind: str) -> Callable[[str], str]:
    return lambda text: re.sub(rf'<Relationship [^>]*/{kind}"[^>]*>', "", text)


def picture_to(target: str) -> Callable[[str], str]:
    return lambda text: text.replace("../media/image1.png", target)


def resaved(deck: bytes) -> bytes:
    saved = io.BytesIO()
    Presentation(io.BytesIO(deck)).save(saved)
    return saved.getvalue()


NULLS = [
    "NULL", "../NULL", "null", "../media/NULL", "/NULL", "/ppt/slides/NULL", "../../NULL", "Null",
    "./NULL", "../../../NULL",
]  # fmt: skip


@pytest.mark.slow
@each_case("target", NULLS)
def test_targets_that_are_null_are_ignored(deck: bytes, target: str) -> None:
    lost = changed(deck, {SLIDE_RELS: picture_to(target)})
    assert validate_deck(lost) == ()
    (picture,) = (shape.picture for shape in read_deck(lost).slides[0].shapes if shape.picture)
    assert (picture.sha256, picture.linked) == ("", "")
    assert diff_decks(read_deck(lost), read_deck(resaved(lost))) == ()
    spare = changed(deck, {SLIDE_RELS: added("oleObject", target)})
    assert validate_deck(spare) == ()
    assert diff_decks(read_deck(spare), read_deck(deck)) == ()
    assert diff_decks(read_deck(spare), read_deck(resaved(spare))) == ()


@pytest.mark.slow
@pytest.mark.parametrize("target", ["../media/image9.png", "NULL.png", "nulls", "../NULL/a.png"])
def test_other_missing_targets_are_problems(deck: bytes, target: str) -> None:
    (found,) = validate_deck(changed(deck, {SLIDE_RELS: picture_to(target)}))
    assert found.part == SLIDE_RELS
    assert "missing" in found.reason


ABOVE = [
    ("_rels/.rels", "../customXml/item1.xml"),
    ("_rels/.rels", "../../customXml/item1.xml"),
    ("_rels/.rels", "./../customXml/item1.xml"),
    ("_rels/.rels", "ppt/../../customXml/item1.xml"),
    (PRESENTATION_RELS, "../customXml/item1.xml"),
    (PRESENTATION_RELS, "../../customXml/item1.xml"),
    (PRESENTATION_RELS, "../../../customXml/./item1.xml"),
    (PRESENTATION_RELS, "/../customXml/item1.xml"),
    (SLIDE_RELS, "../../customXml/item1.xml"),
    (SLIDE_RELS, "../../../../customXml/item1.xml"),
]


def _with_custom(deck: bytes, part: str, target: str) -> bytes:
    out = io.BytesIO(changed(deck, {part: added("customXml", target)}))
    with zipfile.ZipFile(out, "a") as file:
        file.writestr("customXml/item1.xml", "<data/>")
    return out.getvalue()


@pytest.mark.slow
@each_case("part, target", ABOVE)
def test_paths_above_the_root_lead_to_the_root(deck: bytes, part: str, target: str) -> None:
    """RFC 3986, 5.2.4."""
    odd, plain = (_with_custom(deck, part, each) for each in (target, "/customXml/item1.xml"))
    assert validate_deck(odd) == ()
    assert diff_decks(read_deck(odd), read_deck(plain)) == ()
    assert diff_decks(read_deck(odd), read_deck(resaved(odd))) == ()


def test_a_slide_may_be_reached_by_a_path_above_the_root(deck: bytes) -> None:
    odd = changed(
        deck, {PRESENTATION_RELS: lambda text: text.replace('"slides/', '"../../../ppt/slides/')}
    )
    assert validate_deck(odd) == ()
    assert diff_decks(read_deck(odd), read_deck(deck)) == ()


def test_notes_need_not_name_their_slide(deck: bytes) -> None:
    found = changed(deck, {NOTES_RELS: without("slide")})
    assert validate_deck(found) == ()
    assert read_deck(found).slides[0].notes == "Say hello"
    assert diff_decks(read_deck(deck), read_deck(found)) == ()


@pytest.mark.parametrize(
    "edit",
    [
        added("slide", "../slides/slide2.xml"),
        added("slide", "../slides/slide1.xml"),
        lambda text: text.replace("slides/slide1.xml", "slides/slide2.xml"),
    ],
    ids=["another too", "twice", "another"],
)
def test_notes_that_name_another_slide_are_a_problem(
    deck: bytes, edit: Callable[[str], str]
) -> None:
    (found,) = validate_deck(changed(deck, {NOTES_RELS: edit}))
    assert found.part == NOTES_RELS
    assert "the notes of 'ppt/slides/slide1.xml' name" in found.reason


def test_notes_have_one_master(deck: bytes) -> None:
    found = validate_deck(changed(deck, {NOTES_RELS: without("notesMaster")}))
    assert any("one relationship of kind 'notesMaster', found 0" in each.reason for each in found)


@each_case(
    "part, kind, target",
    [
        (SLIDE_RELS, "image", "../media/image1.png"),
        (SLIDE_RELS, "hyperlink", "slide2.xml"),
        (SLIDE_RELS, "image", "NULL"),
        (PRESENTATION_RELS, "slide", "slides/slide2.xml"),
        (PRESENTATION_RELS, "theme", "theme/theme1.xml"),
        (NOTES_RELS, "hyperlink", "../slides/slide1.xml"),
        ("ppt/slideMasters/_rels/slideMaster1.xml.rels", "theme", "../theme/theme1.xml"),
        ("ppt/slideLayouts/_rels/slideLayout6.xml.rels", "image", "../media/image1.png"),
        ("_rels/.rels", "officeDocument", "ppt/presentation.xml"),
        ("ppt/notesMasters/_rels/notesMaster1.xml.rels", "image", "../media/image1.png"),
    ],
)
def test_one_id_twice_is_a_problem(deck: bytes, part: str, kind: str, target: str) -> None:
    with zipfile.ZipFile(io.BytesIO(deck)) as file:
        number = re.findall(r'Id="([^"]+)"', file.read(part).decode())[0]
    double = changed(deck, {part: added(kind, target, number)})
    reason = f"2 relationships have the id '{number}', which must be unique"
    assert [each.part for each in validate_deck(double) if each.reason == reason] == [part]
