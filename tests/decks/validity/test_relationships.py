"""Relationships that PowerPoint ignores or resolves, and those that break a deck."""

import io
import re
from collections.abc import Callable

import pytest
from pptx import Presentation
from pptx.util import Emu
from tests.conftest import picture_bytes
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package_writer import write_package
from pptarena.decks.validity import validate_deck

SLIDE = "ppt/slides/slide1.xml"
SLIDE_RELS = "ppt/slides/_rels/slide1.xml.rels"
NOTES_RELS = "ppt/notesSlides/_rels/notesSlide1.xml.rels"
PRESENTATION_RELS = "ppt/_rels/presentation.xml.rels"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture(scope="module")
def deck() -> bytes:
    presentation = Presentation()
    for title in ("Harvest", "Yield"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
    first = presentation.slides[0]
    first.shapes.add_picture(io.BytesIO(picture_bytes("red")), Emu(0), Emu(0))
    first.notes_slide.notes_text_frame.text = "Say hello"
    return write_package(presentation)


def edit_parts(deck: bytes, edits: dict[str, Callable[[str], str]]) -> bytes:
    parts = unpack(deck)
    for name, edit in edits.items():
        text = parts[name].decode()
        assert edit(text) != text
        parts[name] = edit(text).encode()
    return pack(parts)


def add_relationship(kind: str, target: str, number: str = "rId77") -> Callable[[str], str]:
    rel = f'<Relationship Id="{number}" Type="{KIND}/{kind}" Target="{target}"/>'
    return lambda text: text.replace("</Relationships>", f"{rel}</Relationships>")


def remove_relationships(kind: str) -> Callable[[str], str]:
    return lambda text: re.sub(rf'<Relationship [^>]*/{kind}"[^>]*>', "", text)


def retarget_picture(target: str) -> Callable[[str], str]:
    return lambda text: text.replace("../media/image1.png", target)


def resave(deck: bytes) -> bytes:
    saved = io.BytesIO()
    Presentation(io.BytesIO(deck)).save(saved)
    return saved.getvalue()


NULLS = [
    "NULL", "../NULL", "null", "../media/NULL", "/NULL", "/ppt/slides/NULL", "../../NULL", "Null",
    "./NULL", "../../../NULL",
]  # fmt: skip


@pytest.mark.slow
@each_case("target", NULLS)
def test_null_targets_are_ignored(deck: bytes, target: str) -> None:
    lost_picture = edit_parts(deck, {SLIDE_RELS: retarget_picture(target)})
    assert validate_deck(lost_picture) == ()
    (picture,) = (
        shape.picture for shape in read_deck(lost_picture).slides[0].shapes if shape.picture
    )
    assert (picture.sha256, picture.linked) == ("", "")
    assert diff_decks(read_deck(lost_picture), read_deck(resave(lost_picture))) == ()
    unused_relationship = edit_parts(deck, {SLIDE_RELS: add_relationship("oleObject", target)})
    assert validate_deck(unused_relationship) == ()
    assert diff_decks(read_deck(unused_relationship), read_deck(deck)) == ()
    assert diff_decks(read_deck(unused_relationship), read_deck(resave(unused_relationship))) == ()


@pytest.mark.slow
@pytest.mark.parametrize("target", ["../media/image9.png", "NULL.png", "nulls", "../NULL/a.png"])
def test_other_missing_targets_are_problems(deck: bytes, target: str) -> None:
    (problem,) = validate_deck(edit_parts(deck, {SLIDE_RELS: retarget_picture(target)}))
    assert problem.part == SLIDE_RELS
    assert "missing" in problem.reason


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
    edited = unpack(edit_parts(deck, {part: add_relationship("customXml", target)}))
    return pack(edited | {"customXml/item1.xml": b"<data/>"})


@pytest.mark.slow
@each_case("part, target", ABOVE)
def test_paths_above_the_root_resolve_to_the_root(deck: bytes, part: str, target: str) -> None:
    """RFC 3986, 5.2.4."""
    unusual, plain = (_with_custom(deck, part, each) for each in (target, "/customXml/item1.xml"))
    assert validate_deck(unusual) == ()
    assert diff_decks(read_deck(unusual), read_deck(plain)) == ()
    assert diff_decks(read_deck(unusual), read_deck(resave(unusual))) == ()


def test_slide_paths_above_the_root_are_resolved(deck: bytes) -> None:
    unusual = edit_parts(
        deck, {PRESENTATION_RELS: lambda text: text.replace('"slides/', '"../../../ppt/slides/')}
    )
    assert validate_deck(unusual) == ()
    assert diff_decks(read_deck(unusual), read_deck(deck)) == ()


def test_notes_without_slide_relationship_are_valid(deck: bytes) -> None:
    edited = edit_parts(deck, {NOTES_RELS: remove_relationships("slide")})
    assert validate_deck(edited) == ()
    assert read_deck(edited).slides[0].notes == "Say hello"
    assert diff_decks(read_deck(deck), read_deck(edited)) == ()


@pytest.mark.parametrize(
    "edit",
    [
        add_relationship("slide", "../slides/slide2.xml"),
        add_relationship("slide", "../slides/slide1.xml"),
        lambda text: text.replace("slides/slide1.xml", "slides/slide2.xml"),
    ],
    ids=["another too", "twice", "another"],
)
def test_notes_of_another_slide_are_a_problem(deck: bytes, edit: Callable[[str], str]) -> None:
    (problem,) = validate_deck(edit_parts(deck, {NOTES_RELS: edit}))
    assert problem.part == NOTES_RELS
    assert "the notes of 'ppt/slides/slide1.xml' refer to" in problem.reason


def test_notes_without_master_are_a_problem(deck: bytes) -> None:
    problems = validate_deck(edit_parts(deck, {NOTES_RELS: remove_relationships("notesMaster")}))
    assert any(
        "one relationship of kind 'notesMaster', found 0" in each.reason for each in problems
    )


@pytest.mark.slow
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
def test_duplicate_relationship_ids_are_a_problem(
    deck: bytes, part: str, kind: str, target: str
) -> None:
    number = re.findall(r'Id="([^"]+)"', unpack(deck)[part].decode())[0]
    duplicated = edit_parts(deck, {part: add_relationship(kind, target, number)})
    reason = f"2 relationships have the id '{number}', which must be unique"
    assert [each.part for each in validate_deck(duplicated) if each.reason == reason] == [part]
