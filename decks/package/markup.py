"""Parsing XML that nobody vouches for: no entities, no network, no encoding that hides tags."""

import re
import threading

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import STRICT
from pptarena.errors import DeckError

__all__ = ["own_dictionary", "parse_markup", "steady"]

_ENCODING = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']*)""")
# The id of a field, such as a slide number, says nothing: it may be another one after every save.
_FIELD_ID = re.compile(rb"""(<a:fld [^<>]{0,200}?\bid=)(["'])\{[0-9A-Fa-f-]{36}\}\2""")
# Nor do the ids of a chart's axes, but for which of them are equal.
_AXIS_ID = re.compile(rb"""(<c:(?:axId|crossAx) val=["'])(\d{1,10})(?=["'])""")
_NO_ID = b"\\1\\2{00000000-0000-0000-0000-000000000000}\\2"
# In these every tag begins with the byte of "<", so that tags can be counted before parsing.
_ENCODINGS = frozenset((
    b"utf-8", b"utf-16", b"utf-16le", b"utf-16be", b"us-ascii", b"ascii", b"iso-8859-1",
    b"windows-1252",
))  # fmt: skip

_local = threading.local()


def own_dictionary() -> None:
    """Give the calling thread a dictionary of XML names of its own; call it before python-pptx.

    libxml2 keeps the names of all trees of a thread in one dictionary, without a lock. A thread
    whose first parser is one that another thread used before, such as the one of python-pptx that
    all threads share, would take over the other's dictionary: then one thread parses, without the
    interpreter's lock, into what the other one reads, and names are not found or the process dies.
    A thread that parses with a parser of its own first (`parse_markup` does) is safe, as long as
    it keeps to trees that it parsed itself.
    """
    if not getattr(_local, "ready", False):
        etree.fromstring(b"<own/>", etree.XMLParser())
        _local.ready = True


def steady(data: bytes) -> bytes:
    """Return the bytes of a part without random ids, so that it reads the same after every save."""
    if b"<c:axId " in data:
        numbers: dict[int, int] = {}

        def numbered(match: re.Match[bytes]) -> bytes:
            return b"%b%d" % (match[1], numbers.setdefault(int(match[2]), len(numbers) + 1))

        data = _AXIS_ID.sub(numbered, data)
    return _FIELD_ID.sub(_NO_ID, data) if b"<a:fld " in data else data


def parse_markup(data: bytes, name: str) -> _Element:
    """Return the root element of a part.

    Args:
        data: The part.
        name: Its name, for errors.

    Raises:
        DeckError: If it is no XML in a usual encoding, or declares a document type.
    """
    if not _has_known_encoding(data):
        raise DeckError(f"the part {name!r} is no XML in UTF-8 or UTF-16")
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


def _has_known_encoding(data: bytes) -> bool:
    # Of UTF-16 the zeros are left out, of both the mark of byte order.
    head = data[:400].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")
    named = _ENCODING.match(head)
    plain = head.startswith(b"<") or not head
    return plain and (named is None or named[1].lower() in _ENCODINGS)
