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
    place = 0
    while True:
        assert place % 4 == 0
        assert data[place : place + 6] == b"070701"
        number = [int(data[place + 6 + 8 * i : place + 14 + 8 * i], 16) for i in range(13)]
        name_end = place + 110 + number[11]
        name = data[place + 110 : name_end]
        assert name.endswith(b"\0")
        begin = -(-name_end // 4) * 4
        content = data[begin : begin + number[6]]
        place = -(-(begin + number[6]) // 4) * 4
        if name == b"TRAILER!!!\0":
            assert not data[place:].strip(b"\0")
            return entries
        entry = Entry(
            number[1], (number[2], number[3]), number[5], (number[9], number[10]), content
        )
        entries[name[:-1].decode()] = entry


def sample() -> CpioArchive:
    archive = CpioArchive()
    archive.add_folder("bin")
    archive.add_file("bin/tool", b"12345", 0o755)
    archive.add_file("bin/größer", b"x" * 5000)
    archive.add_link("bin/sh", "tool")
    archive.add_character_device("console", 5, 1)
    archive.add_file("empty", b"")
    return archive


def test_what_goes_in_comes_out() -> None:
    entries = read(sample().to_bytes())
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


def test_equal_contents_give_equal_bytes() -> None:
    assert sample().to_bytes() == sample().to_bytes()


def test_another_archive_can_follow() -> None:
    assert len(sample().to_bytes()) % 512 == 0


@pytest.mark.parametrize("name", ["", "/bin", "TRAILER!!!"])
def test_a_name_the_kernel_would_not_take(name: str) -> None:
    with pytest.raises(ValueError, match="expected a path"):
        CpioArchive().add_folder(name)


def test_the_example() -> None:
    assert doctest.testmod(cpio) == doctest.TestResults(failed=0, attempted=4)
