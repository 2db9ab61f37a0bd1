import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.vm_images.disk import recipe
from pptarena.vm_images.disk.recipe import DiskRecipe, load_disk_recipe

RECIPE = DiskRecipe(("linux", "busybox"), ("squashfs",), "true\n")
INIT = Path(recipe.__file__).parent / "recipe" / "init.sh"


@pytest.mark.parametrize(
    "changed",
    [
        replace(RECIPE, packages=("linux",)),
        replace(RECIPE, modules=()),
        replace(RECIPE, modules=("squashfs", "virtio_blk")),
        replace(RECIPE, packages=("linux", "busybox", "squashfs"), modules=()),
        replace(RECIPE, init="true \n"),
    ],
    ids=["package less", "module less", "module more", "moved", "script"],
)
def test_every_ingredient_changes_the_hash(changed: DiskRecipe) -> None:
    assert changed.hash("image") != RECIPE.hash("image")


def test_the_image_is_an_ingredient() -> None:
    assert RECIPE.hash("image") != RECIPE.hash("other")
    assert RECIPE.hash("image") == replace(RECIPE).hash("image")
    assert re.fullmatch("[0-9a-f]{12}", RECIPE.hash("image"))


def test_the_recipe_reads_as_it_is_written() -> None:
    loaded = load_disk_recipe()
    assert "linux-image-cloud-amd64" in loaded.packages
    assert set(loaded.modules) >= {"virtio_blk", "squashfs"}
    assert loaded.init == INIT.read_text("utf-8")


def test_the_boot_script_parses_and_starts_the_shell_of_busybox() -> None:
    assert load_disk_recipe().init.startswith("#!/bin/sh\n")
    done = subprocess.run(["sh", "-n", str(INIT)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
