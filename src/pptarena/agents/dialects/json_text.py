"""JSON objects in the text of a model."""

import json
from collections.abc import Iterator
from typing import Any

from pptarena.errors import DialectError

__all__ = ["json_objects"]

_MAX_TRIES = 200


def json_objects(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects anywhere in a text, in order.

    Raises:
        DialectError: If there is none.
    """
    found = list(_objects(text))
    if not found:
        raise DialectError(f"expected a JSON object, got {text[:80]!r}")
    return found


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder(parse_constant=_refuse)
    place = text.find("{")
    for _ in range(_MAX_TRIES):
        if place < 0:
            return
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        yield value
        place = text.find("{", place)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
