"""Reading the parts of a .pptx file safely: bounded size, no entities, no network."""

import hashlib
import io
import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element

from pptarena.errors import DeckError
from pptarena.rewards.deck.names import STRICT, rel_suffix

__all__ = [
    "MAX_ENTRIES",
    "MAX_PART_BYTES",
    "MAX_TOTAL_BYTES",
    "MAX_XML_BYTES",
    "MAX_XML_TOTAL_BYTES",
    "Package",
    "Rel",
    "read_bytes",
]

MAX_ENTRIES = 10_000
MAX_TOTAL_BYTES = 512 * 2**20
MAX_PART_BYTES = 256 * 2**20
MAX_XML_BYTES = 24 * 2**20
MAX_XML_TOTAL_BYTES = 96 * 2**20

_RELS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    OverflowError,
)


@dataclass(frozen=True, slots=True)
class Rel:
    """A relationship of a part.

    Attributes:
        kind: Last part of the type, such as ``slideLayout``.
        target: Name of the part, without a leading slash, or the address if `external`.
        external: Whether it points out of the package.
    """

    kind: str
    target: str
    external: bool


class Package:
    """The parts of a .pptx file, by name and by relationship.

    Args:
        data: The file.

    Raises:
        DeckError: If it is no zip file, or has more entries or larger content than is allowed.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            entries = self._zip.infolist()
        except _BROKEN as error:
            raise DeckError(f"not a .pptx file (no readable zip file): {error}") from error
        if len(entries) > MAX_ENTRIES:
            raise DeckError(f"expected at most {MAX_ENTRIES} parts, found {len(entries)}")
        total = sum(entry.file_size for entry in entries)
        if total > MAX_TOTAL_BYTES:
            raise DeckError(f"expected at most {MAX_TOTAL_BYTES} bytes unpacked, found {total}")
        self._entries = {entry.filename.lstrip("/"): entry for entry in entries}
        self._rels: dict[str, Mapping[str, Rel]] = {}
        self._xml: dict[str, _Element] = {}
        self._digests: dict[str, str] = {}
        self._xml_bytes = 0

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the bytes of a part.

        Raises:
            DeckError: If it is missing, broken or too large.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise DeckError(f"the part {name!r} is missing")
        if entry.file_size > MAX_PART_BYTES:
            raise DeckError(f"the part {name!r} is larger than {MAX_PART_BYTES} bytes")
        try:
            return self._zip.read(entry)
        except _BROKEN as error:
            raise DeckError(f"the part {name!r} is broken: {error}") from error

    def digest(self, name: str) -> str:
        """Return the sha256 of a part's bytes in hex.

        Raises:
            DeckError: As `read`.
        """
        if name not in self._digests:
            self._digests[name] = hashlib.sha256(self.read(name)).hexdigest()
        return self._digests[name]

    def size(self, name: str) -> int:
        """Return the unpacked size of a part in bytes, 0 if it is missing."""
        entry = self._entries.get(name)
        return entry.file_size if entry else 0

    def xml(self, name: str) -> _Element:
        """Return the root element of a part; parsed once, never to be changed.

        Raises:
            DeckError: If it is missing, too large, no XML, or declares a document type.
        """
        if name not in self._xml:
            self._xml[name] = self._parse(name)
        return self._xml[name]

    def rels(self, name: str) -> Mapping[str, Rel]:
        """Return the relationships of a part by id; those that cannot be read are left out.

        Args:
            name: Name of the part; empty for the package itself.
        """
        if name not in self._rels:
            self._rels[name] = self._read_rels(name)
        return self._rels[name]

    def related(self, name: str, kind: str) -> str | None:
        """Return the name of the first part that `name` is related to by `kind`, if it exists."""
        for rel in self.rels(name).values():
            if rel.kind == kind and not rel.external and rel.target in self._entries:
                return rel.target
        return None

    def _parse(self, name: str) -> _Element:
        size = self.size(name)
        self._xml_bytes += size
        if size > MAX_XML_BYTES or self._xml_bytes > MAX_XML_TOTAL_BYTES:
            raise DeckError(f"the part {name!r} holds too much XML ({size} bytes)")
        data = self.read(name)
        if b"purl.oclc.org/ooxml" in data:
            for strict, usual in STRICT:
                data = data.replace(strict, usual)
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise DeckError(f"the part {name!r} is no XML: {error}") from error
        if root.getroottree().docinfo.doctype:
            raise DeckError(f"the part {name!r} declares a document type, which is not allowed")
        return root

    def _read_rels(self, name: str) -> Mapping[str, Rel]:
        folder, _, base = name.rpartition("/")
        path = posixpath.join(folder, "_rels", f"{base}.rels")
        if path not in self._entries:
            return MappingProxyType({})
        found = {}
        for element in self._parse(path).iter(_RELS):
            target = element.get("Target") or ""
            external = element.get("TargetMode") == "External"
            if not external:
                target = _resolve(folder, target)
            kind = rel_suffix(element.get("Type") or "")
            found[element.get("Id") or ""] = Rel(kind, target, external)
        return MappingProxyType(found)


def _resolve(folder: str, target: str) -> str:
    path = unquote(target.partition("#")[0])
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(joined).lstrip("/")


def read_bytes(source: bytes | Path) -> bytes:
    """Return a deck's bytes, from memory or from a file.

    Raises:
        DeckError: If the file cannot be read or is larger than is allowed.
    """
    if not isinstance(source, Path):
        return bytes(source)
    try:
        if source.stat().st_size > MAX_TOTAL_BYTES:
            raise DeckError(f"{source} is larger than {MAX_TOTAL_BYTES} bytes")
        return source.read_bytes()
    except OSError as error:
        raise DeckError(f"{source} cannot be read: {error.strerror or error}") from error
