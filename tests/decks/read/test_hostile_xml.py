"""Hostile XML: entities, nesting, encodings and huge attributes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.decks.packing import unpack
from tests.each_case import each_case
from tests.growth import SIZE_RATIO

from pptarena.errors import DeckError
from pptarena.rewards import read_deck

pytestmark = pytest.mark.slow

SLIDE = "ppt/slides/slide1.xml"
SHAPES = "ppt/slides/slide5.xml"
PARTS = (
    SLIDE,
    "_rels/.rels",
    "ppt/presentation.xml",
    "ppt/_rels/presentation.xml.rels",
    "ppt/slides/_rels/slide1.xml.rels",
    "ppt/slideLayouts/slideLayout1.xml",
    "ppt/slideMasters/slideMaster1.xml",
)
# Decks without these parts are valid, so broken ones are ignored.
OPTIONAL = ("ppt/theme/theme1.xml", "ppt/notesSlides/notesSlide1.xml", "docProps/core.xml")
LEVELS = "".join(
    f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' if n else '<!ENTITY e0 "boom">' for n in range(10)
)


def _with_doctype(xml: str, doctype: str) -> str:
    head, mark, body = xml.partition("?>")
    return f"{head}{mark}<!DOCTYPE p [{doctype}]>{body}" if mark else f"<!DOCTYPE p>{xml}"


def _utf16(xml: str) -> bytes:
    return xml.replace("UTF-8", "UTF-16").encode("utf-16")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("encode", [str.encode, _utf16], ids=["utf-8", "utf-16"])
def test_entities_are_never_expanded(forge: Any, part: str, encode: Any) -> None:
    xml = _with_doctype(forge.part(part), LEVELS)
    end = xml.rindex("</")
    bomb = f"{xml[:end]}<x a='&e9;'>&e9;</x>{xml[end:]}"
    outcome = forge.probe(forge.with_parts({part: encode(bomb)}))
    assert "document type" in outcome.error or "is not XML" in outcome.error
    assert outcome.peak_mb < 150


@each_case("part", OPTIONAL)
def test_entity_bomb_in_an_optional_part_is_harmless(forge: Any, part: str) -> None:
    xml = _with_doctype(forge.part(part), LEVELS)
    end = xml.rindex("</")
    outcome = forge.probe(forge.with_parts({part: f"{xml[:end]}<x a='&e9;'>&e9;</x>{xml[end:]}"}))
    assert outcome.peak_mb < 150


def test_repeated_long_entity_is_not_expanded(forge: Any) -> None:
    xml = _with_doctype(forge.part(SLIDE), f'<!ENTITY e "{"x" * 100_000}">')
    bomb = xml.replace("Annual report", "&e;" * 100_000)
    error = forge.probe(forge.with_parts({SLIDE: bomb})).error
    assert "is not XML" in error or "document type" in error


@pytest.mark.parametrize("kind", ["SYSTEM", "PUBLIC 'x'"])
def test_external_entities_are_not_read(forge: Any, tmp_path: Path, kind: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    doctype = f"<!ENTITY x {kind} '{secret.as_uri()}'><!ENTITY % y {kind} 'http://127.0.0.1:9/'>%y;"
    xml = _with_doctype(forge.part(SLIDE), doctype).replace("Annual report", "&x;")
    with pytest.raises(DeckError, match=r"document type|is not XML") as caught:
        read_deck(forge.with_parts({SLIDE: xml}))
    assert "secret words" not in str(caught.value)


@pytest.mark.parametrize("depth", [300, 3_000, 300_000])
def test_deep_nesting_is_an_error(forge: Any, depth: int) -> None:
    data = forge.with_xml(SHAPES, "</p:spTree>", "<p:grpSp>" * depth + "</p:grpSp>" * depth)
    error = forge.probe(data).error
    assert "is not XML" in error or "tags and attributes" in error


def test_nested_groups_are_read(forge: Any) -> None:
    xml = forge.part(SHAPES)
    start, end = xml.index("<p:sp>"), xml.rindex("</p:sp>") + len("</p:sp>")
    deep = "<p:grpSp>" * 80 + xml[start:end] + "</p:grpSp>" * 80
    deck = read_deck(forge.with_parts({SHAPES: xml[:start] + deep + xml[end:]}))
    assert sum(shape.kind == "group" for shape in deck.slides[4].shapes) == 80


def test_utf16_is_read_like_utf8(forge: Any) -> None:
    names = [name for name in unpack(forge.base) if name.endswith((".xml", ".rels"))]
    data = forge.with_parts({name: _utf16(forge.part(name)) for name in names})
    assert read_deck(data).slides == read_deck(forge.base).slides


@pytest.mark.parametrize("encoding", ["utf-7", "cp037", "utf-32", "shift_jis", "utf-8-but-not"])
def test_other_encodings_are_refused(forge: Any, encoding: str) -> None:
    """Tags are counted before parsing, which needs an encoding that leaves them readable."""
    codec = "utf-8" if encoding == "utf-8-but-not" else encoding
    xml = forge.part(SLIDE).replace("UTF-8", encoding).encode(codec)
    with pytest.raises(DeckError, match="is not XML"):
        read_deck(forge.with_parts({SLIDE: xml}))


_ATTRIBUTES = " ".join(f"a{n}='1'" for n in range(40))


def _namespaces(count: int) -> str:
    declared = " ".join(f"xmlns:n{n}='u{n}'" for n in range(count))
    return f"<p:sp {declared}/>"


_REPEATED: dict[str, tuple[Callable[[int], str], int]] = {
    "attributes": (lambda count: f"<p:sp {_ATTRIBUTES}/>" * count, 20_000),
    "instructions": (lambda count: "<?x?>" * count, 4_000_000),
    "comments": (lambda count: "<!---->" * count, 3_000_000),
    "namespaces": (_namespaces, 100_000),
}


def test_too_many_elements_are_refused(forge: Any) -> None:
    outcome = forge.probe(forge.with_xml(SHAPES, "</p:spTree>", "<a/>" * 5_000_000))
    assert "tags and attributes" in outcome.error


@pytest.mark.parametrize("kind", list(_REPEATED))
def test_repeated_markup_takes_linear_time(forge: Any, kind: str) -> None:
    make, count = _REPEATED[kind]
    forge.probe_growth(
        *(forge.with_xml(SHAPES, "</p:spTree>", make(count // part)) for part in (SIZE_RATIO, 1))
    )


@pytest.mark.parametrize("megabytes", [2, 9, 20])
@pytest.mark.parametrize("attribute", ["name", "descr"])
def test_huge_attributes_are_refused(forge: Any, attribute: str, megabytes: int) -> None:
    value = "x" * (megabytes * 2**20)
    names = {"name": "Remark", "descr": "", attribute: value}
    written = " ".join(f'{name}="{text}"' for name, text in names.items())
    xml = forge.part(SHAPES).replace('name="Remark"', written)
    error = forge.probe(forge.with_parts({SHAPES: xml})).error
    assert "characters" in error or "is not XML" in error
