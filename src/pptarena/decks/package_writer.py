"""Write python-pptx packages without compressing unchanged parts again."""

import io
import zipfile
import zlib
from typing import Any

from pptx.opc.packuri import PackURI
from pptx.opc.serialized import PackageWriter

from pptarena.decks.read.caches import LruCache

__all__ = ["write_package"]

# Parts and their compressed content together; a part of more than 8 MB is not cached.
_CACHE_BYTES = 32 * 2**20
_deflated: LruCache[bytes, bytes] = LruCache(_CACHE_BYTES)


def write_package(presentation: Any) -> bytes:
    """Return what ``presentation.save`` writes, with a fixed date in each entry.

    Most parts do not change from one save to the next, and compression takes a third of the time.
    """
    package = presentation.part.package
    writer: Any = PackageWriter("", package._rels, tuple(package.iter_parts()))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        entries = _Entries(archive)
        writer._write_content_types_stream(entries)
        writer._write_pkg_rels(entries)
        writer._write_parts(entries)
    return stream.getvalue()


class _Entries:
    """Writes entries as `zipfile.ZipFile.writestr` does."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def write(self, uri: PackURI, content: bytes) -> None:
        archive, file = self._archive, self._archive.fp
        assert file is not None
        entry = zipfile.ZipInfo(uri.membername)  # of January 1, 1980
        deflated = _deflate(content)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o600 << 16
        entry.CRC = zlib.crc32(content)
        entry.file_size, entry.compress_size = len(content), len(deflated)
        entry.header_offset = file.tell()
        file.write(entry.FileHeader())
        file.write(deflated)
        archive.filelist.append(entry)
        archive.NameToInfo[entry.filename] = entry
        archive.start_dir = file.tell()


def _deflate(content: bytes) -> bytes:
    compressed = _deflated.get(content)
    if compressed is None:
        compressed = zlib.compress(content, wbits=-zlib.MAX_WBITS)
        _deflated.put(content, compressed, len(content) + len(compressed))
    return compressed
