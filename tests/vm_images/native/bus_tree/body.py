"""Cut values out of the bodies of D-Bus replies (little endian, D-Bus Specification 0.43)."""

import struct

from tests.vm_images.native.bus_tree.link import Reply

__all__ = [
    "attributes_of",
    "box_of",
    "number_of",
    "references_of",
    "states_of",
    "string_of",
    "variant_string_of",
]

_U32 = struct.Struct("<I")
_STATES = struct.Struct("<II")
_BOX = struct.Struct("<iiii")


def number_of(reply: Reply) -> int | None:
    """Read a ``u``; None for an error reply."""
    return None if reply is None else int(_U32.unpack_from(reply)[0])


def box_of(reply: Reply) -> tuple[int, int, int, int]:
    """Read a ``(iiii)``; all zero for an error reply."""
    if reply is None:
        return (0, 0, 0, 0)
    left, top, width, height = _BOX.unpack_from(reply)
    return (left, top, width, height)


def states_of(reply: Reply) -> int:
    """Read an ``au`` of two words as one number of 64 bits; 0 for an error reply."""
    if reply is None or len(reply) < 12:
        return 0
    low, high = _STATES.unpack_from(reply, 4)
    return int(low | high << 32)


def string_of(reply: Reply) -> str:
    """Read an ``s``; empty for an error reply."""
    return "" if reply is None else _string_at(reply, 0)[0]


def variant_string_of(reply: Reply) -> str:
    """Read a ``v`` that holds an ``s``; empty for anything else."""
    if reply is None or bytes(reply[:3]) != b"\x01s\0":
        return ""
    return _string_at(reply, 4)[0]


def references_of(reply: Reply) -> list[tuple[str, str]]:
    """Read an ``a(so)``: bus name and object path of each reference."""
    if reply is None:
        return []
    end = 8 + int(_U32.unpack_from(reply)[0])  # structs are aligned to 8 bytes
    position, found = 8, []
    while position < end:
        position += -position % 8
        name, position = _string_at(reply, position)
        path, position = _string_at(reply, position + -position % 4)
        found.append((name, path))
    return found


def attributes_of(reply: Reply) -> dict[str, str]:
    """Read an ``a{ss}``; empty for an error reply."""
    if reply is None:
        return {}
    end = 8 + int(_U32.unpack_from(reply)[0])
    position, found = 8, {}
    while position < end:
        position += -position % 8
        key, position = _string_at(reply, position)
        found[key], position = _string_at(reply, position + -position % 4)
    return found


def _string_at(body: memoryview, position: int) -> tuple[str, int]:
    length = int(_U32.unpack_from(body, position)[0])
    start = position + 4
    return bytes(body[start : start + length]).decode("utf-8", "replace"), start + length + 1
