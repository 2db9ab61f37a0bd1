import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.vm_images.image import write_manifest
from pptarena.vm_images.recipe import load_recipe

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
MakeImage = Callable[[str], Path]


@pytest.fixture
def cli_environ(tmp_path: Path) -> dict[str, str]:
    """A PPTARENA_HOME of each test's own, and no programs to build an image with."""
    return {**os.environ, "PPTARENA_HOME": str(tmp_path / "[red]home"), "PATH": str(tmp_path)}


@pytest.fixture
def make_image(cli_environ: dict[str, str]) -> MakeImage:
    """Make a folder that looks like a built image."""

    def make(name: str) -> Path:
        folder = Path(cli_environ["PPTARENA_HOME"], "images", name)
        (folder / "root" / "usr").mkdir(parents=True)
        facts = {"hash": name, "size_bytes": 5 * 2**20, "created": "2026-01-01T00:00:00+00:00"}
        write_manifest(folder, {**facts, "versions": {"xvfb": "21.1", "dbus": "1.16"}})
        return folder

    return make


def test_info_as_json(cli: Cli, make_image: MakeImage) -> None:
    name = load_recipe().hash
    folder = make_image(name)
    assert json.loads(cli("image", "info", "--json").stdout) == {
        "hash": name,
        "folder": str(folder),
        "size_mb": 5.0,
        "created": "2026-01-01T00:00:00+00:00",
        "versions": {"dbus": "1.16", "xvfb": "21.1"},
    }


def test_info_as_a_table(cli: Cli, make_image: MakeImage) -> None:
    folder = make_image(load_recipe().hash)
    text = cli("image", "info").stdout
    for word in (load_recipe().hash, "5 MB", "xvfb", "21.1", str(folder)):
        assert word in text


def test_info_without_an_image(cli: Cli) -> None:
    done = cli("image", "info", "--json", code=1)
    assert done.stdout == ""
    assert "pptarena image build" in done.stderr


def test_info_of_a_damaged_image(cli: Cli, make_image: MakeImage) -> None:
    (make_image(load_recipe().hash) / "manifest.json").write_text("{")
    done = cli("image", "info", code=1)
    assert "damaged" in done.stderr
    assert "Traceback" not in done.stderr


def test_rm_keeps_the_present_image_if_told_so(cli: Cli, make_image: MakeImage) -> None:
    present, old = make_image(load_recipe().hash), make_image("0" * 12)
    leftover = make_image(".building-x")
    said = cli("image", "rm", "--old").stderr
    assert said.splitlines() == [f"removed {leftover}", f"removed {old}"]
    assert present.exists()
    assert not old.exists()
    assert not leftover.exists()

    assert cli("image", "rm").stderr == f"removed {present}\n"
    assert not present.exists()
    assert "nothing to remove" in cli("image", "rm").stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names Linux packages")
def test_build_without_its_programs_names_the_command(cli: Cli, tmp_path: Path) -> None:
    done = cli("image", "build", code=1)
    assert "sudo apt-get install mmdebstrap tar" in done.stderr
    assert not (tmp_path / "[red]home").exists()


def test_unknown_options_are_wrong_use(cli: Cli) -> None:
    cli("image", "rm", "--everything", code=2)
