"""Read the files of an episode, which are untrusted."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pptarena.errors import StoreError
from pptarena.files import Folder
from pptarena.rollouts.record_checks import is_encodable

__all__ = [
    "FINAL_PICTURE",
    "FINAL_TREE",
    "OUTLINE",
    "read_deck_bytes",
    "read_json",
    "read_json_lines",
    "read_picture",
    "read_pixels",
    "read_text",
    "read_tree",
]

FINAL_PICTURE, FINAL_TREE = "final.png", "final.json"
"""Files of the screen after the last action, and of its accessibility tree."""

OUTLINE = "outline.txt"
"""File of the deck's outline at the start of an episode of the document environment."""

_MAX_JSON_BYTES = 64 * 2**20
_MAX_LINES_BYTES = 256 * 2**20
_MAX_PICTURE_BYTES = 64 * 2**20
_MAX_DECK_BYTES = 256 * 2**20
_MAX_TEXT_BYTES = 16 * 2**20
_MAX_PIXELS = 40_000_000  # 8K has 33 million
_MAX_NODES = 200_000
_PNG = b"\x89PNG\r\n\x1a\n"
_NODE_TEXTS = ("role", "name", "text", "description")
_MAX_COORDINATE = 2**31
_MAX_INT = 2**63 - 1


def read_json(folder: Path, name: str) -> Any:
    """Return the JSON value of a file; NaN and infinite numbers are rejected.

    Raises:
        StoreError: If it cannot be read, or is not JSON.
    """
    with _store_errors(folder, name):
        return _parse_json(_read(folder, name, _MAX_JSON_BYTES).decode("utf-8"))


def read_json_lines(folder: Path, name: str, missing: tuple[Any, ...] | None = None) -> list[Any]:
    """Return the JSON values of a file, one per line.

    Args:
        folder: The episode.
        name: The file.
        missing: The value of a missing file; None makes that an error.

    Raises:
        StoreError: If it cannot be read, or a line is not JSON.
    """
    try:
        with _store_errors(folder, name):
            text = _read(folder, name, _MAX_LINES_BYTES).decode("utf-8")
            # `splitlines` would also split a text at U+2028 or U+0085.
            return [_parse_json(line) for line in text.split("\n") if line]
    except StoreError as error:
        if missing is not None and isinstance(error.__cause__, FileNotFoundError):
            return list(missing)
        raise


def read_tree(folder: Path, name: str) -> dict[str, Any]:
    """Return an accessibility tree, ``{"nodes": [...], ...}``.

    Raises:
        StoreError: If it cannot be read, or is not a tree.
    """
    tree = read_json(folder, name)
    with _store_errors(folder, name):
        if not isinstance(tree, dict) or not isinstance(tree.get("nodes"), list):
            raise ValueError("expected an accessibility tree")
        if len(tree["nodes"]) > _MAX_NODES:
            raise ValueError(f"expected at most {_MAX_NODES} nodes, got {len(tree['nodes'])}")
        for index, node in enumerate(tree["nodes"]):
            if not _is_node(node):
                raise ValueError(f"nodes/{index}: expected a tree node")
        return tree


def read_picture(folder: Path, name: str) -> bytes:
    """Return a PNG file.

    Raises:
        StoreError: If it cannot be read, or is not a PNG file.
    """
    with _store_errors(folder, name):
        data = _read(folder, name, _MAX_PICTURE_BYTES)
        if not data.startswith(_PNG):
            raise ValueError("expected a PNG file")
        with Image.open(io.BytesIO(data), formats=("PNG",)) as picture:
            if picture.width * picture.height > _MAX_PIXELS:
                raise ValueError(f"expected at most {_MAX_PIXELS} pixels, got {picture.size}")
        return data


def read_pixels(folder: Path, name: str) -> NDArray[np.uint8]:
    """Return a picture as uint8 (height, width, 3), RGB.

    Raises:
        StoreError: If it cannot be read, or is not a picture.
    """
    data = read_picture(folder, name)
    with (
        _store_errors(folder, name),
        Image.open(io.BytesIO(data), formats=("PNG",)) as picture,
    ):
        return np.asarray(picture.convert("RGB"))


def read_text(folder: Path, name: str) -> str:
    """Return a text file; ``""`` if it does not exist.

    Raises:
        StoreError: If it cannot be read.
    """
    try:
        with _store_errors(folder, name):
            return _read(folder, name, _MAX_TEXT_BYTES).decode("utf-8")
    except StoreError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return ""
        raise


def read_deck_bytes(folder: Path, name: str) -> bytes:
    """Return a .pptx file.

    Raises:
        StoreError: If it cannot be read.
    """
    with _store_errors(folder, name):
        return _read(folder, name, _MAX_DECK_BYTES)


def _read(folder: Path, name: str, max_bytes: int) -> bytes:
    with Folder(folder) as opened_folder:
        return opened_folder.read(name, max_bytes)


def _parse_json(text: str) -> Any:
    def reject_constant(name: str) -> NoReturn:
        raise ValueError(f"expected finite numbers, got {name}")

    try:
        return json.loads(
            text, parse_constant=reject_constant, parse_float=_parse_float, parse_int=_parse_int
        )
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _parse_float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"expected finite numbers, got {text[:20]}")
    return value


def _parse_int(text: str) -> int:
    value = int(text)
    if not -_MAX_INT <= value <= _MAX_INT:
        raise ValueError(f"expected whole numbers of at most 64 bits, got {text[:20]}...")
    return value


_NODE: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(_NODE_TEXTS, lambda value: isinstance(value, str) and is_encodable(value)),
    **dict.fromkeys(("index", "parent", "element"), lambda value: _is_coordinate(value)),
    "box": lambda value: (
        isinstance(value, list) and len(value) == 4 and all(map(_is_coordinate, value))
    ),
    "states": lambda value: (
        isinstance(value, list) and all(isinstance(s, str) and is_encodable(s) for s in value)
    ),
}


def _is_node(node: Any) -> bool:
    return isinstance(node, dict) and all(
        name in node and check(node[name]) for name, check in _NODE.items()
    )


def _is_coordinate(value: Any) -> bool:
    return type(value) is int and -_MAX_COORDINATE <= value <= _MAX_COORDINATE


@contextmanager
def _store_errors(folder: Path, name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"{folder / name[:200]}: {reason}") from error
    except (ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise StoreError(f"{folder / name[:200]}: {error}") from error
