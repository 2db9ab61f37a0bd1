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


def test_remove_takes_images_and_leftovers(make_image: MakeImage, home: Path) -> None:
    current = make_image()
    make_image("0" * 12)
    leftover = home / ".building-x"
    (leftover / "image").mkdir(parents=True)
    with Folder(leftover) as folder:
        folder.mark("build")
    assert remove_images(only_old=True) == [".building-x", "0" * 12]
    assert require_image().folder == current
    assert remove_images() == [current.name]
    assert find_image() is None
    assert remove_images() == []


def test_the_present_disk_stays_with_the_present_image(make_image: MakeImage) -> None:
    current = make_image()
    present = current / f"vm-{load_disk_recipe().hash(load_recipe().hash)}"
    old = current / f"vm-{'0' * 12}"
    for folder in (present, old):
        folder.mkdir()
        (folder / "root.squashfs").touch()
    assert remove_images(only_old=True) == [f"{current.name}/{old.name}"]
    assert (present / "root.squashfs").exists()
    assert not old.exists()
    assert remove_images() == [current.name]
    assert not present.exists()


def test_remove_before_anything_was_built(home: Path) -> None:
    assert remove_images() == []
    assert not home.exists()


def test_remove_leaves_a_running_build_alone(make_image: MakeImage) -> None:
    make_image()
    with lock_images(lambda: None), pytest.raises(ImageError, match="is being built"):
        remove_images()
    assert find_image() is not None
