"""Invalid replies of a guest, derived from an honest reply and from the bytes of the protocol."""

import copy
import json
import math
import random
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.security.evil_guest import PIXELS, Attack, frame, honest_facts, honest_reply

__all__ = ["MISSING", "byte_lies", "error_lies", "field_lies", "large_lies", "other_lies"]

MISSING = object()
"""Stands for an omitted key."""

Path = tuple[str | int, ...]
Legal = Callable[[Any], bool]

_DEEP: Any = []
for _ in range(300):
    _DEEP = [_DEEP]

WRONG: dict[str, Any] = {
    "missing": MISSING,
    "null": None,
    "true": True,
    "zero": 0,
    "one": 1,
    "minus one": -1,
    "minus two": -2,
    "a fraction": 0.5,
    "2**31": 2**31,
    "2**63": 2**63,
    "-2**63": -(2**63),
    "10**400": 10**400,
    "1e308": 1e308,
    "NaN": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "no word": "",
    "a word": "abc",
    "a number as a word": "1",
    "a lone surrogate": "\ud800 x",
    "NUL": "\0",
    "100 000 letters": "x" * 100_000,
    "a list": [],
    "a list of null": [None],
    "a list of lists": [[]],
    "a list of numbers": [1, 2, 3, 4],
    "a list of words": ["a", "b", "c", "d"],
    "a list of mixed things": ["showing", 5, None, {}],
    "4 NaN": [math.nan] * 4,
    "4 x 10**400": [10**400] * 4,
    "100 000 zeros": [0] * 100_000,
    "300 lists in each other": _DEEP,
    "an object": {},
    "an object with more": {"x": 1, "open": True, "action": "abc"},
    "a list of pairs": [["action", None]],
}


def _is_number_between(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 4096


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 10**6


def _is_word_list(value: Any) -> bool:
    return isinstance(value, list) and len(value) < 1000 and all(map(_is_word, value))


def _is_box(value: Any) -> bool:
    bound = 2**31
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(_is_number_between(side, -bound, bound) for side in value)
    )


def _never(_value: Any) -> bool:
    return False


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_number_between(value, 0, 10**6)


_FIELDS: dict[Path, Legal] = {
    (): _never,
    ("width_px",): _never,
    ("height_px",): _never,
    ("nodes",): lambda value: value == [],
    ("degraded",): _is_word,
    ("window_titles",): _is_word_list,
    ("clipboard",): _is_word,
    ("document",): _never,
    ("timing",): _never,
    **{("document", name): _is_flag for name in ("open", "editing")},
    **{("document", name): _is_count for name in ("slide", "slide_count")},
    ("document", "revision"): lambda value: _is_number_between(value, -1, 2**53),
    **{("timing", name): _is_seconds for name in ("action", "settle", "screenshot", "tree")},
    ("timing", "settled_by"): _is_word,
    ("nodes", 1): _never,
    ("nodes", 1, "index"): lambda value: _is_number_between(value, 1, 1),
    ("nodes", 1, "parent"): lambda value: _is_number_between(value, -1, 0),
    **{("nodes", 1, name): _is_word for name in ("role", "name", "text", "description")},
    ("nodes", 1, "box"): _is_box,
    ("nodes", 1, "box", 2): lambda value: _is_number_between(value, -(2**31), 2**31),
    ("nodes", 1, "states"): _is_word_list,
    ("nodes", 1, "states", 0): _is_word,
    ("window_titles", 0): _is_word,
}


def field_lies(method: str) -> Iterator[tuple[str, Attack]]:
    """Yield a field's name and an attack on it, for every pair of field and wrong value."""
    for path, is_legal in _FIELDS.items():
        name = "/".join(map(str, path)) or "the result"
        for wrong, value in WRONG.items():
            facts = _with(honest_facts(), path, value)
            reply = partial(_reply_of, facts)
            yield name, Attack(wrong, method, reply, is_lie=_is_lie(path, value, is_legal))


def _is_lie(path: Path, value: Any, is_legal: Legal) -> bool:
    if value is MISSING:
        return isinstance(path[-1], str) if path else True  # a missing list entry is legal
    return not is_legal(value)


