"""Take a .pptx file apart and put it together again."""

import io
import zipfile
from collections.abc import Mapping


def unpack(package: bytes) -> dict[str, bytes]:
    """Return the content of each part by name."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(parts: Mapping[str, bytes | None]) -> bytes:
    """Return a package of these parts, in their order; None omits a part."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            if data is not None:
                archive.writestr(name, data)
    return stream.getvalue()
