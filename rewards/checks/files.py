"""Checks of files that the agent creates next to the deck."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Literal

from pptarena.errors import UnscoredError
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult, verdict
from pptarena.rewards.checking.view import View

FileKind = Literal["csv", "gif", "jpeg", "odp", "ods", "pdf", "png", "pptx", "svg", "xlsx"]

_BEGINNINGS: Mapping[str, bytes] = {
    "gif": b"GIF8",
    "jpeg": b"\xff\xd8\xff",
    "pdf": b"%PDF-",
    "png": b"\x89PNG\r\n\x1a\n",
}
_MAIN_PARTS = {"pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
_TEXT_BYTES = 2**20


@deck_check()
def file_exists(view: View, kind: FileKind | None = None) -> CheckResult:
    """Measure whether a file exists next to the deck and its content has a format.

    The rubric item specifies the file: ``"file": "chart.png"``.

    Args:
        kind: Format of the content; the extension of the file name does not matter.
    """
    content = view.file
    if content is None:
        raise UnscoredError("the leaf names no file")
    if not content:
        return CheckResult(0.0, "the file is empty")
    if kind is None:
        return CheckResult(1.0, "the file is there")
    return verdict(_is_kind(content, kind), f"it is a file of kind {kind}", f"it is not a {kind}")


def _is_kind(content: bytes, kind: str) -> bool:
    if kind in _BEGINNINGS:
        return content.startswith(_BEGINNINGS[kind])
    return _OTHERS[kind](content, kind)


def _is_text(content: bytes, _kind: str) -> bool:
    return b"\0" not in content[:_TEXT_BYTES]


def _is_svg(content: bytes, _kind: str) -> bool:
    return b"<svg" in content[:_TEXT_BYTES]


def _is_office(content: bytes, kind: str) -> bool:
    return _MAIN_PARTS[kind] in _names(content)


def _is_opendocument(content: bytes, kind: str) -> bool:
    # OpenDocument, part 2, 3.3: the first file contains the type, uncompressed.
    named = {"ods": b"opendocument.spreadsheet", "odp": b"opendocument.presentation"}[kind]
    return named in content[:200] and "content.xml" in _names(content)


def _names(content: bytes) -> frozenset[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return frozenset(package.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return frozenset()


_OTHERS: Mapping[str, Callable[[bytes, str], bool]] = {
    "csv": _is_text,
    "odp": _is_opendocument,
    "ods": _is_opendocument,
    "pptx": _is_office,
    "svg": _is_svg,
    "xlsx": _is_office,
}
