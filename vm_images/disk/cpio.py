"""Archives that the Linux kernel unpacks as its initial file system ("newc" cpio).

The format is that of the kernel's ``Documentation/driver-api/early-userspace/buffer-format.rst``.
Equal contents give equal bytes: everything belongs to root, and there are no times.
"""

import stat

__all__ = ["CpioArchive"]

_ALIGN = 4
_BLOCK_BYTES = 512
_END = "TRAILER!!!"
_MAX_BYTES = 2**32 - 1


class CpioArchive:
    """An archive under construction; parents must be added before their contents.

    Example:
        >>> archive = CpioArchive()
        >>> archive.add_folder("bin")
        >>> archive.add_file("bin/tool", b"...", 0o755)
        >>> len(archive.to_bytes())
        512
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._count = 0

    def add_folder(self, name: str, mode: int = 0o755) -> None:
        """Add a folder."""
        self._add(name, stat.S_IFDIR | mode, links=2)

    def add_file(self, name: str, content: bytes, mode: int = 0o644) -> None:
        """Add a file.

        Raises:
            ValueError: If it is too long for the format (4 GiB).
        """
        if len(content) > _MAX_BYTES:
            raise ValueError(f"{name} has {len(content)} bytes, but the format allows 4 GiB")
        self._add(name, stat.S_IFREG | mode, content)

    def add_link(self, name: str, target: str) -> None:
        """Add a symbolic link."""
        self._add(name, stat.S_IFLNK | 0o777, target.encode())

    def add_character_device(self, name: str, major: int, minor: int, mode: int = 0o600) -> None:
        """Add a character device."""
        self._add(name, stat.S_IFCHR | mode, device=(major, minor))

    def to_bytes(self) -> bytes:
        """Return the complete archive, padded so that another one may follow."""
        end = _entry(0, _END, 0, b"", 1, (0, 0))
        return _padded(b"".join((*self._parts, end)), _BLOCK_BYTES)

    def _add(
        self,
        name: str,
        mode: int,
        content: bytes = b"",
        *,
        links: int = 1,
        device: tuple[int, int] = (0, 0),
    ) -> None:
        if not name or name.startswith("/") or name == _END:
            raise ValueError(f"expected a relative path, got {name!r}")
        self._count += 1
        self._parts.append(_entry(self._count, name, mode, content, links, device))


def _entry(
    number: int, name: str, mode: int, content: bytes, links: int, device: tuple[int, int]
) -> bytes:
    encoded = name.encode() + b"\0"
    owner = group = time_sec = checksum = 0
    fields = (
        *(number, mode, owner, group, links, time_sec, len(content)),
        *(0, 0, *device, len(encoded), checksum),
    )
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
    return _padded(head, _ALIGN) + _padded(content, _ALIGN)


def _padded(data: bytes, multiple: int) -> bytes:
    return data + bytes(-len(data) % multiple)
