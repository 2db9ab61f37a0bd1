from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.errors import ImageError
from pptarena.vm_images import find_image, image_folder, require_image
from pptarena.vm_images.image import remove_tree
from pptarena.vm_images.recipe import load_recipe

MakeImage = Callable[..., Path]


def test_missing_image_error_names_the_build_command(home: Path) -> None:
    assert image_folder() == home
    assert find_image() is None
    with pytest.raises(ImageError, match="pptarena image build"):
        require_image()


def test_image_of_another_recipe_is_not_found(make_image: MakeImage) -> None:
    make_image("0" * 12)
    assert find_image() is None


def test_image_has_the_values_of_the_manifest(make_image: MakeImage) -> None:
    folder = make_image(versions={"xvfb": "21.1"}, size_bytes=3 * 2**20)
    image = require_image()
    assert image == find_image()
    assert image.root == folder / "root"
    assert image.to_json() == {
        "hash": load_recipe().hash,
        "folder": str(folder),
        "size_mb": 3.0,
        "created": "2026-01-01T00:00:00+00:00",
        "versions": {"xvfb": "21.1"},
    }


def test_damaged_image_is_an_error_with_a_fix(make_image: MakeImage) -> None:
    folder = make_image()
    manifest = folder / "manifest.json"
    original = manifest.read_bytes()
    for content in (
        *(b'{"hash": "', b"[]", b"\xff\xfe", original.replace(b"versions", b"wersions")),
        original.replace(folder.name.encode(), b"0" * 12),
    ):
        manifest.write_bytes(content)
        with pytest.raises(ImageError, match=r"is damaged .*pptarena image build"):
            find_image()
    manifest.unlink()
    with pytest.raises(ImageError, match=r"is damaged .*pptarena image build"):
        find_image()
    manifest.write_bytes(original)
    remove_tree(folder / "root")
    with pytest.raises(ImageError, match=r"is damaged .*pptarena image build"):
        find_image()


def test_remove_tree_removes_closed_folders_and_follows_no_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    tree = tmp_path / "tree"
    (tree / "a" / "b").mkdir(parents=True)
    (tree / "a" / "b" / "file").touch()
    (tree / "a" / "link").symlink_to(outside)
    (tree / "a" / "b").chmod(0o000)
    (tree / "a").chmod(0o500)
    tree.chmod(0o500)
    remove_tree(tree)
    assert not tree.exists()
    assert outside.stat().st_mode & 0o777 == 0o500
