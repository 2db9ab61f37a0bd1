"""XML that was made to hurt: entities, depth, encodings, and endless attributes."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.each_case import each_case
from tests.growth import TIMES

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
# These may be left out of a deck, so a broken one may be too.
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
def test_entities_are_expanded_in_no_part(forge: Any, part: str, encode: Any) -> None:
    xml = _with_doctype(forge.part(part), LEVELS)
    end = xml.rindex("</")
    bomb = f"{xml[:end]}<x a='&e9;'>&e9;</x>{xml[end:]}"
    outcome = forge.probe(forge.having({part: encode(bomb)}))
    assert "document type" in outcome.error or "is no XML" in outcome.error
    assert outcome.peak_mb < 150


@each_case("part", OPTIONAL)
def test_a_bomb_where_nothing_is_needed_does_no_harm(forge: Any, part: str) -> None:
    xml = _with_doctype(forge.part(part), LEVELS)
    end = xml.rindex("</")
    outcome = forge.probe(forge.having({part: f"{xml[:end]}<x a='&e9;'>&e9;</x>{xml[end:]}"}))
    assert outcome.peak_mb < 150


def test_a_long_entity_used_often_is_not_expanded(forge: Any) -> None:
    xml = _with_doctype(forge.part(SLIDE), f'<!ENTITY e "{"x" * 100_000}">')
    bomb = xml.replace("Annual report", "&e;" * 100_000)
    assert "is no XML" in (error := forge.probe(forge.having({SLIDE: bomb})).error) or (
        "document type" in error
    )


@pytest.mark.parametrize("kind", ["SYSTEM", "PUBLIC 'x'"])
def test_outside_files_are_not_read(forge: Any, tmp_path: Path, kind: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    doctype = f"<!ENTITY x {kind} '{secret.as_uri()}'><!ENTITY % y {kind} 'http://127.0.0.1:9/'>%y;"
    xml = _with_doctype(forge.part(SLIDE), doctype).replace("Annual report", "&x;")
    with pytest.raises(DeckError, match=r"document type|is no XML") as caught:
        read_deck(forge.having({SLIDE: xml}))
    assert "secret words" not in str(caught.value)


@pytest.mark.parametrize("depth", [300, 3_000, 300_000])
def test_deep_nesting_is_an_error(forge: Any, depth: int) -> None:
    data = forge.inside(SHAPES, "</p:spTree>", "<p:grpSp>" * depth + "</p:grpSp>" * depth)
    error = forge.probe(data).error
    assert "is no XML" in error or "tags and attributes" in error


def test_groups_within_groups_are_read(forge: Any) -> None:
    xml = forge.part(SHAPES)
    start, end = xml.index("<p:sp>"), xml.rindex("</p:sp>") + len("</p:sp>")
    deep = "<p:grpSp>" * 80 + xml[start:end] + "</p:grpSp>" * 80
    deck = read_deck(forge.having({SHAPES: xml[:start] + deep + xml[end:]}))
    assert sum(shape.kind == "group" for shape in deck.slides[4].shapes) == 80


def test_utf16_is_read_like_utf8(forge: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(forge.base)) as file:
        names = [name for name in file.namelist() if name.endswith((".xml", ".rels"))]
    data = forge.having({name: _utf16(forge.part(name)) for name in names})
    assert read_deck(data).slides == read_deck(forge.base).slides


@pytest.mark.parametrize("encoding", ["utf-7", "cp037", "utf-32", "shift_jis", "utf-8-but-not"])
def test_other_encodings_are_refused(forge: Any, encoding: str) -> None:
    """Tags are counted before they are parsed, which needs an encoding that shows them."""
    codec = "utf-8" if encoding == "utf-8-but-not" else encoding
    xml = forge.part(SLIDE).replace("UTF-8", encoding).encode(codec)
    with pytest.raises(DeckError, match="is no XML"):
        read_deck(forge.having({SLIDE: xml}))


_NAMES = " ".join(f"a{n}='1'" for n in range(40))


def _namespaces(count: int) -> str:
    declared = " ".join(f"xmlns:n{n}='u{n}'" for n in range(count))
    return f"<p:sp {declared}/>"


_MANY: dict[str, tuple[Callable[[int], str], int]] = {
    "attributes": (lambda count: f"<p:sp {_NAMES}/>" * count, 20_000),
    "instructions": (lambda count: "<?x?>" * count, 4_000_000),
    "comments": (lambda count: "<!---->" * count, 3_000_000),
    "namespaces": (_namespaces, 100_000),
}


def test_too_many_elements_are_refused(forge: Any) -> None:
    outcome = forge.probe(forge.inside(SHAPES, "</p:spTree>", "<a/>" * 5_000_000))
    assert "tags and attributes" in outcome.error


@pytest.mark.parametrize("what", list(_MANY))
def test_endless_markup_does_not_hold_up_the_reader(forge: Any, what: str) -> None:
    make, count = _MANY[what]
    forge.probe_growth(
        *(forge.inside(SHAPES, "</p:spTree>", make(count // part)) for part in (TIMES, 1))
    )


@pytest.mark.parametrize("megabytes", [2, 9, 20])
@pytest.mark.parametrize("what", ["name", "descr"])
def test_enormous_attributes(forge: Any, what: str, megabytes: int) -> None:
    value = "x" * (megabytes * 2**20)
    names = {"name": "Remark", "descr": "", what: value}
    written = " ".join(f'{name}="{text}"' for name, text in names.items())
    xml = forge.part(SHAPES).replace('name="Remark"', written)
    error = forge.probe(forge.having({SHAPES: xml})).error
    assert "letters" in error or "is no XML" in error
