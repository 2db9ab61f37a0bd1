"""The Gymnasium action space, and lossless conversion between it and `Action`."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from pptarena.envs.action import KIND_NUMBERS, KINDS, ORIGIN, Action, float32_point
from pptarena.envs.charset import KEY_CHARSET, describe_disallowed, text_space
from pptarena.errors import ActionError

__all__ = [
    "AMOUNT_MAX",
    "AMOUNT_MIN",
    "KEYS_MAX",
    "MAX_ELEMENTS",
    "TEXT_MAX",
    "action_space",
    "as_action",
    "from_space",
    "require_expressible",
    "to_space",
]

MAX_ELEMENTS = 256
"""Most elements of an observation; `Action.element` ranges from 0 (none) to this number."""

KEYS_MAX = 64
TEXT_MAX = 512
AMOUNT_MIN = -20
AMOUNT_MAX = 20


def action_space() -> spaces.Dict:
    """Return a new action space.

    Its entries: ``kind`` (number in `KIND_NUMBERS`), ``element`` (0 = none), ``xy`` and ``end_xy``
    (float32 (2,) in [0, 1]), ``keys`` (0 to 64 ASCII characters), ``text`` (0 to 512 characters),
    ``amount`` (-20 to 20). A kind ignores the entries that it does not use. A pointer action with
    element 0 aims at ``xy``, so every pointer action in the space has a target.
    """
    return spaces.Dict(
        {
            "kind": spaces.Discrete(len(KINDS)),
            "element": spaces.Discrete(MAX_ELEMENTS + 1),
            "xy": spaces.Box(0.0, 1.0, (2,), np.float32),
            "end_xy": spaces.Box(0.0, 1.0, (2,), np.float32),
            "keys": spaces.Text(KEYS_MAX, min_length=0, charset=KEY_CHARSET),
            "text": text_space(TEXT_MAX),
            "amount": spaces.Discrete(AMOUNT_MAX - AMOUNT_MIN + 1, start=AMOUNT_MIN),
        }
    )


def to_space(action: Action) -> dict[str, Any]:
    """Return an action as an element of the action space.

    Raises:
        ActionError: If the space cannot express it, such as a click without a target.
    """
    require_expressible(action)
    return {
        "kind": np.int64(KIND_NUMBERS[action.kind]),
        "element": np.int64(action.element),
        "xy": np.array(action.xy or ORIGIN, np.float32),
        "end_xy": np.array(action.end_xy or ORIGIN, np.float32),
        "keys": action.keys,
        "text": action.text,
        "amount": np.int64(action.amount),
    }


def from_space(value: Mapping[str, Any]) -> Action:
    """Return the `Action` that an element of the action space encodes.

    Raises:
        ActionError: If the value is not a mapping with exactly the keys and types of the space.
    """
    keys = ("kind", "element", "xy", "end_xy", "keys", "text", "amount")
    if not isinstance(value, Mapping) or set(value) != set(keys):
        raise ActionError(_explain_mismatch(value, keys))
    number = _integer("kind", value["kind"])
    if not 0 <= number < len(KINDS):
        raise ActionError(f"expected kind to be from 0 to {len(KINDS) - 1}, got {number}")
    return Action(
        KINDS[number],
        element=_integer("element", value["element"]),
        xy=float32_point("xy", value["xy"]),
        end_xy=float32_point("end_xy", value["end_xy"]),
        keys=_string("keys", value["keys"]),
        text=_string("text", value["text"]),
        amount=_integer("amount", value["amount"]),
    )


def _explain_mismatch(value: object, keys: tuple[str, ...]) -> str:
    """Return why a value is not an element of the action space, and what to pass instead."""
    expected = f"expected an Action or a dict with {', '.join(keys)}"
    if not isinstance(value, Mapping):
        return f"{expected}, got {repr(value)[:80]}"
    if "kind" not in value:
        return (
            f"missing key `kind`: got {repr(dict(value))[:80]}; name the kind, as in "
            '{"kind": "click", "element": 3}'
        )
    missing = [name for name in keys if name not in value]
    unknown = sorted(str(name)[:40] for name in value if name not in keys)
    problems = [
        f"{problem} {', '.join(f'`{name}`' for name in names)}"
        for problem, names in (("missing", missing), ("unknown", unknown))
        if names
    ]
    return f'{expected}: {"; ".join(problems)}; or name the kind, as in {{"kind": "wait"}}'


def as_action(value: object) -> Action:
    """Return an action given as an `Action`, as JSON or as an element of the action space.

    In JSON, ``kind`` is a name and missing fields take their defaults: ``{"kind": "click",
    "element": 7}``. An `ActionError` represents a reply that could not be parsed.

    Raises:
        ActionError: If the value is none of these, or the given error itself.
    """
    if isinstance(value, Action):
        return value
    if isinstance(value, ActionError):
        raise value
    if isinstance(value, Mapping) and isinstance(value.get("kind"), str):
        return Action.from_json(value)
    return from_space(value)  # type: ignore[arg-type]  # rejects non-mappings


def require_expressible(action: Action) -> None:
    """Check that the action space can express an action, so that recorded actions stay exact.

    Raises:
        ActionError: If a field is out of range or missing; the message names it.
    """
    if not 0 <= action.element <= MAX_ELEMENTS:
        raise ActionError(f"expected element from 0 to {MAX_ELEMENTS}, got {action.element}")
    if action.needs_xy and action.xy is None:
        raise ActionError(
            f"expected a target for {action.kind}, an element from 1 or a point xy, got neither"
        )
    if action.needs_end_xy and action.end_xy is None:
        raise ActionError(f"expected end_xy, the point where {action.kind} ends, got none")
    for name, point in (("xy", action.xy), ("end_xy", action.end_xy)):
        if point is not None and not all(0.0 <= part <= 1.0 for part in point):  # also refuses NaN
            raise ActionError(f"expected {name} to lie in [0, 1], got {point}")
    if not AMOUNT_MIN <= action.amount <= AMOUNT_MAX:
        raise ActionError(f"expected amount from {AMOUNT_MIN} to {AMOUNT_MAX}, got {action.amount}")
    _require_length("keys", action.keys, KEYS_MAX)
    if invalid := next((c for c in action.keys if c not in KEY_CHARSET), None):
        raise ActionError(
            f"keys contains {invalid!r}, which no key name contains: use names such as 'ctrl+b', "
            "and the kind 'type' for other characters"
        )
    _require_length("text", action.text, TEXT_MAX)
    if problem := describe_disallowed(action.text):
        raise ActionError(f"text cannot be typed: {problem}")


def _require_length(name: str, text: str, max_length: int) -> None:
    if len(text) > max_length:
        raise ActionError(f"expected {name} of at most {max_length} characters, got {len(text)}")


def _integer(name: str, value: Any) -> int:
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ActionError(f"expected {name} to be an integer, got {value!r}")
    return int(value)


def _string(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ActionError(f"expected {name} to be a str, got {value!r}")
    return str(value)
