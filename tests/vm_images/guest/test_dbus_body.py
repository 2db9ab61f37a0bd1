import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.vm_images.guest.dbus_body import (
    box_of,
    number_of,
    references_of,
    states_of,
    string_of,
    variant_string_of,
)


def string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<I", len(data)) + data + b"\0"


def references(pairs: list[tuple[str, str]]) -> memoryview:
    """Marshal an ``a(so)`` as the specification says: structs at multiples of 8."""
    body = bytearray(8)  # the length, and padding to the first struct
    for name, path in pairs:
        body += b"\0" * (-len(body) % 8) + string(name)
        body += b"\0" * (-len(body) % 4) + string(path)
    struct.pack_into("<I", body, 0, len(body) - 8)
    return memoryview(bytes(body))


def test_error_replies_read_as_nothing() -> None:
    assert number_of(None) is None
    assert box_of(None) == (0, 0, 0, 0)
    assert states_of(None) == 0
    assert string_of(None) == ""
    assert variant_string_of(None) == ""
    assert references_of(None) == []


def test_numbers() -> None:
    assert number_of(memoryview(b"\x01\x02\0\0")) == 513
    assert number_of(memoryview(b"\xff\xff\xff\xff")) == 2**32 - 1


def test_boxes_may_be_left_of_the_screen() -> None:
    assert box_of(memoryview(struct.pack("<iiii", -5, 0, 1280, 2**31 - 1))) == (
        -5,
        0,
        1280,
        2**31 - 1,
    )


def test_states_are_two_words() -> None:
    assert states_of(memoryview(struct.pack("<III", 8, 1 << 25, 1 << 3))) == 1 << 25 | 1 << 35


@pytest.mark.parametrize("body", [b"", b"\0\0\0\0", b"\x04\0\0\0\x01\0\0\0"])
def test_states_of_too_few_words_are_none(body: bytes) -> None:
    assert states_of(memoryview(body)) == 0


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_strings(text: str) -> None:
    assert string_of(memoryview(string(text))) == text
    assert variant_string_of(memoryview(b"\x01s\0\0" + string(text))) == text


def test_a_big_string() -> None:
    text = "漢" * 500_000
    assert string_of(memoryview(string(text))) == text


def test_broken_text_is_shown_as_such() -> None:
    assert string_of(memoryview(b"\x02\0\0\0a\xff\0")) == "a�"


@pytest.mark.parametrize("signature", [b"\x01i\0\0\x07\0\0\0", b"\x01o\0\0", b"\x02as\0", b""])
def test_variants_of_other_types_read_as_nothing(signature: bytes) -> None:
    assert variant_string_of(memoryview(signature)) == ""


@pytest.mark.parametrize("length", range(1, 10))
def test_references_with_every_padding(length: int) -> None:
    pairs = [(":" * length, "/" * (length + place)) for place in range(9)]
    assert references_of(references(pairs)) == pairs


def test_no_references() -> None:
    assert references_of(references([])) == []
    assert references_of(memoryview(b"\0\0\0\0")) == []  # some peers leave the padding out
