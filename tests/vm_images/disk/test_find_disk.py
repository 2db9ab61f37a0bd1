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


@pytest.mark.parametrize("has_image", [False, True])
def test_missing_disk_error_names_the_build_command(has_image: bool, make_image: MakeImage) -> None:
    if has_image:
        make_image()
    assert find_disk() is None
    with pytest.raises(ImageError, match="pptarena image build --vm"):
        require_disk()


@pytest.mark.slow
def test_disk_has_the_values_of_the_manifest(disk: Disk) -> None:
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


@pytest.mark.slow
def test_damaged_disk_is_an_error_with_a_fix(disk: Disk) -> None:
    manifest = disk.folder / "manifest.json"
    original = manifest.read_text()
    damaged = (
        *((manifest, '{"hash": "'), (manifest, "[]"), (manifest, None), (disk.root, None)),
        (manifest, original.replace("digest", "tigest")),
        (manifest, original.replace(disk.hash, "0" * 12)),
        (disk.kernel, "k"),
    )
    for file, content in damaged:
        intact = file.read_bytes()
        if content is None:
            file.unlink()
        else:
            file.write_text(content)
        with pytest.raises(ImageError, match=r"is damaged (?s:.*)pptarena image build --vm"):
            find_disk()
        file.write_bytes(intact)
        assert find_disk() == disk
