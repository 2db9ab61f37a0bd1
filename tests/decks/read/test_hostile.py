"""Malformed decks are read or raise one clear error, and never crash."""

import contextlib
import gc
from pathlib import Path
from typing import Any

import pytest

from pptarena.decks.package.package import Package
from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, read_deck

pytestmark = pytest.mark.slow

SLIDE = "ppt/slides/slide1.xml"
SHAPES = "ppt/slides/slide5.xml"
PRESENTATION = "ppt/presentation.xml"
MASTER = "ppt/slideMasters/slideMaster1.xml"
CHART = "ppt/charts/"


def _expect_error(data: bytes, match: str) -> None:
    with pytest.raises(DeckError, match=match):
        read_deck(data)


def _rels(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels"


def _relationships(*pairs: tuple[str, str]) -> str:
    rels = "".join(
        f'<Relationship Id="rId{number}" Type="x/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(pairs, start=1)
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{rels}</Relationships>'


@pytest.mark.parametrize(
    "part", [SLIDE, PRESENTATION, "_rels/.rels", "ppt/_rels/presentation.xml.rels"]
)
def test_missing_or_broken_required_part_is_an_error(forge: Any, part: str) -> None:
    _expect_error(forge.with_parts({part: None}), "missing|no part|main document")
    for broken in ("<broken", "", "\0" * 100, "no markup at all"):
        _expect_error(forge.with_parts({part: broken}), "is not XML")


def test_wrong_root_element_is_an_error(forge: Any) -> None:
    _expect_error(forge.with_parts({SLIDE: "<html/>"}), "slide 1 has no shape tree")
    _expect_error(forge.with_parts({SLIDE: forge.part(MASTER)}), "slide 1 has no shape tree")
    _expect_error(forge.with_parts({PRESENTATION: "<html/>"}), "main document is 'html'")


def test_missing_optional_parts_are_ignored(forge: Any) -> None:
    def change(name: str, old: bytes) -> bytes | None:
        is_optional = name.startswith(("ppt/media", "ppt/theme", "ppt/slideLayouts", "ppt/charts"))
        return None if is_optional else old

    deck = read_deck(forge.rewrite(change))
    assert deck.slides[0].title == "Annual report"
    assert deck.slides[3].shapes[1].chart is None


@pytest.mark.parametrize("prefix", ["ppt/theme", "ppt/charts", "ppt/notesSlides", "docProps"])
@pytest.mark.parametrize("content", [b"", b"<html/>", b"<broken", b"\x89PNG\r\n\x1a\n"])
def test_broken_optional_parts_are_ignored(forge: Any, prefix: str, content: bytes) -> None:
    outcome = forge.probe(
        forge.rewrite(lambda name, old: content if name.startswith(prefix) else old)
    )
    assert outcome.error == ""


@pytest.mark.parametrize(
    "text",
    [
        "<Types/>",
        "<broken",
        None,
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="image/png"/></Types>',
    ],
)
def test_content_types_are_ignored(forge: Any, text: str | None) -> None:
    """Parts are found by relationship and identified by their root element."""
    deck = read_deck(forge.with_parts({"[Content_Types].xml": text}))
    assert deck.slides == read_deck(forge.base).slides


def test_parts_of_another_type_are_not_used(forge: Any) -> None:
    chart = "ppt/slides/_rels/slide4.xml.rels"
    deck = read_deck(
        forge.with_parts(
            {chart: forge.part(chart).replace("../charts/", "../slideMasters/../charts/x")}
        )
    )
    assert deck.slides[3].shapes[1].chart is None
    notes = "ppt/slides/_rels/slide6.xml.rels"
    to_itself = forge.part(notes).replace("../notesSlides/notesSlide1.xml", "slide6.xml")
    assert len(read_deck(forge.with_parts({notes: to_itself})).slides) == 6


def test_cyclic_relationships_are_handled(forge: Any) -> None:
    layout = "ppt/slideLayouts/slideLayout1.xml"
    cycles: tuple[dict[str, str], ...] = (
        {_rels(SLIDE): _relationships(("slideLayout", "slide1.xml"))},
        {_rels(SLIDE): _relationships(("slideLayout", "../slideMasters/slideMaster1.xml"))},
        {_rels(layout): _relationships(("slideMaster", "slideLayout1.xml"))},
        {_rels(layout): _relationships(("slideMaster", "../slides/slide1.xml"))},
        {_rels(MASTER): _relationships(("slideLayout", "slideMaster1.xml"), ("theme", "x"))},
        {_rels(MASTER): _relationships(("theme", "slideMaster1.xml"), ("slideMaster", "x"))},
        {_rels(SLIDE): _relationships(("notesSlide", "slide1.xml"), ("slide", "slide1.xml"))},
        {"_rels/.rels": _relationships(("officeDocument", "_rels/.rels"))},
    )
    for parts in cycles:
        try:
            deck = read_deck(forge.with_parts({**parts}))
        except DeckError:
            continue
        assert deck.slides[0].title == "Annual report"
        assert diff_decks(deck, deck) == ()


def test_repeated_or_missing_slides_are_an_error(forge: Any) -> None:
    text = forge.part(PRESENTATION)
    start = text.index("<p:sldId ")
    entry = text[start : text.index("/>", start) + 2]
    repeated = forge.with_parts({PRESENTATION: text.replace(entry, 2 * entry)})
    _expect_error(repeated, "slide.*same part")
    missing = forge.with_parts({PRESENTATION: text.replace('r:id="rId', 'r:id="x')})
    _expect_error(missing, "no part")


@pytest.mark.parametrize("invalid", ["", "x", "1e999", "-1", "9" * 400, "nan", "-inf", "1e300"])
def test_invalid_numbers_are_ignored(forge: Any, invalid: str) -> None:
    text = forge.part(SHAPES)
    changed = {
        SHAPES: text.replace('x="914400"', f'x="{invalid}"')
        .replace('dur="500"', f'dur="{invalid}"')
        .replace('delay="0"', f'delay="{invalid}"')
        .replace("<a:rPr", f'<a:rPr sz="{invalid}" baseline="{invalid}" spc="{invalid}"')
        .replace("<a:p>", f'<a:p><a:pPr marL="{invalid}" indent="{invalid}" lvl="{invalid}"/>')
    }
    assert changed[SHAPES].count(f'"{invalid}"') > 10
    data = forge.with_parts(changed)
    deck = read_deck(data)
    assert diff_decks(deck, read_deck(data)) == ()


@pytest.mark.parametrize("invalid", ["", "x", "1e999", "-1", "9" * 400, "nan", "-inf", "9" * 5000])
def test_invalid_numbers_in_charts_are_ignored(forge: Any, invalid: str) -> None:
    def change(name: str, old: bytes) -> bytes:
        if not name.startswith(CHART) or not name.endswith(".xml"):
            return old
        text = old.decode().replace('idx="1"', f'idx="{invalid}"', 3)
        return text.replace("<c:v>1", f"<c:v>{invalid}").encode()

    data = forge.rewrite(change)
    try:
        deck = read_deck(data)
    except DeckError:
        return
    assert deck.slides[3].shapes[1].chart is not None
    assert diff_decks(deck, read_deck(data)) == ()


def test_unreadable_paths_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"nowhere\.pptx cannot be read: No such file"):
        read_deck(tmp_path / "nowhere.pptx")
    with pytest.raises(DeckError, match="cannot be read"):
        read_deck(tmp_path)


def test_refused_deck_is_freed(forge: Any) -> None:
    """No error holds the frames that raised it, so the parsed parts are freed immediately."""
    slide = forge.part("ppt/slides/slide5.xml")
    broken = forge.with_parts({
        "ppt/charts/broken.xml": "<", "ppt/slides/slide5.xml": slide.replace("</p:cSld>", ""),
    })  # fmt: skip
    gc.collect()
    gc.disable()
    try:
        with contextlib.suppress(DeckError):
            read_deck(broken)
        # By `type`: `isinstance` queries the proxies of other packages, which emit warnings.
        remaining = [each for each in gc.get_objects() if type(each) is Package]
    finally:
        gc.enable()
    assert remaining == []
