"""What is wrong with a deck, and what an edit makes wrong."""

import zipfile
from io import BytesIO

import pytest
from tests.envs.document.everything import everything

from pptarena.decks.validity import Problem, new_problems, validate_deck
from pptarena.errors import DeckError

SLIDE = "ppt/slides/slide1.xml"
TYPES = "[Content_Types].xml"


@pytest.fixture(scope="module")
def deck() -> bytes:
    return everything()


def changed(deck: bytes, part: str, *pairs: tuple[str, str]) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(deck)) as source, zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == part:
                for old, new in pairs:
                    assert old.encode() in data
                    data = data.replace(old.encode(), new.encode(), 1)
            target.writestr(name, data)
    return stream.getvalue()


def test_a_problem_names_part_place_and_reason(deck: bytes) -> None:
    (found,) = validate_deck(changed(deck, SLIDE, ('prst="ellipse"', 'prst="round"')))
    assert found.part == SLIDE
    assert found.place == "/sld[1]/cSld[1]/spTree[1]/sp[4]/spPr[1]/prstGeom[1]"
    assert "round" in found.reason
    assert str(found) == f"{found.part}{found.place}: {found.reason}"
    assert found.to_json() == {
        "severity": "repaired",
        "part": found.part,
        "place": found.place,
        "reason": found.reason,
    }


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("slides/slide1.xml", "slides/none.xml", "ppt/slides/slide1.xml' is a slide"),
        ("presentationml.slide+xml", "presentationml.sheet+xml", "is a slide, its content type is"),
        ("presentation.main+xml", "document+xml", "the content type of 'ppt/presentation.xml'"),
        ('Extension="png"', 'Extension="gif"', "no content type for the part 'ppt/media/image1"),
        ("<Types ", "<!DOCTYPE x><Types ", "document type"),
    ],
)
def test_content_types_are_those_of_the_parts(deck: bytes, old: str, new: str, reason: str) -> None:
    assert any(reason in each.reason for each in validate_deck(changed(deck, TYPES, (old, new))))


def test_only_what_an_edit_makes_wrong_is_new(deck: bytes) -> None:
    before = changed(deck, SLIDE, ('prst="ellipse"', 'prst="round"'))
    assert new_problems(before, before) == ()
    moved = changed(before, SLIDE, ("<a:t>Tents</a:t>", "<a:t>Yurts</a:t>"))
    assert new_problems(before, moved) == ()
    (found,) = new_problems(before, changed(before, SLIDE, ('spd="med"', 'spd="mid"')))
    assert "mid" in found.reason
    # A second one of the same reason counts as well.
    (again,) = new_problems(before, changed(before, SLIDE, ('prst="line"', 'prst="round"')))
    assert again.reason == validate_deck(before)[0].reason


def test_signed_axis_ids_are_as_powerpoint_wrote_them_once(deck: bytes) -> None:
    part = "ppt/charts/chart1.xml"
    assert b'axId val="-' in zipfile.ZipFile(BytesIO(deck)).read(part)
    assert validate_deck(deck) == ()
    wrong = changed(deck, part, ('<c:idx val="0"/>', '<c:idx val="-1"/>'))
    assert [each.part for each in validate_deck(wrong)] == [part]


def test_what_is_no_deck_is_refused() -> None:
    with pytest.raises(DeckError):
        validate_deck(b"no zip file")


@pytest.mark.slow
def test_very_many_elements_and_problems_take_little_time(deck: bytes) -> None:
    run = "<a:r><a:t>One tent</a:t></a:r>"
    assert validate_deck(changed(deck, SLIDE, (run, "<a:br/>" * 30_000))) == ()
    assert len(validate_deck(changed(deck, SLIDE, (run, "<a:br r:id='x'/>" * 9_000)))) <= 200


def test_problems_are_sorted() -> None:
    assert Problem("a", "/b", "c") < Problem("b", "/a", "c")
