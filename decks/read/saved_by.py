"""Which application saved a deck."""

import io
import re
import zipfile

__all__ = ["is_saved_by_libreoffice"]

_PART = "docProps/app.xml"
_CONTENTS = "[Content_Types].xml"
_MAX_BYTES = 2**20
_APPLICATION = re.compile(rb"<(?:\w+:)?Application>\s*LibreOffice\b")


def is_saved_by_libreoffice(deck: bytes) -> bool:
    """Return whether LibreOffice saved a deck last.

    Its name alone does not say so: libraries that edit a file leave it there. But LibreOffice is
    the one that writes the list of contents at the end of the file.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(deck)) as file, file.open(_PART) as part:
            named = _APPLICATION.search(part.read(_MAX_BYTES)) is not None
            return named and file.namelist()[-1] == _CONTENTS
    except (KeyError, OSError, ValueError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        return False
