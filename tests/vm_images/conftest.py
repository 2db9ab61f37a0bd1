"""Stand-ins for the programs that an image build runs: small scripts in real processes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.vm_images.programs import Programs

from pptarena.vm_images import build
from pptarena.vm_images.image import write_manifest
from pptarena.vm_images.native_libraries import NATIVE_LIBRARIES
from pptarena.vm_images.recipe import load_recipe

MakeImage = Callable[..., Path]

GOOD = 'echo "I: unpacking packages" >&2\nexec tar -C "$FAKES/tree" -c .'
PIP = """
import os, pathlib, sys, zipfile
if os.environ.get("FAKE_PIP_ERROR"):
    sys.exit(os.environ["FAKE_PIP_ERROR"])
folder = pathlib.Path(sys.argv[sys.argv.index("--wheel-dir") + 1])
for pin in (word for word in sys.argv if "==" in word):
    name, version = pin.split("==")
    with zipfile.ZipFile(folder / f"{name}-{version}-{os.environ['FAKE_TAG']}.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "")
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The image folder in a temporary PPTARENA_HOME."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "images"


@pytest.fixture
def make_image(home: Path) -> MakeImage:
    """Make a folder that looks like a built image, by default of the current recipe."""

    def make(name: str = "", **manifest: object) -> Path:
        name = name or load_recipe().hash
        folder = home / name
        (folder / "root" / "usr").mkdir(parents=True)
        facts = {"hash": name, "size_bytes": 2**20, "created": "2026-01-01T00:00:00+00:00"}
        write_manifest(folder, {**facts, "versions": {"libreoffice-impress": "25.2"}, **manifest})
        return folder

    return make


class Fakes(Programs):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.write("mmdebstrap", GOOD)
        self.write("newuidmap", "exit 0")
        status = folder / "tree" / "var" / "lib" / "dpkg" / "status"
        status.parent.mkdir(parents=True)
        packages = load_recipe().packages
        status.write_text("".join(f"Package: {name}\nVersion: 1.0\n\n" for name in packages))
        native = folder / "tree" / "usr" / "lib" / "pptarena"
        native.mkdir(parents=True)
        for name in NATIVE_LIBRARIES:
            (native / name).touch()
        (folder / "python" / "pip").mkdir(parents=True)
        (folder / "python" / "pip" / "__init__.py").touch()
        (folder / "python" / "pip" / "__main__.py").write_text(PIP)


@pytest.fixture
def fakes(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Replace mmdebstrap, newuidmap and pip by stand-ins that succeed."""
    stand_ins = Fakes(tmp_path / "fakes")
    monkeypatch.setenv("FAKES", str(stand_ins.folder))
    monkeypatch.setenv("FAKE_TAG", "py3-none-any")
    monkeypatch.setenv("PATH", f"{stand_ins.bin}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", f"{stand_ins.folder / 'python'}")
    monkeypatch.setattr(build, "IMAGE_BYTES", 0)
    monkeypatch.setattr(build, "SCRATCH_BYTES", 0)
    return stand_ins


@pytest.fixture
def bwrap(
    tmp_path: Path, make_image: MakeImage, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Path]:
    """Replace bubblewrap by a script, and create an empty image.

    The fixture takes the script's body and returns the file that gets a line for each run.
    """
    make_image()
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def write(body: str) -> Path:
        runs = tmp_path / "runs"
        program = folder / "bwrap"
        program.write_text(f'#!/bin/sh\necho "$@" >> {runs}\n{body}\n')
        program.chmod(0o755)
        return runs

    return write
