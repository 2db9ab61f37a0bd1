"""Kernel modules of Debian: the dependencies of wanted modules, in loading order."""

import lzma
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pptarena.errors import ImageError

__all__ = ["KernelModule", "resolve_modules"]

# Every module contains this string in its section .modinfo, empty if it has no dependencies.
_DEPENDS = re.compile(rb"\0depends=([\w,-]*)\0")
_SUFFIXES = (".ko", ".ko.xz")


@dataclass(frozen=True, slots=True)
class KernelModule:
    """One module.

    Attributes:
        name: With underscores, as in the kernel.
        content: The module itself, not compressed.
    """

    name: str
    content: bytes


def resolve_modules(wanted: Iterable[str], folder: Path) -> list[KernelModule]:
    """Read modules and all their dependencies, each after its dependencies.

    Args:
        wanted: Names; a module that is built into the kernel counts as present.
        folder: The kernel's folder of modules, which has ``modules.builtin``.

    Raises:
        ImageError: If one is neither present nor built in, or cannot be read.
    """
    try:
        finder = _Finder(folder)
        for name in wanted:
            finder.take(_name(name))
    except (OSError, lzma.LZMAError) as error:
        raise ImageError(f"cannot read the kernel's modules in {folder}: {error}") from error
    return finder.found


class _Finder:
    def __init__(self, folder: Path) -> None:
        self.found: list[KernelModule] = []
        self._seen: set[str] = set()
        self._files = {
            _name(file.name): file
            for file in sorted(folder.rglob("*.ko*"))
            if file.name.endswith(_SUFFIXES)
        }
        builtin = (folder / "modules.builtin").read_text("utf-8").splitlines()
        self._builtin = {_name(Path(line).name) for line in builtin}

    def take(self, name: str, needed_by: str = "") -> None:
        if name in self._seen or name in self._builtin:
            return
        self._seen.add(name)
        file = self._files.get(name)
        if file is None:
            reason = f", which {needed_by} needs" if needed_by else ""
            raise ImageError(f"the kernel of the Debian package has no module {name}{reason}")
        content = file.read_bytes()
        if file.suffix == ".xz":
            content = lzma.decompress(content)
        for other in _depends(file, content):
            self.take(other, name)
        self.found.append(KernelModule(name, content))


def _depends(file: Path, content: bytes) -> list[str]:
    match = _DEPENDS.search(content)
    if match is None:
        raise ImageError(f"{file} is not a kernel module: it does not say what it depends on")
    return [_name(other) for other in match[1].decode().split(",") if other]


def _name(file_name: str) -> str:
    return file_name.split(".")[0].replace("-", "_")
