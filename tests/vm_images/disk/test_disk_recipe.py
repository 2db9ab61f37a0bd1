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
    "variant",
    [
        replace(RECIPE, packages=("linux",)),
        replace(RECIPE, modules=()),
        replace(RECIPE, modules=("squashfs", "virtio_blk")),
        replace(RECIPE, packages=("linux", "busybox", "squashfs"), modules=()),
        replace(RECIPE, init="true \n"),
    ],
    ids=["package removed", "module removed", "module added", "moved", "script"],
)
def test_every_ingredient_changes_the_hash(variant: DiskRecipe) -> None:
    assert variant.hash("image") != RECIPE.hash("image")


def test_hash_depends_on_the_image_and_is_reproducible() -> None:
    assert RECIPE.hash("image") != RECIPE.hash("other")
    assert RECIPE.hash("image") == replace(RECIPE).hash("image")
    assert re.fullmatch("[0-9a-f]{12}", RECIPE.hash("image"))


def test_loaded_recipe_is_plausible() -> None:
    loaded = load_disk_recipe()
    assert "linux-image-cloud-amd64" in loaded.packages
    assert set(loaded.modules) >= {"virtio_blk", "squashfs"}
    assert loaded.init == INIT.read_text("utf-8")
    assert loaded.init.startswith("#!/bin/sh\n")
    result = subprocess.run(["sh", "-n", str(INIT)], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
