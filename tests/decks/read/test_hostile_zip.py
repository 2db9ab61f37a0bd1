"""Hostile zip files raise one clear error quickly and in little memory."""

import io
import struct
import zipfile
import zlib
from functools import cache
from typing import Any

import pytest
from tests.decks.packing import pack, unpack
from tests.decks.read.conftest import RawEntry, raw_zip
from tests.each_case import each_case

from pptarena.decks.package import package
from pptarena.errors import DeckError
from pptarena.rewards import read_deck

pytestmark = pytest.mark.slow

SLIDE = "ppt/slides/slide1.xml"
MB = 2**20


def _expect_error(data: bytes, match: str) -> None:
    with pytest.raises(DeckError, match=match):
        read_deck(data)


@each_case(
    "data, match",
    [
        *((data, "not a valid .pptx") for data in (b"", b"PK\x03\x04", b"no zip", b"\0" * 1000)),
        (pack({"readme.txt": b"hello"}), "has no main document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "encrypted, or of an older"),
        (b"PK\x05\x06" + bytes(18), "the zip file is empty"),
    ],
)
def test_files_that_are_no_decks_are_refused(data: bytes, match: str) -> None:
    _expect_error(data, match)


def test_truncated_file_is_an_error(lab: Any) -> None:
    for share in (0.1, 0.5, 0.9, 0.999):
        _expect_error(lab.base[: int(len(lab.base) * share)], "not a valid .pptx|broken")


def test_flipped_bytes_are_read_or_an_error(lab: Any) -> None:
    for at in range(60, len(lab.base), 997):
        data = bytearray(lab.base)
        data[at] ^= 0xFF
        try:
            deck = read_deck(bytes(data))
        except DeckError:
            continue
        assert len(deck.slides) == 6


def test_other_variants_of_zip_files_are_read(forge: Any) -> None:
    """Stored, with a comment, as zip64, with sizes after the content, and after other bytes."""
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


def test_xml_bomb_is_refused_before_unpacking(forge: Any) -> None:
    bomb = forge.with_parts({SLIDE: b" " * (package.MAX_XML_BYTES + 1)})
    assert len(bomb) < MB
    assert "too much XML" in forge.probe(bomb).error


def test_media_bomb_is_refused_before_unpacking(forge: Any) -> None:
    zeros = bytes(100 * MB)
    bomb = forge.with_parts({f"ppt/media/image{n}.bin": zeros for n in range(6)})
    assert len(bomb) < 2 * MB
    assert "bytes unpacked" in forge.probe(bomb).error


def test_large_media_are_read_once(forge: Any) -> None:
    """Two slides show a picture of 200 MB twenty times each."""
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
    data = forge.with_parts({**rels, **slides, "ppt/media/big.png": bytes(200 * MB)})
    outcome = forge.probe(data)
    assert outcome.error == ""
    assert outcome.peak_mb < 700


@cache
def packed_zeros() -> tuple[bytes, int]:
    """Return 500 MB of zeros, compressed, and their checksum."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = bytes(500 * MB)
    return compressor.compress(content) + compressor.flush(), zlib.crc32(content)


@pytest.mark.parametrize("size", [1, 1000, 30 * MB])
def test_false_sizes_are_detected(forge: Any, size: int) -> None:
    parts = [RawEntry(n.encode(), part) for n, part in unpack(forge.base).items() if n != SLIDE]
    packed, crc = packed_zeros()
    parts.append(RawEntry(SLIDE.encode(), b"", size=size, crc=crc, packed=packed))
    outcome = forge.probe(raw_zip(parts))
    assert "broken: expected" in outcome.error or "too much XML" in outcome.error
    assert outcome.peak_mb < 150


def test_overlapping_entries_are_refused() -> None:
    kernel = RawEntry(b"kernel", b"\0" * 1000)
    same = [kernel, *(RawEntry(f"e{n}".encode(), b"\0" * 1000, offset=0) for n in range(100))]
    _expect_error(raw_zip(same), "start at the same position")
    rels = RawEntry(b"_rels/.rels", b"<a/>", packed=b"x" * 5000)
    inner = RawEntry(b"inner", b"", offset=200)
    _expect_error(raw_zip([rels, inner]), "overlaps the next part")


def test_duplicate_part_names_are_refused(forge: Any) -> None:
    file = io.BytesIO(forge.base)
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(SLIDE, b"<other/>")
    _expect_error(file.getvalue(), "two parts have the name")


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"local_name": b"_rels/.relz"}, "its header has another name"),
        ({"flags": 1}, "is encrypted"),
    ],
)
def test_entries_with_unusable_headers_are_refused(fields: dict[str, Any], match: str) -> None:
    _expect_error(raw_zip([RawEntry(b"_rels/.rels", b"<a/>", **fields)]), match)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression_methods_are_refused(forge: Any, method: int) -> None:
    file = io.BytesIO(forge.base)
    with zipfile.ZipFile(file, "a", method) as archive:
        archive.writestr("ppt/media/image9.bin", bytes(1000))
    _expect_error(file.getvalue(), f"compressed by method {method}")


@pytest.mark.parametrize(
    "name",
    [b"../../etc/passwd", b"/etc/passwd", b"C:\\x", b"a\0b", b"=?utf-8?Q?=2E=2E/x?=", b"\xff\xfe"],
)
def test_path_traversal_names_are_harmless(forge: Any, name: bytes) -> None:
    parts = [RawEntry(n.encode(), part) for n, part in unpack(forge.base).items()]
    deck = read_deck(raw_zip([*parts, RawEntry(name, b"<a/>")]))
    assert deck.slides == read_deck(forge.base).slides


def test_path_traversal_targets_are_not_followed(forge: Any) -> None:
    rels = "ppt/slides/_rels/slide1.xml.rels"
    text = forge.part(rels).replace("../slideLayouts/", "../../../../../../etc/passwd?")
    assert read_deck(forge.with_parts({rels: text})).slides[0].layout == ""


def test_too_many_parts_are_refused(forge: Any) -> None:
    file = io.BytesIO(forge.base)
    with zipfile.ZipFile(file, "a") as archive:
        for number in range(70_000):
            archive.writestr(f"x/{number}", b"")
    outcome = forge.probe(file.getvalue())
    assert "parts, found" in outcome.error


def test_false_part_counts_are_detected(lab: Any) -> None:
    start = lab.base.rindex(b"PK\x05\x06")
    for count in (0, 1, 9_999):
        forged = bytearray(lab.base)
        forged[start + 8 : start + 12] = struct.pack("<2H", count, count)
        _expect_error(bytes(forged), "expected .* entries|cut off|broken|requires")


def test_nested_zip_is_not_unpacked(forge: Any) -> None:
    inner = pack({"zeros": bytes(300 * MB)})
    name = "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"
    outcome = forge.probe(forge.with_parts({name: inner}))
    assert outcome.error == ""
    assert outcome.peak_mb < 150
