"""Open and save decks with python-pptx, which makes all file edits in this project.

Use these functions before and after editing a deck; `pptarena.decks.part_names` explains why.
"""

import io
import zipfile
import zlib
from typing import Any

from lxml.etree import LxmlError
from pptx import Presentation
from pptx.exc import PythonPptxError

from pptarena.decks.package.markup import isolate_xml_names
from pptarena.decks.package.relationships import with_exact_names
from pptarena.decks.package_writer import write_package
from pptarena.decks.part_names import make_part_names_unique
from pptarena.errors import DeckError

__all__ = ["open_presentation", "save_presentation"]

_OPEN_ERRORS = (
    AttributeError, AssertionError, KeyError, LxmlError, NotImplementedError, OSError,
    PythonPptxError, RuntimeError, TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
_STRICT = b"http://purl.oclc.org/ooxml/"
_ROOT_RELS, _ROOT_RELS_MAX_BYTES = "_rels/.rels", 2**20


def open_presentation(file: bytes) -> Any:
    """Return a .pptx file as a python-pptx presentation to which parts can be added safely.

    Slides that are not in the slide list stay in the package, under names that python-pptx never
    gives to a slide.

    Args:
        file: The .pptx file. Read an untrusted file with `pptarena.decks.read_deck` first:
            python-pptx does not limit the unpacked size.

    Raises:
        DeckError: If the file is not a zip file allowed by Open Packaging Conventions, or
            python-pptx cannot open it, for example because it is a Strict Open XML file.
    """
    isolate_xml_names()
    try:
        presentation = Presentation(io.BytesIO(with_exact_names(file)))
        make_part_names_unique(presentation)
    except _OPEN_ERRORS as error:
        raise DeckError(_failure_reason(file, error)) from error
    return presentation


def save_presentation(presentation: Any) -> bytes:
    """Return a python-pptx presentation as a .pptx file with unique part names.

    Equal presentations give equal bytes: the entries of the file have a fixed date.
    """
    make_part_names_unique(presentation)
    return write_package(presentation)


def _failure_reason(file: bytes, error: Exception) -> str:
    if _is_strict(file):
        return (
            "the deck cannot be edited: it is a Strict Open XML file (ISO/IEC 29500 Strict), which "
            "python-pptx does not support; save it as a PowerPoint Presentation (.pptx)"
        )
    return f"the deck cannot be edited: python-pptx cannot open it: {error!r}"[:500]


def _is_strict(file: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(file)) as package, package.open(_ROOT_RELS) as part:
            return _STRICT in part.read(_ROOT_RELS_MAX_BYTES)
    except (*_OPEN_ERRORS, EOFError):
        return False
