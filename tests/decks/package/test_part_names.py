"""Part names are equivalent whatever the case of their ASCII letters (ECMA-376 part 2, 6.2.2.3)."""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Emu
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package.files import Part, Parts
from pptarena.decks.package.relationships import part_key, with_exact_names
from pptarena.decks.presentation import open_presentation
from pptarena.decks.read import reader
from pptarena.decks.validity import validate_deck

Names = Callable[[str], str]
Content = Callable[[str, bytes], bytes]

MEDIA = "ppt/media/image1.png"
SLIDE = "ppt/slides/slide1.xml"
RELS = "ppt/slides/_rels/slide1.xml.rels"


def _plain() -> bytes:
    picture, stream = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(picture, "PNG")
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Harvest"
    slide.shapes.add_picture(io.BytesIO(picture.getvalue()), Emu(0), Emu(0))
    slide.notes_slide.notes_text_frame.text = "Say hello"
    deck.save(stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def plain() -> bytes:
    return _plain()


def rewritten(
    deck: bytes,
    names: Names = lambda name: name,
    content: Content = lambda _, data: data,
    more: dict[str, bytes] | None = None,
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(deck)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(names(name), content(name, old.read(name)))
        for name, data in (more or {}).items():
            new.writestr(name, data)
    return out.getvalue()


def _targets(change: Callable[[str], str]) -> Content:
    """Return what changes the targets of all relationships."""

    def edit(name: str, data: bytes) -> bytes:
        if not name.endswith(".rels"):
            return data
        return re.sub(r'(Target=")([^"]*)', lambda m: m[1] + change(m[2]), data.decode()).encode()

    return edit


def _overrides(name: str, data: bytes) -> bytes:
    return data.replace(b"/ppt/slides/slide1.xml", b"/PPT/Slides/SLIDE1.xml")


def _without_types(name: str) -> str:
    return name if name.startswith("[") else name.upper()


def _slide_rels(name: str) -> str:
    return "ppt/slides/_RELS/Slide1.XML.rels" if name == RELS else name


def _same(_: str, data: bytes) -> bytes:
    return data


SPELLINGS: dict[str, tuple[Names, Content]] = {
    "a picture in the file": (lambda n: n.replace("image1.png", "Image1.PNG"), _same),
    "a picture in its relationship": (lambda n: n, _targets(lambda t: t.replace("image", "IMAGE"))),
    "a folder": (lambda n: n.replace("ppt/media/", "ppt/Media/"), _same),
    "a slide": (lambda n: n.replace("slide1.xml", "SLIDE1.XML"), _same),
    "a layout": (lambda n: n.replace("slideLayouts", "slidelayouts"), _same),
    "the theme": (lambda n: n, _targets(lambda t: t.replace("theme", "Theme"))),
    "a part with relationships": (_slide_rels, _same),
    "the content types": (lambda n: n.replace("[Content_Types]", "[content_types]"), _same),
    "an override": (lambda n: n, _overrides),
    "the presentation": (lambda n: n.replace("ppt/presentation", "ppt/Presentation"), _same),
    "notes": (lambda n: n.replace("notesSlide1", "NotesSlide1"), _same),
    "all parts in capitals": (_without_types, _same),
    "all targets in capitals": (lambda n: n, _targets(str.upper)),
    "a space in the file": (
        lambda n: n.replace("image1", "image%201"),
        _targets(lambda t: t.replace("image1", "image%201")),
    ),
}


@pytest.mark.slow
@each_case("name", list(SPELLINGS))
def test_parts_are_found_by_any_spelling(plain: bytes, name: str) -> None:
    deck = rewritten(plain, *SPELLINGS[name])
    facts, wanted = read_deck(deck), read_deck(plain)
    (picture,) = (shape.picture for shape in facts.slides[0].shapes if shape.picture)
    assert picture.sha256
    assert not picture.linked
    assert facts.slides[0].notes == "Say hello"
    assert facts.slides[0].layout == wanted.slides[0].layout
    assert diff_decks(wanted, facts) == ()
    assert validate_deck(deck) == ()


@pytest.mark.slow
@each_case("name", list(SPELLINGS))
def test_python_pptx_loses_nothing(plain: bytes, name: str) -> None:
    deck = rewritten(plain, *SPELLINGS[name])
    saved = io.BytesIO()
    open_presentation(deck).save(saved)
    assert diff_decks(read_deck(plain), read_deck(saved.getvalue())) == ()
    assert validate_deck(saved.getvalue()) == ()


def test_a_deck_with_exact_names_is_returned_itself(plain: bytes) -> None:
    assert with_exact_names(plain) is plain


@pytest.mark.parametrize("twin", [MEDIA.upper(), "ppt/slides/Slide1.xml", "PPT/theme/theme1.xml"])
def test_two_parts_with_equivalent_names_are_a_problem(plain: bytes, twin: str) -> None:
    (found,) = validate_deck(rewritten(plain, more={twin: b"<x/>"}))
    assert "equivalent names of parts" in found.reason
    assert twin in found.reason
    assert diff_decks(read_deck(plain), read_deck(rewritten(plain, more={twin: b"<x/>"}))) == ()


def test_only_ascii_letters_are_alike() -> None:
    assert part_key("ppt/Slides/A%20b.xml") == part_key("ppt/slides/a b.XML")
    assert part_key("ppt/É.png") != part_key("ppt/é.png")
    assert part_key("ppt/ÉA.png") == part_key("ppt/Éa.png")


def _parts(deck: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(deck)) as file:
        return Parts([Part.of(name, file.read(name)) for name in file.namelist()])


def test_facts_that_are_used_again_follow_the_names(plain: bytes) -> None:
    """A picture that is missing, comes, and changes its case, in one document and in files."""
    spelt = [
        lambda n: n,
        lambda n: n.replace("image1.png", "other.png"),
        lambda n: n.replace("image1.png", "IMAGE1.png"),
        lambda n: n.replace("ppt/media", "PPT/media"),
        lambda n: n.replace("image1.png", "other.png"),
    ]
    decks = [rewritten(plain, each) for each in spelt]

    def digest(facts: Any) -> str:
        shapes = facts.slides[0].shapes
        return str(next(s.picture.sha256 for s in shapes if s.picture is not None))

    whole = digest(read_deck(plain))
    wanted = [whole, "", whole, whole, ""]
    assert [digest(read_deck(_parts(each))) for each in decks] == wanted
    assert [digest(read_deck(each)) for each in decks] == wanted
    reader.forget()
    assert [digest(read_deck(each)) for each in reversed(decks)] == wanted[::-1]
