"""Part names are equivalent whatever the case of their ASCII letters (ECMA-376 part 2, 6.2.2.3)."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Emu
from tests.conftest import picture_bytes
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package.files import Part, Parts
from pptarena.decks.package.relationships import part_key, with_exact_names
from pptarena.decks.package_writer import write_package
from pptarena.decks.presentation import open_presentation
from pptarena.decks.read import reader
from pptarena.decks.validity import validate_deck

Names = Callable[[str], str]
Content = Callable[[str, bytes], bytes]

MEDIA = "ppt/media/image1.png"
SLIDE = "ppt/slides/slide1.xml"
RELS = "ppt/slides/_rels/slide1.xml.rels"


@pytest.fixture(scope="module")
def plain() -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Harvest"
    slide.shapes.add_picture(io.BytesIO(picture_bytes("red")), Emu(0), Emu(0))
    slide.notes_slide.notes_text_frame.text = "Say hello"
    return write_package(deck)


def rewrite(
    deck: bytes,
    names: Names = lambda name: name,
    content: Content = lambda _, data: data,
    added: dict[str, bytes] | None = None,
) -> bytes:
    parts = {names(name): content(name, data) for name, data in unpack(deck).items()}
    return pack(parts | (added or {}))


def _edit_targets(change: Callable[[str], str]) -> Content:
    """Return an edit of the targets of all relationships."""

    def edit(name: str, data: bytes) -> bytes:
        if not name.endswith(".rels"):
            return data
        return re.sub(r'(Target=")([^"]*)', lambda m: m[1] + change(m[2]), data.decode()).encode()

    return edit


def _edit_override(name: str, data: bytes) -> bytes:
    return data.replace(b"/ppt/slides/slide1.xml", b"/PPT/Slides/SLIDE1.xml")


def _upper_except_types(name: str) -> str:
    return name if name.startswith("[") else name.upper()


def _slide_rels(name: str) -> str:
    return "ppt/slides/_RELS/Slide1.XML.rels" if name == RELS else name


def _unchanged(_: str, data: bytes) -> bytes:
    return data


SPELLINGS: dict[str, tuple[Names, Content]] = {
    "a picture in the file": (lambda n: n.replace("image1.png", "Image1.PNG"), _unchanged),
    "a picture in its relationship": (
        lambda n: n,
        _edit_targets(lambda t: t.replace("image", "IMAGE")),
    ),
    "a folder": (lambda n: n.replace("ppt/media/", "ppt/Media/"), _unchanged),
    "a slide": (lambda n: n.replace("slide1.xml", "SLIDE1.XML"), _unchanged),
    "a layout": (lambda n: n.replace("slideLayouts", "slidelayouts"), _unchanged),
    "the theme": (lambda n: n, _edit_targets(lambda t: t.replace("theme", "Theme"))),
    "a part with relationships": (_slide_rels, _unchanged),
    "the content types": (lambda n: n.replace("[Content_Types]", "[content_types]"), _unchanged),
    "an override": (lambda n: n, _edit_override),
    "the presentation": (lambda n: n.replace("ppt/presentation", "ppt/Presentation"), _unchanged),
    "notes": (lambda n: n.replace("notesSlide1", "NotesSlide1"), _unchanged),
    "all parts in capitals": (_upper_except_types, _unchanged),
    "all targets in capitals": (lambda n: n, _edit_targets(str.upper)),
    "a space in the file": (
        lambda n: n.replace("image1", "image%201"),
        _edit_targets(lambda t: t.replace("image1", "image%201")),
    ),
}


@pytest.mark.slow
@each_case("name", list(SPELLINGS))
def test_parts_are_found_and_resaved_with_any_spelling(plain: bytes, name: str) -> None:
    deck = rewrite(plain, *SPELLINGS[name])
    facts, expected = read_deck(deck), read_deck(plain)
    (picture,) = (shape.picture for shape in facts.slides[0].shapes if shape.picture)
    assert picture.sha256
    assert not picture.linked
    assert facts.slides[0].notes == "Say hello"
    assert facts.slides[0].layout == expected.slides[0].layout
    assert diff_decks(expected, facts) == ()
    assert validate_deck(deck) == ()
    resaved = io.BytesIO()
    open_presentation(deck).save(resaved)
    assert diff_decks(expected, read_deck(resaved.getvalue())) == ()
    assert validate_deck(resaved.getvalue()) == ()


def test_deck_with_exact_names_is_returned_unchanged(plain: bytes) -> None:
    assert with_exact_names(plain) is plain


@pytest.mark.parametrize(
    "equivalent_name", [MEDIA.upper(), "ppt/slides/Slide1.xml", "PPT/theme/theme1.xml"]
)
def test_two_parts_with_equivalent_names_are_a_problem(plain: bytes, equivalent_name: str) -> None:
    deck = rewrite(plain, added={equivalent_name: b"<x/>"})
    (problem,) = validate_deck(deck)
    assert "equivalent names of parts" in problem.reason
    assert equivalent_name in problem.reason
    assert diff_decks(read_deck(plain), read_deck(deck)) == ()


def test_only_ascii_letters_ignore_case() -> None:
    assert part_key("ppt/Slides/A%20b.xml") == part_key("ppt/slides/a b.XML")
    assert part_key("ppt/É.png") != part_key("ppt/é.png")
    assert part_key("ppt/ÉA.png") == part_key("ppt/Éa.png")


def _parts(deck: bytes) -> Parts:
    return Parts([Part.of(name, data) for name, data in unpack(deck).items()])


@pytest.mark.slow
def test_cached_facts_follow_the_part_names(plain: bytes) -> None:
    """Read decks whose picture is missing, found, or spelled in another case."""
    spellings = [
        lambda n: n,
        lambda n: n.replace("image1.png", "other.png"),
        lambda n: n.replace("image1.png", "IMAGE1.png"),
        lambda n: n.replace("ppt/media", "PPT/media"),
        lambda n: n.replace("image1.png", "other.png"),
    ]
    decks = [rewrite(plain, each) for each in spellings]

    def digest(facts: Any) -> str:
        shapes = facts.slides[0].shapes
        return str(next(s.picture.sha256 for s in shapes if s.picture is not None))

    picture_digest = digest(read_deck(plain))
    expected = [picture_digest, "", picture_digest, picture_digest, ""]
    assert [digest(read_deck(_parts(each))) for each in decks] == expected
    assert [digest(read_deck(each)) for each in decks] == expected
    reader.clear_cache()
    assert [digest(read_deck(each)) for each in reversed(decks)] == expected[::-1]
