"""`Action`: what an agent does in one step, and the kinds there are."""

import dataclasses
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

from pptarena.errors import ActionError
from pptarena.vm_images.guest.protocol import POINTER_OPS

__all__ = ["KINDS", "KIND_NUMBERS", "ORIGIN", "POINTER_KINDS", "Action", "Point", "float32_point"]

KIND_NUMBERS: Mapping[str, int] = MappingProxyType(
    {
        "move": 0,
        "click": 1,
        "double_click": 2,
        "triple_click": 3,
        "right_click": 4,
        "middle_click": 5,
        "mouse_down": 6,
        "mouse_up": 7,
        "drag": 8,
        "scroll": 9,
        "key": 10,
        "type": 11,
        "copy_text": 12,
        "copy_image": 13,
        "paste": 14,
        "open_program": 15,
        "switch_window": 16,
        "wait": 17,
        "done": 18,
        "fail": 19,
        "ask": 20,
    }
)
"""Every kind of action and its number in the action space.

A number never changes and is never given twice: stored episodes and trained policies hold them. A
new kind goes to the end with the next number, whatever it resembles.
"""

KINDS = tuple(KIND_NUMBERS)
"""Every kind of action; the place in this tuple is its number."""

POINTER_KINDS = POINTER_OPS
"""The kinds that aim at a point; the guest program knows them by the same names."""

Point = tuple[float, float]
ORIGIN: Point = (0.0, 0.0)


@dataclass(frozen=True, repr=False)
class Action:
    """One action; every field that a kind does not use stays at its default.

    Attributes:
        kind: One of `KINDS`.
        element: Number of an element of the last observation, from 1; 0 for none.
        xy: Target point (x, y) in [0, 1], rounded to float32 so that it survives the space; None
            for none. Where it is not used, (0, 0) is None: the space has no other word for it.
        end_xy: Where a drag, or a copied region without an element, ends, likewise.
        keys: ``key``: the combination; pointer kinds: modifiers held meanwhile (``"ctrl+shift"``).
        text: What ``type`` and ``copy_text`` take; name of a program or window; the question.
        amount: ``scroll``: wheel clicks, positive is down; ``key``: repeats, 0 counts as 1;
            ``wait``: seconds.
        observation_id: ``info["observation_id"]`` of the observation the action was chosen on; the
            action is refused when it is no longer the last one. 0 does not check. It is not part
            of the action space, nor of equality.
    """

    kind: str
    element: int = 0
    xy: Point | None = None
    end_xy: Point | None = None
    keys: str = ""
    text: str = ""
    amount: int = 0
    observation_id: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        """Round the points to float32.

        Raises:
            ActionError: If the kind is unknown or a value has the wrong type.
        """
        if self.kind not in KINDS:
            raise ActionError(f"expected kind to be one of {', '.join(KINDS)}, got {self.kind!r}")
        for name in ("element", "amount", "observation_id"):
            if not isinstance(getattr(self, name), int) or isinstance(getattr(self, name), bool):
                raise ActionError(f"expected {name} to be an int, got {getattr(self, name)!r}")
        for name in ("keys", "text"):
            if not isinstance(getattr(self, name), str):
                raise ActionError(f"expected {name} to be a str, got {getattr(self, name)!r}")
        for name, needed in (("xy", self.needs_xy), ("end_xy", self.needs_end_xy)):
            if (value := getattr(self, name)) is not None:
                point = float32_point(name, value)
                object.__setattr__(self, name, point if needed or point != ORIGIN else None)

    @property
    def needs_xy(self) -> bool:
        """Whether the target is a point: a kind that aims, without an element."""
        return self.element == 0 and self.kind in (*POINTER_KINDS, "copy_image")

    @property
    def needs_end_xy(self) -> bool:
        """Whether a second point belongs to it: the end of a drag, or of a region."""
        return self.kind == "drag" or (self.kind == "copy_image" and self.element == 0)

    def __repr__(self) -> str:
        """Show the fields that differ from their defaults."""
        items = self.to_json().items()
        return f"Action({', '.join(f'{name}={value!r}' for name, value in items)})"

    def to_json(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, ready for `json.dumps`."""
        values = ((item, getattr(self, item.name)) for item in dataclasses.fields(self))
        return {
            item.name: list(value) if isinstance(value, tuple) else value
            for item, value in values
            if item.name == "kind" or value != item.default
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote.

        Raises:
            ActionError: If a field is unknown or missing, or has the wrong type.
        """
        known = {item.name for item in dataclasses.fields(cls)}
        if unknown := set(value) - known:
            raise ActionError(f"unknown action fields: {', '.join(sorted(map(str, unknown)))}")
        if "kind" not in value:
            raise ActionError(f"missing key `kind` in the action {repr(dict(value))[:80]}")
        return cls(**value)


def float32_point(name: str, value: Any) -> Point:
    """Return a point as the action space keeps it.

    Raises:
        ActionError: If it is not two numbers that float32 can hold.
    """
    try:
        x, y = (float(part) for part in value)
        packed = struct.unpack("<2f", struct.pack("<2f", x, y))
    except (TypeError, ValueError, OverflowError) as error:
        raise ActionError(f"expected {name} to be two numbers, got {value!r}") from error
    return packed[0], packed[1]
