"""Zip files that were made to hurt: one clear error, soon, in little memory."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from pptarena.decks.package import package
from pptarena.errors import DeckError
from pptarena.rewards import read_deck

pytestmark = pytest.mark.slow

SLIDE = "ppt/slides/slide1.xml"
MB = 2**20


def _expect_error(data: bytes, match: str) -> None:
    with pytest.raises(DeckError, match=match):
        read_deck(data)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip file at all", b"\0" * 1000])
def test_no_zip_file(data: bytes) -> None:
    _expect_error(data, "not a valid .pptx")


def test_another_zip_file() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("readme.txt", "hello")
    _expect_error(file.getvalue(), "names no main document")


def test_an_encrypted_or_old_file_is_called_that() -> None:
    _expect_error(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "encrypted, or of an older")


def test_truncated_files_never_crash(lab: Any) -> None:
    for share in (0.1, 0.5, 0.9, 0.999):
        _expect_error(lab.base[: int(len(lab.base) * share)], "not a valid .pptx|broken")


def test_flipped_bytes_give_facts_or_an_error(lab: Any) -> None:
    for at in range(60, len(lab.base), 997):
        data = bytearray(lab.base)
        data[at] ^= 0xFF
        try:
            deck = read_deck(bytes(data))
        except DeckError:
            continue
        assert len(deck.slides) == 6


def test_files_of_other_programs_are_read_alike(forge: Any) -> None:
    """Stored, with a comment, after other bytes, with sizes that follow the content, as zip64."""
    for file in (
        _repacked(forge.base, method=0),
        _repacked(forge.base, comment=b"made by hand"),
        _repacked(forge.base, wide=True),
        _repacked(forge.base, streamed=True),
        b"#!/bin/sh\n" + forge.base,
    ):
        assert read_deck(file).slides == read_deck(forge.base).slides


def _repacked(
    data: bytes,
    method: int = 8,
    comment: bytes = b"",
    wide: bool = False,
    streamed: bool = False,
) -> bytes:
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return not streamed

        def tell(self) -> int:
            if streamed:
                raise OSError("a stream has no position")
            return super().tell()

    file = Stream()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", method) as new:
        new.comment = comment
        for name in old.namelist():
            with new.open(name, "w", force_zip64=wide) as part:
                part.write(old.read(name))
    return file.getvalue()


def test_a_bomb_of_xml_is_refused_unopened(forge: Any) -> None:
    bomb = forge.having({SLIDE: b" " * (package.MAX_XML_BYTES + 1)})
    assert len(bomb) < MB
    assert "too much XML" in forge.probe(bomb).error


def test_a_bomb_of_media_is_refused_unopened(forge: Any) -> None:
    zeros = bytes(100 * MB)
    bomb = forge.having({f"ppt/media/image{n}.bin": zeros for n in range(6)})
    assert len(bomb) < 2 * MB
    assert "bytes unpacked" in forge.probe(bomb).error


def test_large_media_are_read_once(forge: Any) -> None:
    """One picture of 200 MB that all slides show."""
    rels = {
        f"ppt/slides/_rels/slide{n}.xml.rels": forge.part(
            f"ppt/slides/_rels/slide{n}.xml.rels"
        ).replace(
            "</Relationships>",
            '<Relationship Id="big" Type="x/image" Target="../media/big.png"/></Relationships>',
        )
        for n in (4, 5)
    }
    picture = forge.part("ppt/slides/slide4.xml")
    start = picture.index("<p:pic>")
    xml = picture[start : picture.index("</p:pic>") + len("</p:pic>")]
    xml = xml.replace('r:embed="rId', 'r:embed="big" x="')
    slides = {
        f"ppt/slides/slide{n}.xml": forge.part(f"ppt/slides/slide{n}.xml").replace(
            "</p:spTree>", 20 * xml + "</p:spTree>"
        )
        for n in (4, 5)
    }
    data = forge.having({**rels, **slides, "ppt/media/big.png": bytes(200 * MB)})
    outcome = forge.probe(data)
    assert outcome.error == ""
    assert outcome.peak_mb < 700


@cache
def packed_zeros() -> tuple[bytes, int]:
    """Return 500 MB of zeros, compressed, and their checksum."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = bytes(500 * MB)
    return squeeze.compress(content) + squeeze.flush(), zlib.crc32(content)


