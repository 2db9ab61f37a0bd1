"""Content that LibreOffice writes into files and that readers must recognize."""

import io
import re
import zipfile
from typing import Final

__all__ = ["COUNTED_PROPERTIES", "UNFILLED_ICONS", "is_saved_by_libreoffice"]

UNFILLED_ICONS: Final = frozenset(
    ("39408d86c82160d9bc444e07d3dbe9dd347fe3291c9739ca60333d22c30f658f",)
)
"""Digests of the pictures that LibreOffice 25.2 puts into empty placeholders."""

COUNTED_PROPERTIES: Final = frozenset((
    "AppVersion", "Application", "Bytes", "Characters", "CharactersWithSpaces", "Company",
    "DocSecurity", "HeadingPairs", "HiddenSlides", "HyperlinkBase", "HyperlinksChanged", "Lines",
    "LinksUpToDate", "MMClips", "Manager", "Notes", "Pages", "Paragraphs", "PresentationFormat",
    "ScaleCrop", "ShareDoc", "SharedDoc", "Slides", "Template", "TitlesOfParts", "TotalTime",
    "Words",
))  # fmt: skip
"""Properties maintained by applications; LibreOffice saves them as custom properties."""

_PART = "docProps/app.xml"
_CONTENTS = "[Content_Types].xml"
_MAX_BYTES = 2**20
_WRITTEN_LAST = ("ppt/slideLayouts/", "ppt/slideMasters/")
_APPLICATION = re.compile(rb"<(?:\w+:)?Application>\s*LibreOffice\b")


def is_saved_by_libreoffice(deck: bytes) -> bool:
    """Return whether LibreOffice was the last application to save a deck.

    The application name alone is not sufficient, because libraries that edit a file keep it. But
    only LibreOffice writes the content types at the end of the file, followed at most by masters
    and layouts that it merges.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(deck)) as file, file.open(_PART) as part:
            named = _APPLICATION.search(part.read(_MAX_BYTES)) is not None
            names = file.namelist()
            at = names.index(_CONTENTS)
            return named and at > 0 and all(n.startswith(_WRITTEN_LAST) for n in names[at + 1 :])
    except (KeyError, OSError, ValueError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        return False
