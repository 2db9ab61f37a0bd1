"""Reproducible files: fixed dates inside the package and its workbooks."""

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

__all__ = ["reproducible_file", "save_reproducible"]

_DATE = (2026, 10, 1, 8, 0, 0)
_TIMESTAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def save_reproducible(presentation: Any, path: Path, title: str, author: str) -> None:
    """Save a presentation reproducibly; see `reproducible_file`."""
    path.write_bytes(reproducible_file(presentation, title, author))


def reproducible_file(presentation: Any, title: str, author: str) -> bytes:
    """Return the .pptx file of a presentation, with equal bytes at every build.

    Args:
        presentation: The presentation of python-pptx.
        title: Title in the document's properties.
        author: Author in the document's properties.
    """
    properties = presentation.core_properties
    properties.title, properties.author, properties.last_modified_by = title, author, author
    properties.created = properties.modified = datetime(*_DATE)
    properties.revision = 1
    stream = io.BytesIO()
    presentation.save(stream)
    return _with_fixed_dates(stream.getvalue())


def _with_fixed_dates(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(".xlsx"):
                content = _with_fixed_dates(content)
            if name == "docProps/core.xml":
                content = _TIMESTAMP.sub(b"2026-10-01T08:00:00Z", content)
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, content, compresslevel=9)
    return out.getvalue()