@pytest.mark.parametrize("lie", [1, 1000, 30 * MB])
def test_sizes_that_lie_are_found_out(forge: Any, zips: Any, lie: int) -> None:
    entry, make = zips
    with zipfile.ZipFile(io.BytesIO(forge.base)) as old:
        parts = [entry(n.encode(), old.read(n)) for n in old.namelist() if n != SLIDE]
    packed, crc = packed_zeros()
    parts.append(entry(SLIDE.encode(), b"", size=lie, crc=crc, packed=packed))
    outcome = forge.probe(make(parts))
    assert "broken: expected" in outcome.error or "too much XML" in outcome.error
    assert outcome.peak_mb < 150


def test_entries_that_overlap_are_refused(zips: Any) -> None:
    entry, make = zips
    kernel = entry(b"kernel", b"\0" * 1000)
    same = [kernel, *(entry(f"e{n}".encode(), b"\0" * 1000, at=0) for n in range(100))]
    _expect_error(make(same), "in the same place")
    rels = entry(b"_rels/.rels", b"<a/>", packed=b"x" * 5000)
    inner = entry(b"inner", b"", at=200)
    _expect_error(make([rels, inner]), "overlaps what follows")


def test_two_parts_of_one_name_are_refused(forge: Any) -> None:
    file = io.BytesIO(forge.base)
    with zipfile.ZipFile(file, "a") as made, pytest.warns(UserWarning, match="Duplicate name"):
        made.writestr(SLIDE, b"<other/>")
    _expect_error(file.getvalue(), "two parts have the name")


def test_names_that_contradict_each_other_are_refused(zips: Any) -> None:
    entry, make = zips
    part = entry(b"_rels/.rels", b"<Relationships/>", local_name=b"_rels/.relz")
    _expect_error(make([part]), "its header has another name")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_compress_are_refused(forge: Any, method: int) -> None:
    file = io.BytesIO(forge.base)
    with zipfile.ZipFile(file, "a", method) as made:
        made.writestr("ppt/media/image9.bin", bytes(1000))
    _expect_error(file.getvalue(), f"compressed by method {method}")


def test_encrypted_parts_are_refused(zips: Any) -> None:
    entry, make = zips
    _expect_error(make([entry(b"_rels/.rels", b"<a/>", flags=1)]), "is encrypted")


@pytest.mark.parametrize(
    "name",
    [b"../../etc/passwd", b"/etc/passwd", b"C:\\x", b"a\0b", b"=?utf-8?Q?=2E=2E/x?=", b"\xff\xfe"],
)
def test_names_that_lead_elsewhere_do_no_harm(forge: Any, zips: Any, name: bytes) -> None:
    entry, make = zips
    with zipfile.ZipFile(io.BytesIO(forge.base)) as old:
        parts = [entry(n.encode(), old.read(n)) for n in old.namelist()]
    deck = read_deck(make([*parts, entry(name, b"<a/>")]))
    assert deck.slides == read_deck(forge.base).slides


def test_targets_that_lead_elsewhere_are_not_followed(forge: Any) -> None:
    rels = "ppt/slides/_rels/slide1.xml.rels"
    text = forge.part(rels).replace("../slideLayouts/", "../../../../../../etc/passwd?")
    assert read_deck(forge.having({rels: text})).slides[0].layout == ""


def test_too_many_parts_are_refused(forge: Any) -> None:
    file = io.BytesIO(forge.base)
    with zipfile.ZipFile(file, "a") as made:
        for number in range(70_000):
            made.writestr(f"x/{number}", b"")
    outcome = forge.probe(file.getvalue())
    assert "parts, found" in outcome.error


def test_a_count_of_parts_that_lies_is_found_out(lab: Any) -> None:
    at = lab.base.rindex(b"PK\x05\x06")
    for count in (0, 1, 9_999):
        wrong = bytearray(lab.base)
        wrong[at + 8 : at + 12] = struct.pack("<2H", count, count)
        _expect_error(bytes(wrong), "expected .* entries|cut off|broken|requires")


def test_a_zip_within_a_zip_stays_closed(forge: Any) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", 8) as made:
        made.writestr("zeros", bytes(300 * MB))
    name = "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"
    outcome = forge.probe(forge.having({name: inner.getvalue()}))
    assert outcome.error == ""
    assert outcome.peak_mb < 150


@pytest.mark.parametrize("make", [lambda path: path, lambda path: path / "nowhere.pptx"])
def test_paths_that_are_no_files(tmp_path: Any, make: Callable[[Any], Any]) -> None:
    with pytest.raises(DeckError, match=r"cannot be read"):
        read_deck(make(tmp_path))


def test_an_empty_zip_file_says_so() -> None:
    with pytest.raises(DeckError, match="the zip file is empty"):
        read_deck(b"PK\x05\x06" + bytes(18))
