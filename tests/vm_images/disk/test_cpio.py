import doctest
import stat
from dataclasses import dataclass

import pytest

from pptarena.vm_images.disk import cpio
from pptarena.vm_images.disk.cpio import CpioArchive


@dataclass(frozen=True)
class Entry:
    mode: int
    owner: tuple[int, int]
    time: int
    device: tuple[int, int]
    content: bytes


def read(data: bytes) -> dict[str, Entry]:
    """Read one archive as the kernel does."""
    entries: dict[str, Entry] = {}
    offset = 0
    while True:
        assert offset % 4 == 0
        assert data[offset : offset + 6] == b"070701"
        fields = [int(data[offset + 6 + 8 * i : offset + 14 + 8 * i], 16) for i in range(13)]
        name_end = offset + 110 + fields[11]
        name = data[offset + 110 : name_end]
        assert name.endswith(b"\0")
        content_start = -(-name_end // 4) * 4
        content = data[content_start : content_start + fields[6]]
        offset = -(-(content_start + fields[6]) // 4) * 4
        if name == b"TRAILER!!!\0":
            assert not data[offset:].strip(b"\0")
            return entries
        entry = Entry(
            fields[1], (fields[2], fields[3]), fields[5], (fields[9], fields[10]), content
        )
        entries[name[:-1].decode()] = entry


def sample_archive() -> CpioArchive:
    archive = CpioArchive()
    archive.add_folder("bin")
    archive.add_file("bin/tool", b"12345", 0o755)
    archive.add_file("bin/größer", b"x" * 5000)
    archive.add_link("bin/sh", "tool")
    archive.add_character_device("console", 5, 1)
    archive.add_file("empty", b"")
    return archive


def test_kernel_reads_all_entries_of_a_reproducible_archive() -> None:
    entries = read(sample_archive().to_bytes())
    assert list(entries) == ["bin", "bin/tool", "bin/größer", "bin/sh", "console", "empty"]
    assert entries["bin"].mode == stat.S_IFDIR | 0o755
    assert entries["bin/tool"].mode == stat.S_IFREG | 0o755
    assert entries["bin/tool"].content == b"12345"
    assert entries["bin/größer"].content == b"x" * 5000
    assert stat.S_ISLNK(entries["bin/sh"].mode)
    assert entries["bin/sh"].content == b"tool"
    assert entries["console"].mode == stat.S_IFCHR | 0o600
    assert entries["console"].device == (5, 1)
    assert entries["empty"].content == b""
    assert {(entry.owner, entry.time) for entry in entries.values()} == {((0, 0), 0)}
    assert sample_archive().to_bytes() == sample_archive().to_bytes()
    assert len(sample_archive().to_bytes()) % 512 == 0, "no archive can follow"


@pytest.mark.parametrize("name", ["", "/bin", "TRAILER!!!"])
def test_invalid_names_are_rejected(name: str) -> None:
    with pytest.raises(ValueError, match="expected a relative path"):
        CpioArchive().add_folder(name)


def test_docstring_example() -> None:
    assert doctest.testmod(cpio) == doctest.TestResults(failed=0, attempted=4)
