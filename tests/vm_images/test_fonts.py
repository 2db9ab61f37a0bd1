"""What the image knows of its fonts without looking at them."""

import re
import subprocess

import pytest

from pptarena.vm_images import require_image
from pptarena.vm_images.office_command import sandbox_command


@pytest.mark.image
def test_what_is_known_of_the_fonts_counts_so_that_no_program_opens_them_all() -> None:
    # FC_DEBUG: https://www.freedesktop.org/software/fontconfig/fontconfig-user.html
    command = [*sandbox_command(require_image()), "env", "FC_DEBUG=16", "fc-list"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    times = re.findall(r'dir "(/usr/[^"]+)" cache checksum (\S+) dir checksum (\S+)', said)
    assert {folder for folder, _cached, _now in times} >= {
        "/usr/share/fonts",
        "/usr/share/fonts/truetype/liberation",
    }
    assert [each for each in times if each[1] != each[2]] == []
