import re
from dataclasses import replace

from tests.each_case import each_case

from pptarena.vm_images.recipe import Recipe, load_recipe

RECIPE = Recipe("trixie", ("xvfb", "dbus"), ("mss==1",), ("/usr/share/doc/*",), "<a/>", "true\n")


@each_case(
    "variant",
    [
        replace(RECIPE, suite="forky"),
        replace(RECIPE, packages=("xvfb",)),
        replace(RECIPE, packages=("xvfb", "dbus", "openbox")),
        replace(RECIPE, python_packages=("mss==2",)),
        replace(RECIPE, excluded=()),
        replace(RECIPE, locked="<b/>"),
        replace(RECIPE, customize="true \n"),
        replace(RECIPE, compilers=("gcc",)),
        replace(RECIPE, native=(("clock.c", "int a;\n"),)),
        replace(RECIPE, native=(("clock.h", "int a;\n"),)),
    ],
    ids=[
        *("suite", "package removed", "package added", "version", "exclusion", "locked", "script"),
        *("compiler", "source", "name of a source"),
    ],
)
def test_every_ingredient_changes_the_hash(variant: Recipe) -> None:
    assert variant.hash != RECIPE.hash


def test_equal_recipes_have_equal_hashes() -> None:
    assert replace(RECIPE).hash == RECIPE.hash
    assert load_recipe().hash == load_recipe().hash
    assert re.fullmatch("[0-9a-f]{12}", RECIPE.hash)


def test_loaded_recipe_is_plausible() -> None:
    recipe = load_recipe()
    assert "libreoffice-impress" in recipe.packages
    assert all(re.fullmatch(r"[a-z0-9.+-]+", name) for name in recipe.packages)
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", pin) for pin in recipe.python_packages)
    assert all(pattern.startswith("/usr/") for pattern in recipe.excluded)
    assert recipe.customize.startswith("#!/bin/sh\n")
    assert {"build.sh", "clock.c", "observer.c"} <= {name for name, _ in recipe.native}
    assert "gcc" in recipe.compilers
    assert not set(recipe.compilers) & set(recipe.packages)
