"""The guest program on the host, where it can listen but has no desktop."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.each_case import each_case

from pptarena.vm_images.guest.address import parse_address
from pptarena.vm_images.guest.handshake import prove

pytestmark = pytest.mark.slow

TOKEN = "a token of enough characters"
COMMAND = [sys.executable, "-m", "pptarena.vm_images.guest"]


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if "PPTARENA" not in name}
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=environment,
    )


@each_case(
    "arguments",
    [
        *((), ("--fd", "3", "--listen", "unix:/x"), ("--fd", "x"), ("--port", "/a", "--fd", "3")),
        *(("--pipes", "3"), ("--pipes", "3", "4", "--fd", "5")),
    ],
)
def test_exactly_one_transport_is_required(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert "usage:" in result.stderr


def test_errors_are_printed_in_one_line(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    for arguments, message in (
        (("--listen", "somewhere"), "expected an address such as 'unix:/run"),
        (("--listen", f"unix:{tmp_path}/s"), "create one with: python3 -c"),
        (("--listen", f"unix:{tmp_path}/s", "--token-file", "/none"), "No such file"),
        (("--listen", f"unix:{token}", "--token-file", str(token)), "exists and is not a socket"),
    ):
        result = run(*arguments)
        assert result.returncode == 1
        assert result.stderr.startswith("pptarena guest: ")
        assert message in result.stderr
        assert "Traceback" not in result.stderr


def test_sigterm_ends_the_listening_guest_and_removes_its_socket(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    address = parse_address(f"unix:{tmp_path}/s")
    with subprocess.Popen(
        [*COMMAND, "--listen", str(address), "--token-file", str(tmp_path / "token")],
        stderr=subprocess.PIPE,
        text=True,
    ) as guest:
        deadline = time.monotonic() + 20
        while not (tmp_path / "s").exists():
            assert time.monotonic() < deadline, "the guest does not listen"
            time.sleep(0.02)
        with address.connect(5) as host:
            prove(host, TOKEN.encode(), time.monotonic() + 5)
        guest.send_signal(signal.SIGTERM)
        _, errors = guest.communicate(timeout=20)
    assert (guest.returncode, errors) == (0, "")
    assert not (tmp_path / "s").exists()


def test_public_address_gives_a_warning(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with subprocess.Popen(
        [*COMMAND, "--listen", "tcp:0.0.0.0:1", "--token-file", str(tmp_path / "token")],
        stderr=subprocess.PIPE,
        text=True,
    ) as guest:
        assert guest.stderr is not None
        assert "not encrypted" in guest.stderr.readline()
        guest.kill()
