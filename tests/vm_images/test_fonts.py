"""The font caches of the image."""

import re
import subprocess

import pytest

from pptarena.vm_images import require_image
from pptarena.vm_images.office_command import sandbox_command


@pytest.mark.image
def test_font_caches_are_valid() -> None:
    # FC_DEBUG: https://www.freedesktop.org/software/fontconfig/fontconfig-user.html
    command = [*sandbox_command(require_image()), "env", "FC_DEBUG=16", "fc-list"]
    output = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    checksums = re.findall(r'dir "(/usr/[^"]+)" cache checksum (\S+) dir checksum (\S+)', output)
    assert {folder for folder, _cached, _now in checksums} >= {
        "/usr/share/fonts",
        "/usr/share/fonts/truetype/liberation",
    }
    assert [each for each in checksums if each[1] != each[2]] == []
