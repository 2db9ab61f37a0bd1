"""Reproducible files: fixed dates inside the package and its workbooks."""

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

__all__ = ["frozen", "save_frozen"]

_DATE = (2026, 10, 1, 8, 0, 0)
_STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def save_frozen(presentation: Any, path: Path, title: str, author: str) -> None:
    """Save a presentation reproducibly; see `frozen`."""
    path.write_bytes(frozen(presentation, title, author))


def frozen(presentation: Any, title: str, author: str) -> bytes:
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
    return _freeze(stream.getvalue())


def _freeze(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(".xlsx"):
                content = _freeze(content)
            if name == "docProps/core.xml":
                content = _STAMP.sub(b"2026-10-01T08:00:00Z", content)
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, content, compresslevel=9)
    return out.getvalue()
