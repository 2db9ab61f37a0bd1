import logging
import sys

import pytest

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines import make_machine
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError


def test_fake_by_name() -> None:
    assert isinstance(make_machine("fake", MachineConfig()), FakeMachine)


@pytest.mark.parametrize("kind", ["qemu", "remote"])
def test_machines_of_a_later_version_name_what_to_use(kind: str) -> None:
    with pytest.raises(ConfigError, match=f"'{kind}' is not in this version yet; use 'sandbox'"):
        make_machine(kind, MachineConfig())


def test_an_unknown_machine() -> None:
    with pytest.raises(ConfigError, match="one of auto, qemu, sandbox, remote, fake, got 'docker'"):
        make_machine("docker", MachineConfig())


def test_auto_says_what_it_took(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Stand(FakeMachine):
        pass

    module = type(sys)("sandbox")
    module.SandboxMachine = Stand  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pptarena.envs.machines.sandbox", module)
    with caplog.at_level(logging.INFO, logger="pptarena"):
        assert isinstance(make_machine("auto", MachineConfig()), Stand)
    assert "machine 'auto' is 'sandbox'" in caplog.text
