"""The application's profile in the image is one that it need not put in order before it starts."""

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
def test_the_application_starts_at_once() -> None:
    command = [*sandbox_command(require_image()), "sh", "-c", _SCRIPT]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    # desktop/source/app/app.cxx, officeloader.hxx: 81 asks for a second start.
    assert said.stdout.strip() == "0", said.stderr
