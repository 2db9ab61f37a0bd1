"""Which application saved a deck."""

import io
import re
import zipfile

__all__ = ["is_saved_by_libreoffice"]

_PART = "docProps/app.xml"
_MAX_BYTES = 2**20
_APPLICATION = re.compile(rb"<(?:\w+:)?Application>\s*LibreOffice\b")


def is_saved_by_libreoffice(deck: bytes) -> bool:
    """Return whether a deck says that LibreOffice saved it last."""
    try:
        with zipfile.ZipFile(io.BytesIO(deck)) as file, file.open(_PART) as part:
            return _APPLICATION.search(part.read(_MAX_BYTES)) is not None
    except (KeyError, OSError, ValueError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        return False
