"""Problems of a deck, and new problems of an edit."""

import pytest
from tests.decks.packing import pack, unpack
from tests.envs.document.everything import everything

from pptarena.decks.validity import Problem, new_problems, validate_deck
from pptarena.errors import DeckError

SLIDE = "ppt/slides/slide1.xml"
TYPES = "[Content_Types].xml"


@pytest.fixture(scope="module")
def deck() -> bytes:
    return everything()


def edit_part(deck: bytes, part: str, *pairs: tuple[str, str]) -> bytes:
    parts = unpack(deck)
    for old, new in pairs:
        assert old.encode() in parts[part]
        parts[part] = parts[part].replace(old.encode(), new.encode(), 1)
    return pack(parts)


def test_problem_has_part_place_and_reason(deck: bytes) -> None:
    (problem,) = validate_deck(edit_part(deck, SLIDE, ('prst="ellipse"', 'prst="round"')))
    assert problem.part == SLIDE
    assert problem.place == "/sld[1]/cSld[1]/spTree[1]/sp[4]/spPr[1]/prstGeom[1]"
    assert "round" in problem.reason
    assert str(problem) == f"{problem.part}{problem.place}: {problem.reason}"
    assert problem.to_json() == {
        "severity": "repaired",
        "part": problem.part,
        "place": problem.place,
        "reason": problem.reason,
    }


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("slides/slide1.xml", "slides/none.xml", "ppt/slides/slide1.xml' is a slide"),
        (
            "presentationml.slide+xml",
            "presentationml.sheet+xml",
            "is a slide, its content type is",
        ),
        ("presentation.main+xml", "document+xml", "the content type of 'ppt/presentation.xml'"),
        ('Extension="png"', 'Extension="gif"', "no content type for the part 'ppt/media/image1"),
        ("<Types ", "<!DOCTYPE x><Types ", "document type"),
    ],
)
def test_wrong_content_types_are_problems(deck: bytes, old: str, new: str, reason: str) -> None:
    assert any(reason in each.reason for each in validate_deck(edit_part(deck, TYPES, (old, new))))


def test_only_problems_of_the_edit_are_new(deck: bytes) -> None:
    before = edit_part(deck, SLIDE, ('prst="ellipse"', 'prst="round"'))
    assert new_problems(before, before) == ()
    moved = edit_part(before, SLIDE, ("<a:t>Tents</a:t>", "<a:t>Yurts</a:t>"))
    assert new_problems(before, moved) == ()
    (problem,) = new_problems(before, edit_part(before, SLIDE, ('spd="med"', 'spd="mid"')))
    assert "mid" in problem.reason
    # A second problem with the same reason is new as well.
    (second_problem,) = new_problems(
        before, edit_part(before, SLIDE, ('prst="line"', 'prst="round"'))
    )
    assert second_problem.reason == validate_deck(before)[0].reason


def test_signed_axis_ids_are_valid(deck: bytes) -> None:
    part = "ppt/charts/chart1.xml"
    assert b'axId val="-' in unpack(deck)[part]
    assert validate_deck(deck) == ()
    invalid = edit_part(deck, part, ('<c:idx val="0"/>', '<c:idx val="-1"/>'))
    assert [each.part for each in validate_deck(invalid)] == [part]


def test_file_that_is_no_deck_is_refused() -> None:
    with pytest.raises(DeckError):
        validate_deck(b"no zip file")


@pytest.mark.slow
def test_many_elements_and_problems_are_validated(deck: bytes) -> None:
    run = "<a:r><a:t>One tent</a:t></a:r>"
    assert validate_deck(edit_part(deck, SLIDE, (run, "<a:br/>" * 30_000))) == ()
    assert len(validate_deck(edit_part(deck, SLIDE, (run, "<a:br r:id='x'/>" * 9_000)))) <= 200


def test_problems_are_ordered() -> None:
    assert Problem("a", "/b", "c") < Problem("b", "/a", "c")
