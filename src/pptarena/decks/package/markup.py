"""Parse untrusted XML: no entities, no network access, no encodings that hide tags."""

import re
import threading

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import STRICT
from pptarena.errors import DeckError

__all__ = ["isolate_xml_names", "parse_markup", "with_stable_ids"]

_ENCODING = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']*)""")
# The id of a field, such as a slide number, has no meaning and may change with every save.
_FIELD_ID = re.compile(rb"""(<a:fld [^<>]{0,200}?\bid=)(["'])\{[0-9A-Fa-f-]{36}\}\2""")
# Ids of chart axes have no meaning either, except that equal ids refer to the same axis.
_AXIS_ID = re.compile(rb"""(<c:(?:axId|crossAx) val=["'])(\d{1,10})(?=["'])""")
_NO_ID = b"\\1\\2{00000000-0000-0000-0000-000000000000}\\2"
# In these encodings every tag contains the byte of "<", so tags can be counted before parsing.
_ENCODINGS = frozenset((
    b"utf-8", b"utf-16", b"utf-16le", b"utf-16be", b"us-ascii", b"ascii", b"iso-8859-1",
    b"windows-1252",
))  # fmt: skip

_local = threading.local()


def isolate_xml_names() -> None:
    """Give the calling thread its own dictionary of XML names; call this before using python-pptx.

    libxml2 keeps the names of all trees of a thread in one dictionary, without a lock. If the first
    parser that a thread uses was used by another thread before, such as the parser that python-pptx
    shares between threads, the thread adopts the other's dictionary. One thread then parses,
    without the interpreter lock, into data that the other reads: names are not found, or the
    process crashes. A thread that first parses with a parser of its own, as `parse_markup` does, is
    safe as long as it only uses trees that it parsed itself.
    """
    if not getattr(_local, "ready", False):
        etree.fromstring(b"<own/>", etree.XMLParser())
        _local.ready = True


def with_stable_ids(data: bytes) -> bytes:
    """Return the bytes of a part with volatile ids replaced by stable ones."""
    if b"<c:axId " in data:
        numbers: dict[int, int] = {}

        def renumber(match: re.Match[bytes]) -> bytes:
            return b"%b%d" % (match[1], numbers.setdefault(int(match[2]), len(numbers) + 1))

        data = _AXIS_ID.sub(renumber, data)
    return _FIELD_ID.sub(_NO_ID, data) if b"<a:fld " in data else data


def parse_markup(data: bytes, name: str) -> _Element:
    """Return the root element of a part.

    Raises:
        DeckError: If the part is not XML in a known encoding, or declares a document type.
    """
    if not _has_known_encoding(data):
        raise DeckError(f"the part {name!r} is not XML in UTF-8 or UTF-16")
    if b"purl.oclc.org/ooxml" in data:
        for strict, transitional in STRICT:
            data = data.replace(strict, transitional)
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
        raise DeckError(f"the part {name!r} is not XML: {error}") from error
    if root.getroottree().docinfo.doctype:
        raise DeckError(f"the part {name!r} declares a document type, which is not allowed")
    return root


def _has_known_encoding(data: bytes) -> bool:
    # UTF-16 interleaves zeros, and either byte order mark may come first.
    head = data[:400].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")
    declaration = _ENCODING.match(head)
    is_text = head.startswith(b"<") or not head
    return is_text and (declaration is None or declaration[1].lower() in _ENCODINGS)
