from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.errors import ImageError
from pptarena.files import Folder
from pptarena.vm_images import find_image, remove_images, require_image
from pptarena.vm_images.disk.recipe import load_disk_recipe
from pptarena.vm_images.image import lock_images
from pptarena.vm_images.recipe import load_recipe

MakeImage = Callable[..., Path]


def test_remove_deletes_images_and_leftovers(make_image: MakeImage, home: Path) -> None:
    image = make_image()
    make_image("0" * 12)
    leftover = home / ".building-x"
    (leftover / "image").mkdir(parents=True)
    with Folder(leftover) as folder:
        folder.mark("build")
    assert remove_images(only_old=True) == [".building-x", "0" * 12]
    assert require_image().folder == image
    assert remove_images() == [image.name]
    assert find_image() is None
    assert remove_images() == []


def test_current_disk_is_kept_with_the_current_image(make_image: MakeImage) -> None:
    image = make_image()
    current_disk = image / f"vm-{load_disk_recipe().hash(load_recipe().hash)}"
    old_disk = image / f"vm-{'0' * 12}"
    for folder in (current_disk, old_disk):
        folder.mkdir()
        (folder / "root.squashfs").touch()
    assert remove_images(only_old=True) == [f"{image.name}/{old_disk.name}"]
    assert (current_disk / "root.squashfs").exists()
    assert not old_disk.exists()
    assert remove_images() == [image.name]
    assert not current_disk.exists()


def test_remove_without_images_does_nothing(home: Path) -> None:
    assert remove_images() == []
    assert not home.exists()


def test_remove_refuses_during_a_build(make_image: MakeImage) -> None:
    make_image()
    with lock_images(lambda: None), pytest.raises(ImageError, match="is being built"):
        remove_images()
    assert find_image() is not None
