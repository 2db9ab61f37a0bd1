from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.errors import ImageError
from pptarena.vm_images.disk.modules import resolve_modules

MakeModule = Callable[..., Path]


def module_names(requested: list[str], folder: Path) -> list[str]:
    return [module.name for module in resolve_modules(requested, folder)]


def test_modules_follow_their_dependencies(modules: Path, make_module: MakeModule) -> None:
    make_module("a.ko.xz", "c,b")
    make_module("b.ko", "d")
    make_module("deep/er/c.ko.xz", "d")
    make_module("d.ko.xz")
    make_module("e.ko.xz")
    assert module_names(["a", "d", "e"], modules) == ["d", "c", "b", "a", "e"]


def test_dash_equals_underscore_and_builtin_modules_are_skipped(
    modules: Path, make_module: MakeModule
) -> None:
    make_module("virtio-blk.ko.xz", "virtio-ring,crc_t10dif")
    make_module("virtio_ring.ko.xz")
    assert module_names(["virtio_blk"], modules) == ["virtio_ring", "virtio_blk"]
    assert module_names(["zlib", "crc-t10dif"], modules) == []


def test_modules_are_decompressed(modules: Path, make_module: MakeModule) -> None:
    make_module("a.ko.xz")
    make_module("b.ko")
    for module in resolve_modules(["a", "b"], modules):
        assert module.content.startswith(b"\x7fELF")


def test_circular_dependencies_are_resolved(modules: Path, make_module: MakeModule) -> None:
    make_module("a.ko", "b")
    make_module("b.ko", "a")
    assert module_names(["a"], modules) == ["b", "a"]


@pytest.mark.parametrize(
    ("requested", "message"),
    [
        ("other", "no module other$"),
        ("lacking", "no module other, required by lacking"),
        ("text", "not a kernel module"),
        ("broken", "cannot read the kernel's modules"),
    ],
)
def test_missing_and_damaged_modules_are_named(
    modules: Path, make_module: MakeModule, requested: str, message: str
) -> None:
    make_module("lacking.ko.xz", "other")
    make_module("text.ko").write_text("text")
    make_module("broken.ko.xz").write_bytes(b"\xfd7zXZ\0broken")
    with pytest.raises(ImageError, match=message):
        resolve_modules([requested], modules)


def test_missing_modules_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"cannot read .*modules\.builtin"):
        resolve_modules(["a"], tmp_path)
