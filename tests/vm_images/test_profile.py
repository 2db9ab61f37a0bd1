"""The application starts once with its prepared profile, without graphics tests."""

import subprocess

import pytest

from pptarena.vm_images import require_image
from pptarena.vm_images.office_command import sandbox_command

_SCRIPT = """
cp -r /usr/share/pptarena/home /tmp/home && cd /tmp && echo a,b > table.csv
HOME=/tmp/home /usr/lib/libreoffice/program/soffice.bin --headless --convert-to pdf table.csv >&2
echo $?
"""


@pytest.mark.image
def test_application_needs_no_second_start() -> None:
    command = [*sandbox_command(require_image()), "sh", "-c", _SCRIPT]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    # desktop/source/app/app.cxx, officeloader.hxx: 81 asks for a second start.
    assert result.stdout.strip() == "0", result.stderr


_HEADLESS = """
import pathlib, subprocess
from pptarena.vm_images.guest.headless_office import headless_office as office, named_value

starts, popen = [], subprocess.Popen
subprocess.Popen = lambda *args, **more: starts.append(args) or popen(*args, **more)
with office() as context:
    desktop = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.Desktop", context
    )
    hidden = (named_value("Hidden", True),)
    desktop.loadComponentFromURL("private:factory/simpress", "_blank", 0, hidden).close(True)
logs = list(pathlib.Path("/home/agent").rglob("GraphicsRenderTests.log"))
print(len(starts), logs)
"""


@pytest.mark.image
def test_headless_application_starts_once_without_graphics_tests() -> None:
    command = [*sandbox_command(require_image()), "python3", "-c", _HEADLESS]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout.strip() == "1 []", result.stderr
