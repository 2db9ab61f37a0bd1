"""Kernel modules of Debian, with their dependencies, in loading order."""

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


def resolve_modules(names: Iterable[str], folder: Path) -> list[KernelModule]:
    """Read modules and all their dependencies, each after its dependencies.

    Args:
        names: Names; a module that is built into the kernel counts as present.
        folder: The kernel's folder of modules, which has ``modules.builtin``.

    Raises:
        ImageError: If one is neither present nor built in, or cannot be read.
    """
    try:
        resolver = _Resolver(folder)
        for name in names:
            resolver.resolve(_name(name))
    except (OSError, lzma.LZMAError) as error:
        raise ImageError(f"cannot read the kernel's modules in {folder}: {error}") from error
    return resolver.resolved


class _Resolver:
    def __init__(self, folder: Path) -> None:
        self.resolved: list[KernelModule] = []
        self._visited: set[str] = set()
        self._files = {
            _name(file.name): file
            for file in sorted(folder.rglob("*.ko*"))
            if file.name.endswith(_SUFFIXES)
        }
        builtin = (folder / "modules.builtin").read_text("utf-8").splitlines()
        self._builtin = {_name(Path(line).name) for line in builtin}

    def resolve(self, name: str, needed_by: str = "") -> None:
        if name in self._visited or name in self._builtin:
            return
        self._visited.add(name)
        file = self._files.get(name)
        if file is None:
            reason = f", required by {needed_by}" if needed_by else ""
            raise ImageError(f"the kernel of the Debian package has no module {name}{reason}")
        content = file.read_bytes()
        if file.suffix == ".xz":
            content = lzma.decompress(content)
        for dependency in _depends(file, content):
            self.resolve(dependency, name)
        self.resolved.append(KernelModule(name, content))


def _depends(file: Path, content: bytes) -> list[str]:
    match = _DEPENDS.search(content)
    if match is None:
        raise ImageError(f"{file} is not a kernel module: it does not declare its dependencies")
    return [_name(name) for name in match[1].decode().split(",") if name]


def _name(file_name: str) -> str:
    return file_name.split(".")[0].replace("-", "_")
