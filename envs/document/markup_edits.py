"""Document tools that read and replace the XML of parts."""

import io
import zipfile
from typing import Annotated

from pydantic import Field

from pptarena.decks.package.markup import parse_markup
from pptarena.decks.validity import new_problems
from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Name
from pptarena.errors import ActionError, DeckError

__all__ = ["list_parts", "read_part", "replace_in_part", "replace_part"]

_PAGE_CHARS = 6_000
_PARTS_LISTED = 150
_PROBLEMS_LISTED = 5
_PROBLEM_CHARS = 400

Xml = Annotated[str, Field(max_length=200_000)]
"""The complete XML of a part."""


def list_parts(document: Document, under: str = "") -> str:
    """List the XML parts of the file with their sizes in bytes.

    Args:
        under: Prefix of the names, such as ppt/slides/; all by default.
    """
    with _archive(document) as file:
        parts = [
            f"{entry.filename} {entry.file_size}"
            for entry in file.infolist()
            if entry.filename.startswith(under) and _is_xml(entry.filename)
        ]
    suffix = f"\nand {len(parts) - _PARTS_LISTED} more" if len(parts) > _PARTS_LISTED else ""
    return ("\n".join(parts[:_PARTS_LISTED]) + suffix) or "there are none"


def read_part(document: Document, name: Name, offset: Annotated[int, Field(ge=0)] = 0) -> str:
    """Read the XML of a part, a few thousand characters at a time.

    Args:
        name: Its name, such as ppt/slides/slide1.xml.
        offset: Index of the first character to read, from 0.
    """
    text = _text(document, name)
    remaining = len(text) - offset - _PAGE_CHARS
    suffix = (
        f"\n... {remaining} more characters; continue at offset {offset + _PAGE_CHARS}"
        if remaining > 0
        else ""
    )
    return text[offset : offset + _PAGE_CHARS] + suffix


def replace_part(document: Document, name: Name, xml: Xml) -> str:
    """Replace the entire XML of a part; refused if PowerPoint could not open the result.

    Args:
        name: Its name.
        xml: The new XML.
    """
    old_xml = _text(document, name)
    try:
        old_tag = str(parse_markup(old_xml.encode(), name).tag)
        new_tag = str(parse_markup(xml.encode(), name).tag)
    except (DeckError, UnicodeEncodeError) as error:
        raise ActionError(f"the XML is refused: {error}") from error
    if new_tag != old_tag:
        raise ActionError(f"expected a root {old_tag}, got {new_tag}")
    changed = _with_part(document, name, xml.encode())
    _require_valid(document, changed)
    document.replace(changed)
    return "replaced"


def replace_in_part(document: Document, name: Name, old: Xml, new: Xml) -> str:
    """Replace a passage that occurs once in a part's XML.

    Args:
        name: Its name.
        old: The exact passage.
        new: The replacement.
    """
    text = _text(document, name)
    count = text.count(old) if old else 0
    if count != 1:
        raise ActionError(
            f"expected a passage that occurs once in {name}, found {count} occurrences"
        )
    return replace_part(document, name, text.replace(old, new))


def _require_valid(document: Document, changed: bytes) -> None:
    """Reject XML that PowerPoint would; errors that existed before the edit are ignored."""
    try:
        problems = new_problems(document.to_bytes(), changed)
    except DeckError as error:
        raise ActionError(f"the XML is refused: {error}") from error
    if problems:
        listed = "\n".join(str(problem)[:_PROBLEM_CHARS] for problem in problems[:_PROBLEMS_LISTED])
        suffix = (
            f"\nand {len(problems) - _PROBLEMS_LISTED} more"
            if len(problems) > _PROBLEMS_LISTED
            else ""
        )
        raise ActionError(
            f"the XML is refused: PowerPoint would not open the deck\n{listed}{suffix}"
        )


def _archive(document: Document) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(document.to_bytes()))


def _is_xml(name: str) -> bool:
    return name.endswith((".xml", ".rels")) and name != "[Content_Types].xml"


def _text(document: Document, name: str) -> str:
    with _archive(document) as file:
        if not _is_xml(name) or name not in file.NameToInfo:
            raise ActionError(f"no XML part has the name {name!r}; list_parts lists all names")
        try:
            return file.read(name).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ActionError(f"the part {name!r} is not in UTF-8") from error


def _with_part(document: Document, name: str, data: bytes) -> bytes:
    stream = io.BytesIO()
    with _archive(document) as source, zipfile.ZipFile(stream, "w") as target:
        for info in source.infolist():
            target.writestr(info, data if info.filename == name else source.read(info))
    return stream.getvalue()
