from collections.abc import Callable
from pathlib import Path

import pytest
from tests.vm_images.programs import Programs

from pptarena.errors import ImageError
from pptarena.vm_images import Disk, find_disk, require_disk, require_image
from pptarena.vm_images.disk import build_disk

MakeImage = Callable[..., Path]


@pytest.fixture
def disk(fakes: Programs) -> Disk:
    return build_disk(lambda stage: None)


def test_without_an_image_the_error_names_the_command(home: Path) -> None:
    assert find_disk() is None
    with pytest.raises(ImageError, match="pptarena image build --vm"):
        require_disk()


def test_without_a_disk_the_error_names_the_command(make_image: MakeImage) -> None:
    make_image()
    assert find_disk() is None
    with pytest.raises(ImageError, match="pptarena image build --vm"):
        require_disk()


def test_what_the_manifest_says_is_what_the_disk_has(disk: Disk) -> None:
    assert disk == find_disk() == require_disk()
    assert disk.folder == require_image().folder / f"vm-{disk.hash}"
    sizes = [file.stat().st_size for file in (disk.root, disk.kernel, disk.initrd)]
    assert disk.size_bytes == sum(sizes)
    assert disk.to_json() == {
        "hash": disk.hash,
        "digest": disk.digest,
        "folder": str(disk.folder),
        "size_mb": round(disk.size_bytes / 2**20, 1),
        "kernel_version": disk.kernel_version,
        "created": disk.created,
    }


def no_manifest(disk: Disk) -> None:
    (disk.folder / "manifest.json").unlink()


def half_manifest(disk: Disk) -> None:
    (disk.folder / "manifest.json").write_text('{"hash": "')


def list_manifest(disk: Disk) -> None:
    (disk.folder / "manifest.json").write_text("[]")


def no_digest(disk: Disk) -> None:
    text = (disk.folder / "manifest.json").read_text()
    (disk.folder / "manifest.json").write_text(text.replace("digest", "tigest"))


def other_hash(disk: Disk) -> None:
    text = (disk.folder / "manifest.json").read_text()
    (disk.folder / "manifest.json").write_text(text.replace(disk.hash, "0" * 12))


def no_root(disk: Disk) -> None:
    disk.root.unlink()


def half_a_kernel(disk: Disk) -> None:
    disk.kernel.write_bytes(b"k")


@pytest.mark.parametrize(
    "damage",
    [no_manifest, half_manifest, list_manifest, no_digest, other_hash, no_root, half_a_kernel],
)
def test_a_damaged_disk_is_an_error_that_says_what_to_do(
    disk: Disk, damage: Callable[[Disk], None]
) -> None:
    damage(disk)
    with pytest.raises(ImageError, match=r"is damaged (?s:.*)pptarena image build --vm"):
        find_disk()
