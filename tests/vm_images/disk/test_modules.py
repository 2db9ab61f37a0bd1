from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.errors import ImageError
from pptarena.vm_images.disk.modules import resolve_modules

MakeModule = Callable[..., Path]


def names(wanted: list[str], folder: Path) -> list[str]:
    return [module.name for module in resolve_modules(wanted, folder)]


def test_each_comes_once_after_those_it_depends_on(modules: Path, make_module: MakeModule) -> None:
    make_module("a.ko.xz", "c,b")
    make_module("b.ko", "d")
    make_module("deep/er/c.ko.xz", "d")
    make_module("d.ko.xz")
    make_module("e.ko.xz")
    assert names(["a", "d", "e"], modules) == ["d", "c", "b", "a", "e"]


def test_dash_and_underscore_are_one(modules: Path, make_module: MakeModule) -> None:
    make_module("virtio-blk.ko.xz", "virtio-ring,crc_t10dif")
    make_module("virtio_ring.ko.xz")
    assert names(["virtio_blk"], modules) == ["virtio_ring", "virtio_blk"]


def test_what_is_built_in_is_there_already(modules: Path) -> None:
    assert names(["zlib", "crc-t10dif"], modules) == []


def test_modules_come_decompressed(modules: Path, make_module: MakeModule) -> None:
    make_module("a.ko.xz")
    make_module("b.ko")
    for module in resolve_modules(["a", "b"], modules):
        assert module.content.startswith(b"\x7fELF")


def test_modules_that_need_each_other_end(modules: Path, make_module: MakeModule) -> None:
    make_module("a.ko", "b")
    make_module("b.ko", "a")
    assert names(["a"], modules) == ["b", "a"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("other", "no module other$"),
        ("lacking", "no module other, which lacking needs"),
        ("text", "not a kernel module"),
        ("broken", "cannot read the kernel's modules"),
    ],
)
def test_what_is_missing_or_damaged_is_named(
    modules: Path, make_module: MakeModule, wanted: str, said: str
) -> None:
    make_module("lacking.ko.xz", "other")
    make_module("text.ko").write_text("text")
    make_module("broken.ko.xz").write_bytes(b"\xfd7zXZ\0broken")
    with pytest.raises(ImageError, match=said):
        resolve_modules([wanted], modules)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"cannot read .*modules\.builtin"):
        resolve_modules(["a"], tmp_path)
