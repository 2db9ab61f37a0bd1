"""Checks of files that the agent creates next to the deck."""

import io
import zipfile
from collections.abc import Mapping
from typing import Literal

from pptarena.errors import UnscoredError
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult, pass_or_fail
from pptarena.rewards.checking.view import View

FileKind = Literal["csv", "gif", "jpeg", "odp", "ods", "pdf", "png", "pptx", "svg", "xlsx"]

_MAGIC_BYTES: Mapping[str, bytes] = {
    "gif": b"GIF8",
    "jpeg": b"\xff\xd8\xff",
    "pdf": b"%PDF-",
    "png": b"\x89PNG\r\n\x1a\n",
}
_MAIN_PARTS = {"pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
_OPEN_DOCUMENTS = {"ods": b"opendocument.spreadsheet", "odp": b"opendocument.presentation"}
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
        raise UnscoredError("the rubric item specifies no file")
    if not content:
        return CheckResult(0.0, "the file is empty")
    if kind is None:
        return CheckResult(1.0, "the file exists")
    return pass_or_fail(
        _is_kind(content, kind), f"it is a file of kind {kind}", f"it is not a {kind}"
    )


def _is_kind(content: bytes, kind: str) -> bool:
    if kind in _MAGIC_BYTES:
        return content.startswith(_MAGIC_BYTES[kind])
    if kind in _MAIN_PARTS:
        return _MAIN_PARTS[kind] in _names(content)
    if kind in _OPEN_DOCUMENTS:
        # OpenDocument, part 2, 3.3: the first file contains the type, uncompressed.
        return _OPEN_DOCUMENTS[kind] in content[:200] and "content.xml" in _names(content)
    start = content[:_TEXT_BYTES]
    return b"<svg" in start if kind == "svg" else b"\0" not in start


def _names(content: bytes) -> frozenset[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return frozenset(package.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return frozenset()
