from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.errors import ImageError
from pptarena.vm_images import find_image, image_folder, require_image
from pptarena.vm_images.image import remove_tree
from pptarena.vm_images.recipe import load_recipe

MakeImage = Callable[..., Path]


def test_without_an_image_the_error_names_the_command(home: Path) -> None:
    assert image_folder() == home
    assert find_image() is None
    with pytest.raises(ImageError, match="pptarena image build"):
        require_image()


def test_an_image_of_another_recipe_is_not_found(make_image: MakeImage) -> None:
    make_image("0" * 12)
    assert find_image() is None


def test_what_the_manifest_says_is_what_the_image_has(make_image: MakeImage) -> None:
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


def no_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def half_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"hash": "')


def list_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("[]")


def bytes_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\xfe")


def no_versions(folder: Path) -> None:
    text = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(text.replace("versions", "wersions"))


def other_hash(folder: Path) -> None:
    text = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(text.replace(folder.name, "0" * 12))


def no_root(folder: Path) -> None:
    remove_tree(folder / "root")


@pytest.mark.parametrize(
    "damage",
    [
        no_manifest,
        half_manifest,
        list_manifest,
        bytes_manifest,
        no_versions,
        other_hash,
        no_root,
    ],
)
def test_a_damaged_image_is_an_error_that_says_what_to_do(
    make_image: MakeImage, damage: Callable[[Path], None]
) -> None:
    folder = make_image()
    damage(folder)
    with pytest.raises(ImageError, match=r"is damaged .*pptarena image build"):
        find_image()


def test_remove_tree_enters_closed_folders_and_follows_no_link(tmp_path: Path) -> None:
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
