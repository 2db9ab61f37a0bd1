import io
import json
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.vm_images.guest.protocol import (
    MAX_BLOB_BYTES,
    OPS,
    Command,
    Frame,
    ProtocolError,
    encode_frame,
    read_frame,
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def reader(data: bytes) -> Callable[[int], bytes]:
    stream = io.BytesIO(data)

    def read_exactly(count: int) -> bytes:
        assert count <= 64 * 2**20, "the limit is not checked before reading"
        chunk = stream.read(count)
        if len(chunk) < count:
            raise EOFError
        return chunk

    return read_exactly


def frame_with(header: bytes) -> bytes:
    return struct.pack(">4sI", b"PPTA", len(header)) + header


@pytest.mark.slow
@given(
    st.dictionaries(st.text().filter(lambda key: key != "blobs"), JSON, max_size=4),
    st.lists(st.binary(max_size=50), max_size=3),
)
def test_frames_are_decoded_as_encoded(header: dict[str, Any], blobs: list[bytes]) -> None:
    assert read_frame(reader(encode_frame(header, blobs))) == Frame(header, tuple(blobs))


def test_consecutive_frames_and_blob_views_are_decoded() -> None:
    read = reader(encode_frame({"id": 1}, [b"a", b""]) + encode_frame({"id": 2}))
    assert read_frame(read) == Frame({"id": 1}, (b"a", b""))
    assert read_frame(read) == Frame({"id": 2})
    with pytest.raises(EOFError):
        read_frame(read)
    assert read_frame(reader(encode_frame({"name": "a\ud800"}))).header == {"name": "a\ud800"}
    view = memoryview(b"abcdef")[2:4]
    assert read_frame(reader(encode_frame({}, [view]))).blobs == (b"cd",)


HOSTILE = {
    "other magic": b"HTTP/1.1 200 OK",
    "long header": struct.pack(">4sI", b"PPTA", 2**32 - 1),
    "no JSON": frame_with(b"{"),
    "no UTF-8": frame_with(b'{"blobs": [], "a": "\xff"}'),
    "list": frame_with(b"[]"),
    "number": frame_with(b"7"),
    "null": frame_with(b"null"),
    "no blobs": frame_with(b"{}"),
    "blobs not a list": frame_with(b'{"blobs": 3}'),
    "blobs of lists": frame_with(b'{"blobs": [[]]}'),
    "blob of text": frame_with(b'{"blobs": ["x"]}'),
    "negative blob": frame_with(b'{"blobs": [-1, 1]}'),
    "huge blob": frame_with(json.dumps({"blobs": [MAX_BLOB_BYTES + 1]}).encode()),
    "endless blob": frame_with(b'{"blobs": [Infinity]}'),
    "size is not a number": frame_with(b'{"blobs": [NaN]}'),
    "deep nesting": frame_with(b'{"blobs": ' + b"[" * 200_000),
    "huge sum": frame_with(json.dumps({"blobs": [MAX_BLOB_BYTES, 1]}).encode()),
}


@each_case("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_frames_are_rejected(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        read_frame(reader(data))


@pytest.mark.slow
@given(st.binary(max_size=60))
def test_random_bytes_are_rejected(noise: bytes) -> None:
    with pytest.raises((ProtocolError, EOFError)):
        read_frame(reader(frame_with(noise)))


@each_case("op", OPS)
def test_commands_survive_json(op: str) -> None:
    command = Command(op, 1, 2, 3, 4, (5, 6, 7, 8), ("Control_L", "b"), "é漢😀", -3)
    assert Command.from_json(json.loads(json.dumps(command.to_json()))) == command


@each_case(
    "value",
    [
        {},
        {"op": "format_disk"},
        {"op": "click", "shell": "rm"},
        {"op": "key", "keys": ["a"], "y": 1, "z": 2},
    ],
)
def test_invalid_commands_are_rejected(value: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        Command.from_json(value)


def test_missing_fields_have_defaults_and_op_is_validated() -> None:
    assert Command.from_json({"op": "observe"}) == Command("observe")
    with pytest.raises(ValueError, match="expected op to be one of"):
        Command("fly")
