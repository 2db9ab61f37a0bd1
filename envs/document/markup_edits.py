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

_PAGE = 6_000
_SHOWN = 150
_TOLD = 5
_TOLD_LETTERS = 400

Xml = Annotated[str, Field(max_length=200_000)]
"""The complete XML of a part."""


def list_parts(document: Document, under: str = "") -> str:
    """List the XML parts of the file with their sizes in bytes.

    Args:
        under: Beginning of their names, such as ppt/slides/; all by default.
    """
    with _archive(document) as file:
        found = [
            f"{each.filename} {each.file_size}"
            for each in file.infolist()
            if each.filename.startswith(under) and _is_xml(each.filename)
        ]
    more = f"\nand {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ("\n".join(found[:_SHOWN]) + more) or "there are none"


def read_part(document: Document, name: Name, offset: Annotated[int, Field(ge=0)] = 0) -> str:
    """Read the XML of a part, some thousand characters at a time.

    Args:
        name: Its name, such as ppt/slides/slide1.xml.
        offset: The letter to begin at, from 0.
    """
    text = _text(document, name)
    left = len(text) - offset - _PAGE
    more = f"\n... {left} more letters; go on at {offset + _PAGE}" if left > 0 else ""
    return text[offset : offset + _PAGE] + more


def replace_part(document: Document, name: Name, xml: Xml) -> str:
    """Replace the whole XML of a part; it is refused if PowerPoint would not open the deck then.

    Args:
        name: Its name.
        xml: The new XML.
    """
    root = _text(document, name)
    try:
        kept = str(parse_markup(root.encode(), name).tag)
        tag = str(parse_markup(xml.encode(), name).tag)
    except (DeckError, UnicodeEncodeError) as error:
        raise ActionError(f"the XML is refused: {error}") from error
    if tag != kept:
        raise ActionError(f"expected a root {kept}, got {tag}")
    changed = _with(document, name, xml.encode())
    _require_valid(document, changed)
    document.replace(changed)
    return "replaced"


def replace_in_part(document: Document, name: Name, old: Xml, new: Xml) -> str:
    """Replace a passage that occurs once in a part's XML.

    Args:
        name: Its name.
        old: The passage, letter by letter.
        new: What to write instead.
    """
    text = _text(document, name)
    count = text.count(old) if old else 0
    if count != 1:
        raise ActionError(f"expected a passage that stands once in {name}, it stands {count} times")
    return replace_part(document, name, text.replace(old, new))


def _require_valid(document: Document, changed: bytes) -> None:
    """Reject XML that PowerPoint would; errors that existed before the edit are ignored."""
    try:
        found = new_problems(document.to_bytes(), changed)
    except DeckError as error:
        raise ActionError(f"the XML is refused: {error}") from error
    if found:
        told = "\n".join(str(each)[:_TOLD_LETTERS] for each in found[:_TOLD])
        more = f"\nand {len(found) - _TOLD} more" if len(found) > _TOLD else ""
        raise ActionError(f"the XML is refused: PowerPoint would not open the deck\n{told}{more}")


def _archive(document: Document) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(document.to_bytes()))


def _is_xml(name: str) -> bool:
    return name.endswith((".xml", ".rels")) and name != "[Content_Types].xml"


def _text(document: Document, name: str) -> str:
    with _archive(document) as file:
        if not _is_xml(name) or name not in file.NameToInfo:
            raise ActionError(f"no XML part is called {name!r}; list_parts names them")
        try:
            return file.read(name).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ActionError(f"the part {name!r} is not in UTF-8") from error


def _with(document: Document, name: str, data: bytes) -> bytes:
    stream = io.BytesIO()
    with _archive(document) as source, zipfile.ZipFile(stream, "w") as target:
        for info in source.infolist():
            target.writestr(info, data if info.filename == name else source.read(info))
    return stream.getvalue()
