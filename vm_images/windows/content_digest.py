"""Compare two saved decks, ignoring the time of saving."""

import hashlib
import zipfile
from io import BytesIO

__all__ = ["content_digest"]

_SAVE_DEPENDENT = ("docProps/",)  # author and time of saving, and a picture of the first slide


def content_digest(deck: bytes) -> str:
    """Return a digest of a .pptx file's parts, including their names.

    Raises:
        zipfile.BadZipFile: If it is not a zip file.
    """
    digest = hashlib.sha256()
    with zipfile.ZipFile(BytesIO(deck)) as package:
        for name in sorted(package.namelist()):
            if not name.startswith(_SAVE_DEPENDENT):
                content = package.read(name)
                digest.update(f"{name}\0{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()
