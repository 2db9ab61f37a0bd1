import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.cli import host_checks
from pptarena.cli.host_checks import Check, Finding, Status, check_host

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def checks() -> dict[str, Check]:
    return dict(check_host())


@pytest.mark.slow
def test_doctor_explains_how_to_get_an_image(cli: Cli) -> None:
    done = cli("doctor", "--no-start", "--json", code=1)
    findings = {item["name"]: item for item in json.loads(done.stdout)["findings"]}
    assert findings["image"]["status"] == "failed"
    assert findings["image"]["fix"] == "pptarena image build"
    assert findings["python"]["status"] == "ok"


@pytest.mark.slow
def test_every_failure_has_a_fix(cli: Cli) -> None:
    text = cli("doctor", "--no-start", code=1).stdout
    assert "fix: pptarena image build" in text


def test_missing_program_is_detected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    assert checks()["bubblewrap"]() == Finding(
        "bubblewrap",
        Status.FAILED,
        "bwrap is not installed",
        "sudo apt-get install bubblewrap",
    )
    assert "mmdebstrap" in checks()["build tools"]().fix
    assert checks()["user namespaces"]().status is Status.FAILED


def test_failing_bwrap_is_detected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'no permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    finding = checks()["user namespaces"]()
    assert finding.status is Status.FAILED
    assert "no permissions" in finding.detail
    assert finding.fix


def test_low_disk_space_is_detected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(host_checks, "IMAGE_BYTES", 2**60)
    finding = checks()["disk space"]()
    assert finding.status is Status.FAILED
    assert "PPTARENA_HOME" in finding.fix


def test_machine_is_started_last_and_only_on_request() -> None:
    assert list(checks())[-1] == "sandbox"
    assert "sandbox" not in dict(check_host(start=False))


@pytest.mark.image
def test_ready_computer_has_no_failures() -> None:
    failed = [finding for _, check in check_host() if (finding := check()).status == "failed"]
    assert failed == []
