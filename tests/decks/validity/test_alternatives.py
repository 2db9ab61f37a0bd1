"""Alternative content (ECMA-376 part 3): only the branch for PowerPoint is read."""

import pytest
from openxml_audit.codegen.schema_loader import get_registry
from pptx import Presentation
from pptx.util import Emu
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import Deck, read_deck
from pptarena.decks.facts.motion import Transition
from pptarena.decks.package.compatibility import UNDERSTOOD
from pptarena.decks.package_writer import write_package
from pptarena.decks.validity import validate_deck

SLIDE = "ppt/slides/slide1.xml"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
NAMESPACES = {
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
    "p159": "http://schemas.microsoft.com/office/powerpoint/2015/09/main",
    "v": "urn:schemas-microsoft-com:vml",
    "zz": "urn:example:future",
    "beta": "http://schemas.microsoft.com/office/powerpoint/2008/9/14/main",
}
DECLARED = " ".join(f'xmlns:{name}="{space}"' for name, space in NAMESPACES.items())


@pytest.fixture(scope="module")
def plain() -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(Emu(0), Emu(0), Emu(900), Emu(900)).text_frame.text = "first"
    return write_package(presentation)


def _with_xml(deck: bytes, before: str, xml: str) -> bytes:
    """Return a deck with XML before an end tag of its slide."""
    parts = unpack(deck)
    head, tag, tail = parts[SLIDE].decode().partition(before)
    assert tag
    return pack(parts | {SLIDE: f"{head}{xml}{tag}{tail}".encode()})


def _box(text: str, number: int = 70, attributes: str = "") -> str:
    return (
        f'<p:sp {attributes}><p:nvSpPr><p:cNvPr id="{number}" name="{text}"/><p:cNvSpPr/><p:nvPr/>'
        "</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>"
        f"{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def _choice(required: str, content: str) -> str:
    return f'<mc:Choice Requires="{required}">{content}</mc:Choice>'


def _alternatives(*branches: str, fallback: str | None = None, declared: str = DECLARED) -> str:
    last = "" if fallback is None else f"<mc:Fallback>{fallback}</mc:Fallback>"
    inside = "".join((*branches, last))
    return f'<mc:AlternateContent xmlns:mc="{MC}" {declared}>{inside}</mc:AlternateContent>'


def _either(required: str, declared: str = DECLARED) -> str:
    choice = _choice(required, _box("choice"))
    return _alternatives(choice, fallback=_box("fallback"), declared=declared)


def _texts(deck: Deck) -> list[str]:
    return [shape.text for shape in deck.slides[0].shapes]


NESTED = _alternatives(_choice("zz", _box("inner choice")), fallback=_box("inner fallback", 71))
BRANCHES = {
    "understood": (_either("p14"), ["choice"]),
    "not understood": (
        _alternatives(_choice("zz", _box("choice", 70, "zz:a='1'")), fallback=_box("fallback")),
        ["fallback"],
    ),
    "a beta": (_either("beta"), ["fallback"]),
    "both understood": (_either("p14 a14"), ["choice"]),
    "one of two": (_either("p14 zz"), ["fallback"]),
    "the second": (_alternatives(_choice("zz", _box("a")), _choice("v", _box("b"))), ["b"]),
    "the first of two": (
        _alternatives(_choice("p159", _box("a")), _choice("p14", _box("b", 71))),
        ["a"],
    ),
    "no fallback": (_alternatives(_choice("zz", _box("a"))), []),
    "an empty fallback": (_alternatives(_choice("zz", _box("a")), fallback=""), []),
    "nested in a fallback": (
        _alternatives(_choice("zz", _box("a")), fallback=NESTED),
        ["inner fallback"],
    ),
    "nested in a choice": (
        _alternatives(_choice("p14", NESTED), fallback=_box("fallback", 72)),
        ["inner fallback"],
    ),
    "in a choice that is dropped": (
        _alternatives(_choice("zz", NESTED), fallback=_box("fallback", 72)),
        ["fallback"],
    ),
    "another prefix": (
        _either("q", f'xmlns:q="{NAMESPACES["p14"]}"'),
        ["choice"],
    ),
    "a known prefix of an unknown namespace": (
        _either("p14", 'xmlns:p14="urn:other"'),
        ["fallback"],
    ),
}


@pytest.mark.slow
@each_case("name", list(BRANCHES))
def test_branch_for_powerpoint_is_read(plain: bytes, name: str) -> None:
    xml, expected = BRANCHES[name]
    deck = _with_xml(plain, "</p:spTree>", xml)
    assert _texts(read_deck(deck)) == ["first", *expected]
    assert validate_deck(deck) == ()


def test_problems_count_only_in_understood_branches(plain: bytes) -> None:
    bad = _box("choice").replace("<a:bodyPr/>", '<a:bodyPr wrap="odd"/>')
    for required, count in (("zz", 0), ("p14", 1), ("p14 zz", 0), ("p14 a14", 1)):
        xml = _alternatives(_choice(required, bad), fallback=_box("fallback"))
        assert len(validate_deck(_with_xml(plain, "</p:spTree>", xml))) == count
    xml = _alternatives(_choice("zz", _box("choice")), fallback=bad)
    assert len(validate_deck(_with_xml(plain, "</p:spTree>", xml))) == 1


def test_references_in_branches_that_are_not_understood_are_ignored(plain: bytes) -> None:
    fill = '<p:spPr><a:blipFill><a:blip r:embed="rId99"/></a:blipFill></p:spPr>'
    picture = _box("choice", 2).replace("<p:spPr/>", fill)
    xml = _alternatives(_choice("zz", picture), fallback=_box("fallback"))
    assert validate_deck(_with_xml(plain, "</p:spTree>", xml)) == ()


def test_undeclared_prefix_is_a_problem(plain: bytes) -> None:
    xml = _either("nope")
    deck = _with_xml(plain, "</p:spTree>", xml)
    assert _texts(read_deck(deck)) == ["first", "fallback"]
    assert any("undeclared prefix: 'nope'" in each.reason for each in validate_deck(deck))


@pytest.mark.parametrize(
    ("required", "expected"),
    [
        ("p14", Transition("fade", "", 2.0)),
        ("zz", Transition("wipe", "dir=u", 1.0)),
        ("p14 zz", Transition("wipe", "dir=u", 1.0)),
    ],
)
def test_transition_of_the_branch_for_powerpoint(
    plain: bytes, required: str, expected: Transition
) -> None:
    choice = '<p:transition spd="slow" p14:dur="2000"><p:fade/></p:transition>'
    other = '<p:transition spd="slow"><p:wipe dir="u"/></p:transition>'
    xml = _alternatives(_choice(required, choice), fallback=other)
    deck = _with_xml(plain, "</p:sld>", xml)
    assert read_deck(deck).slides[0].transition == expected
    assert validate_deck(deck) == ()


def test_slide_namespaces_of_the_sdk_are_understood() -> None:
    other_programs = ("/word", "/spreadsheetml", ":excel", ":word", "/2006/activeX", "customui")
    sdk_namespaces = {
        space
        for space in get_registry().list_schemas()
        if ("/powerpoint/" in space or "/drawing/" in space)
        and not any(word in space for word in other_programs)
    }
    assert len(sdk_namespaces) > 40
    assert sdk_namespaces <= UNDERSTOOD
    assert not any(word in space for space in UNDERSTOOD for word in other_programs)
