"""`Action`: what an agent does in one step."""

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
"""Every action kind and its number in the action space.

Stored episodes and trained policies contain these numbers, so a number is never changed or reused.
New kinds are appended with the next number.
"""

KINDS = tuple(KIND_NUMBERS)
"""Every action kind, indexed by its number."""

POINTER_KINDS = POINTER_OPS
"""The kinds that aim at a point; the guest program uses the same names."""

Point = tuple[float, float]
ORIGIN: Point = (0.0, 0.0)


@dataclass(frozen=True, repr=False)
class Action:
    """One action; fields that a kind does not use keep their defaults.

    Attributes:
        kind: One of `KINDS`.
        element: Number of an element of the last observation, from 1; 0 for none.
        xy: Target point (x, y) in [0, 1], rounded to float32 to survive conversion to the action
            space; None for none. If the kind does not use it, (0, 0) is read as None because the
            space cannot express None.
        end_xy: End point of a drag or of a copied region, in the same format.
        keys: ``key``: the key combination; pointer kinds: modifiers to hold (``"ctrl+shift"``).
        text: Text of ``type`` and ``copy_text``, name of a program or window, the question, or the
            agent's description of the picture that ``copy_image`` copies.
        amount: ``scroll``: wheel clicks, positive is down; ``key``: repeats, 0 counts as 1;
            ``wait``: seconds.
        observation_id: ``info["observation_id"]`` of the observation that the action is based on.
            The action is refused if a newer observation exists; 0 skips the check. Not part of the
            action space or of equality.
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
        """Whether the action needs a target point: a pointer kind without an element."""
        return self.element == 0 and self.kind in (*POINTER_KINDS, "copy_image")

    @property
    def needs_end_xy(self) -> bool:
        """Whether the action needs an end point: a drag, or a region without an element."""
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
        """Return the action that `to_json` serialized.

        Raises:
            ActionError: If a field is unknown or missing, or has the wrong type.
        """
        names = {item.name for item in dataclasses.fields(cls)}
        if unknown := set(value) - names:
            raise ActionError(f"unknown action fields: {', '.join(sorted(map(str, unknown)))}")
        if "kind" not in value:
            raise ActionError(f"missing key `kind` in the action {repr(dict(value))[:80]}")
        return cls(**value)


def float32_point(name: str, value: Any) -> Point:
    """Return a point rounded to float32, as the action space stores it.

    Raises:
        ActionError: If the value is not a pair of numbers that float32 can represent.
    """
    try:
        x, y = (float(part) for part in value)
        packed = struct.unpack("<2f", struct.pack("<2f", x, y))
    except (TypeError, ValueError, OverflowError) as error:
        raise ActionError(f"expected {name} to be two numbers, got {value!r}") from error
    return packed[0], packed[1]
