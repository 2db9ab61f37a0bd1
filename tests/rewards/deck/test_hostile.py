"""Files that were made to hurt: one clear error, soon, and never a hang."""

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.errors import DeckError
from pptarena.rewards import read_deck
from pptarena.rewards.deck import package

SLIDE = "ppt/slides/slide1.xml"


def _rewrite(data: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """Copy a zip file; a part that becomes None is left out."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", 8) as new:
        for name in old.namelist():
            found = change(name, old.read(name))
            if found is not None:
                new.writestr(name, found)
    return file.getvalue()


def _with(data: bytes, part: str, content: bytes | None) -> bytes:
    return _rewrite(data, lambda name, old: content if name == part else old)


def _expect_error(data: bytes, match: str) -> None:
    start = time.perf_counter()
    with pytest.raises(DeckError, match=match):
        read_deck(data)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip file at all", b"\0" * 1000])
def test_no_zip_file(data: bytes) -> None:
    _expect_error(data, "not a .pptx file")


def test_another_zip_file() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("readme.txt", "hello")
    _expect_error(file.getvalue(), "names no main document")


def test_truncated_files_never_crash(lab: Any) -> None:
    for share in (0.1, 0.5, 0.9, 0.999):
        _expect_error(lab.base[: int(len(lab.base) * share)], "not a .pptx file|broken")


def test_flipped_bytes_give_facts_or_an_error(lab: Any) -> None:
    for at in range(60, len(lab.base), 997):
        data = bytearray(lab.base)
        data[at] ^= 0xFF
        try:
            deck = read_deck(bytes(data))
        except DeckError:
            continue
        assert len(deck.slides) == 6


def test_a_zip_bomb_is_refused_unopened(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = _with(lab.base, SLIDE, b" " * (package.MAX_XML_BYTES + 1))
    assert len(bomb) < 2**20
    _expect_error(bomb, "too much XML")
    monkeypatch.setattr(package, "MAX_TOTAL_BYTES", 2**20)
    _expect_error(bomb, "bytes unpacked")


def test_too_many_parts_are_refused(lab: Any) -> None:
    file = io.BytesIO(lab.base)
    with zipfile.ZipFile(file, "a") as made:
        for number in range(package.MAX_ENTRIES):
            made.writestr(f"x/{number}", b"")
    _expect_error(file.getvalue(), "parts, found")


def test_entities_are_not_expanded(lab: Any) -> None:
    levels = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' if n else '<!ENTITY e0 "boom">' for n in range(10)
    )
    with zipfile.ZipFile(io.BytesIO(lab.base)) as old:
        xml = old.read(SLIDE).decode()
    head, _, body = xml.partition("?>")
    text = body.replace("Annual report", "&e9;")
    bomb = f"{head}?><!DOCTYPE p [{levels}]>{text}".encode()
    _expect_error(_with(lab.base, SLIDE, bomb), "document type|no XML")


def test_outside_files_are_not_read(lab: Any, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    with zipfile.ZipFile(io.BytesIO(lab.base)) as old:
        xml = old.read(SLIDE).decode()
    head, _, body = xml.partition("?>")
    text = body.replace("Annual report", "&x;")
    doctype = f'<!DOCTYPE p [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    _expect_error(_with(lab.base, SLIDE, f"{head}?>{doctype}{text}".encode()), "document type")


@pytest.mark.parametrize(
    "part", [SLIDE, "ppt/presentation.xml", "_rels/.rels", "ppt/_rels/presentation.xml.rels"]
)
def test_missing_and_broken_parts_are_one_error(lab: Any, part: str) -> None:
    _expect_error(_with(lab.base, part, None), "missing|no part|main document")
    _expect_error(_with(lab.base, part, b"<broken"), "is no XML")


def test_a_slide_of_another_kind_is_an_error(lab: Any) -> None:
    _expect_error(_with(lab.base, SLIDE, b"<html/>"), "slide 1 has no tree of shapes")
    _expect_error(_with(lab.base, "ppt/presentation.xml", b"<html/>"), "main document is 'html'")


def test_missing_layouts_themes_and_pictures_do_no_harm(lab: Any) -> None:
    def change(name: str, old: bytes) -> bytes | None:
        gone = name.startswith(("ppt/media", "ppt/theme", "ppt/slideLayouts", "ppt/charts"))
        return None if gone else old

    deck = read_deck(_rewrite(lab.base, change))
    assert deck.slides[0].title == "Annual report"
    assert deck.slides[3].shapes[1].chart is None


def test_ten_thousand_shapes_are_read_in_time(lab: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(lab.base)) as old:
        xml = old.read("ppt/slides/slide5.xml").decode()
    start = xml.index("<p:sp>")
    end = xml.index("</p:sp>") + len("</p:sp>")
    many = xml[:start] + xml[start:end] * 10_000 + xml[end:]
    begin = time.perf_counter()
    deck = read_deck(_with(lab.base, "ppt/slides/slide5.xml", many.encode()))
    assert len(deck.slides[4].shapes) > 10_000
    assert time.perf_counter() - begin < 5


def test_deep_nesting_is_an_error(lab: Any) -> None:
    deep = b"<a>" * 100_000 + b"</a>" * 100_000
    _expect_error(_with(lab.base, SLIDE, deep), "is no XML")


def test_groups_within_groups_are_read(lab: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(lab.base)) as old:
        xml = old.read("ppt/slides/slide5.xml").decode()
    start, end = xml.index("<p:sp>"), xml.rindex("</p:sp>") + len("</p:sp>")
    deep = "<p:grpSp>" * 80 + xml[start:end] + "</p:grpSp>" * 80
    deck = read_deck(
        _with(lab.base, "ppt/slides/slide5.xml", (xml[:start] + deep + xml[end:]).encode())
    )
    assert sum(shape.kind == "group" for shape in deck.slides[4].shapes) == 80


def test_cyclic_relationships_end(lab: Any) -> None:
    rels = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="rId1" Type="x/slideLayout" Target="slide1.xml"/></Relationships>'
    )
    deck = read_deck(_with(lab.base, "ppt/slides/_rels/slide1.xml.rels", rels))
    assert deck.slides[0].title == "Annual report"


def test_numbers_that_are_none_do_no_harm(lab: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(lab.base)) as old:
        xml = old.read("ppt/slides/slide5.xml").decode()
    for wrong in ("", "x", "1e999", "-1", "9" * 400, "nan"):
        bad = xml.replace('x="914400"', f'x="{wrong}"')
        assert len(read_deck(_with(lab.base, "ppt/slides/slide5.xml", bad.encode())).slides) == 6


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"nowhere\.pptx cannot be read"):
        read_deck(tmp_path / "nowhere.pptx")