def _reply_of(facts: Any, number: int) -> bytes:
    if facts is MISSING:
        return frame({"id": number}, PIXELS)
    return frame({"id": number, "result": facts}, PIXELS)


def _with(facts: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    facts = copy.deepcopy(facts)
    container = facts
    for key in path[:-1]:
        container = container[key]
    if value is MISSING:
        del container[path[-1]]
    else:
        container[path[-1]] = value
    return facts


_FAILURES = {"application_lost", "desktop_lost", "timeout", "internal"}
_KINDS = ("action", "deck", "overload", *sorted(_FAILURES), "x", "")
_LEGAL_ERRORS = {
    "hello": _FAILURES,
    "load": {"deck", *_FAILURES},
    "perform": {"action", "overload", *_FAILURES},
    "save": {"action", "overload", *_FAILURES},
}


def error_lies(method: str) -> Iterator[Attack]:
    """Yield error replies of every type and with every malformed field."""
    for kind in _KINDS:
        for wrong, message in (
            ("", "no"),
            (" without words", None),
            (" with a lone surrogate", "\ud800"),
        ):
            yield Attack(
                f"error {kind!r}{wrong}",
                method,
                partial(_error, {"type": kind, "message": message}),
                is_lie=kind not in _LEGAL_ERRORS[method],
            )
    for name, value in WRONG.items():
        for field in ("", "type", "message"):
            error = {"type": "internal", "message": "no", field: value} if field else value
            if isinstance(error, dict):
                error = {key: part for key, part in error.items() if part is not MISSING}
            lie = field != "message"  # any other field makes the reply invalid
            yield Attack(f"error {field} {name}", method, partial(_error, error), is_lie=lie)


def _error(error: Any, number: int) -> bytes:
    return frame({"id": number} if error is MISSING else {"id": number, "error": error})


def other_lies(method: str) -> Iterator[Attack]:
    """Yield attacks on the frame: its request id and its blobs."""
    result = {"application": "x", **honest_facts()}
    for name, value in WRONG.items():
        yield Attack(f"id {name}", method, partial(_with_id, result, value))
        yield Attack(f"blobs {name}", method, partial(_with_blobs, result, value), hangs_up=True)
    sizes = (0, 1, len(PIXELS) - 1, len(PIXELS) + 1, 2 * len(PIXELS), 10_000_000)
    for size in sizes:
        yield Attack(f"a blob of {size} bytes", method, partial(_blobs, result, (bytes(size),)))
    for count in (0, 2, 5, 1000):
        blobs = (PIXELS,) * min(count, 2) + (b"",) * max(0, count - 2)
        yield Attack(f"{count} blobs", method, partial(_blobs, result, blobs))


def _blobs(result: Any, blobs: tuple[bytes, ...], number: int) -> bytes:
    return frame({"id": number, "result": result}, *blobs)


def _with_id(result: Any, value: Any, number: int) -> bytes:
    if value in (number, [number]):
        value = number + 1
    header = {"id": value, "result": result}
    return frame({k: v for k, v in header.items() if v is not MISSING}, PIXELS)


def _with_blobs(result: Any, value: Any, number: int) -> bytes:
    header = {"id": number, "result": result, "blobs": value}
    header = {k: v for k, v in header.items() if v is not MISSING}
    return frame(json.dumps(header).encode("utf-8", "surrogatepass")) + PIXELS


def large_lies(method: str) -> Iterator[Attack]:
    """Yield replies meant to exhaust the host's time or memory."""
    million = 10**6

    def attack(name: str, make: Callable[[int], bytes], *, hangs_up: bool = True) -> Attack:
        return Attack(name, method, make, hangs_up=hangs_up)

    def listed(part: bytes, count: int, key: bytes = b"x") -> Callable[[int], bytes]:
        def make(number: int) -> bytes:
            head = b'{"blobs":[],"id":%d,"result":{"%s":[' % (number, key)
            return frame(head + part * count + part.rstrip(b",") + b"]}}")

        return make

    for size_mb in (1, 7, 8, 64):
        for part in (b"[],", b"{},", b'"",', b"0,", b'{"":0},', b"[", b"1e999,"):
            name = f"{size_mb} MB of {part.decode()}"
            yield attack(name, listed(part, size_mb * million // len(part)))
    yield attack(
        "20 million empty blobs",
        lambda i: frame(b'{"id":%d,"blobs":[%s0]}' % (i, b"0," * (20 * million))),
    )
    yield attack(
        "a number of 5 million digits",
        lambda i: frame(b'{"id":%d,"blobs":[],"result":{"a":%s}}' % (i, b"9" * 5 * million)),
    )
    yield attack(
        "a number of 4 000 digits for a blob",
        lambda i: frame(b'{"id":%d,"blobs":[%s],"result":{}}' % (i, b"9" * 4000)),
    )
    yield attack(
        "a fraction of 5 million digits",
        lambda i: frame(b'{"id":%d,"blobs":[],"result":{"a":0.%s}}' % (i, b"9" * 5 * million)),
    )
    yield attack(
        "7 MB of blanks", lambda i: frame(b'{"id":%d,"blobs":[]%s}' % (i, b" " * 7 * million))
    )
    yield attack(
        "7 MB of keys",
        lambda i: frame(
            b'{"id":%d,"blobs":[],%s"x":1}' % (i, b"".join(b'"%d":1,' % k for k in range(700_000)))
        ),
    )
    for count, chained in ((30_000, True), (2_001, False), (1_000, True)):
        yield attack(f"{count} nodes", partial(_tree_of, count, chained))
    for size in (2**29, 2**29 + 1, 2**40, 2**63):
        yield attack(f"a blob of {size} bytes announced", partial(_announced_blob, size))
    for size in (2**23 + 1, 2**26, 2**32 - 1):
        yield attack(f"a header of {size} bytes announced", partial(_announced_header, size))


def _tree_of(count: int, chained: bool, number: int) -> bytes:
    facts = honest_facts()
    root = facts["nodes"][0]
    facts["nodes"] = [
        {**root, "index": place, "parent": place - 1 if chained else -1} for place in range(count)
    ]
    return honest_reply(number, facts)


def _announced_blob(size: int, number: int) -> bytes:
    return frame(b'{"id":%d,"result":{},"blobs":[%d]}' % (number, size))


def _announced_header(size: int, _is_number_between: int) -> bytes:
    return struct.pack(">4sI", b"PPTA", size)


def byte_lies(method: str, count: int, seed: int) -> Iterator[Attack]:
    """Yield honest replies with bytes changed, removed, inserted or cut off."""
    rng = random.Random(seed)
    for number in range(count):
        yield Attack(
            f"mutation {number}",
            method,
            partial(_mutated, rng.getrandbits(64)),
            hangs_up=True,
            is_lie=False,
        )


def _mutated(seed: int, number: int) -> bytes:
    rng = random.Random(seed)
    data = bytearray(honest_reply(number))
    head = len(data) - len(PIXELS)
    for _ in range(rng.choice((1, 1, 1, 2, 5, 50))):
        position = rng.randrange(min(head, len(data)) or 1)
        match rng.randrange(7):
            case 0:
                data[position] = rng.randrange(256)
            case 1:
                data[position] ^= 1 << rng.randrange(8)
            case 2:
                del data[position : position + rng.randrange(1, 30)]
            case 3:
                data[position:position] = bytes(
                    rng.randrange(256) for _ in range(rng.randrange(1, 9))
                )
            case 4:
                tokens = (b"null", b"NaN", b"-1", b"[]", b"{}", b'"', b"1e999", b"\\ud800", b",")
                data[position:position] = rng.choice(tokens)
            case 5:
                size = rng.choice((0, 1, head - 8, head - 7, 2**31, 2**32 - 1))
                data[4:8] = struct.pack(">I", size)
            case _:
                del data[rng.randrange(len(data)) :]
                break
        if len(data) < 9:
            break
    return bytes(data)
