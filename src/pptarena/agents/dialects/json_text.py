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
    objects = list(_objects(text))
    if not objects:
        raise DialectError(f"expected a JSON object, got {text[:80]!r}")
    return objects


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder(parse_constant=_refuse)
    start = text.find("{")
    for _ in range(_MAX_TRIES):
        if start < 0:
            return
        try:
            value, start = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        yield value
        start = text.find("{", start)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not valid JSON")
