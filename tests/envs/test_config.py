import dataclasses
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.envs.config import EnvConfig, MachineConfig
from pptarena.envs.machines.fake import FakeConfig
from pptarena.envs.machines.qemu import QemuConfig
from pptarena.envs.machines.remote import RemoteConfig
from pptarena.envs.machines.sandbox import SandboxConfig
from pptarena.errors import ConfigError

COMMON_SETTINGS = (
    ("width_px", 10),
    ("height_px", 100_000),
    ("max_nodes", 0),
    ("settle_cap_sec", 0.0),
    ("step_timeout_sec", -1.0),
    ("tree_time_sec", float("nan")),
    ("memory_limit_bytes", 1),
    ("width_px", "1280"),
    ("max_nodes", True),
)


@each_case(
    "config, name, value",
    [
        *(
            (config, *setting)
            for config in (MachineConfig, FakeConfig, SandboxConfig, QemuConfig, RemoteConfig)
            for setting in COMMON_SETTINGS
        ),
        (QemuConfig, "vm_memory_bytes", 2**28),
        (QemuConfig, "vm_memory_bytes", 2**38),
        (QemuConfig, "vm_cpus", 0),
        (QemuConfig, "vm_cpus", 1.0e9),
        (QemuConfig, "snapshot_limit_bytes", 0),
        (SandboxConfig, "snapshot_limit_bytes", -1),
    ],
)
def test_setting_out_of_range_is_named(config: Any, name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"expected {name} to be between"):
        config(**{name: value})


def test_switch_must_be_boolean() -> None:
    assert not QemuConfig().realtime
    assert QemuConfig(realtime=True).realtime
    with pytest.raises(ConfigError, match="expected realtime to be True or False, got 1"):
        QemuConfig(realtime=1)  # type: ignore[arg-type]


def test_accelerator_must_be_known() -> None:
    for name in ("auto", "kvm", "tcg"):
        assert QemuConfig(accelerator=name).accelerator == name
    with pytest.raises(ConfigError, match=r"accelerator to be one of auto, kvm, tcg"):
        QemuConfig(accelerator="KVM")


def test_default_snapshot_limit_holds_several_snapshots() -> None:
    config = QemuConfig()
    assert config.snapshot_limit_bytes >= 4 * config.vm_memory_bytes


@each_case(
    "config, name, value",
    [
        (EnvConfig, "max_steps", 10.0),
        (EnvConfig, "start_attempts", 1.5),
        (MachineConfig, "width_px", 1280.0),
        (MachineConfig, "max_nodes", 10.5),
        (QemuConfig, "vm_cpus", 1.5),
        (SandboxConfig, "snapshot_limit_bytes", 2.0**31),
    ],
)
def test_counts_must_be_integers(config: Any, name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"expected {name} to be a whole number, got {value}"):
        config(**{name: value})
    assert MachineConfig(step_timeout_sec=30).step_timeout_sec == 30


def test_settings_are_frozen() -> None:
    config = EnvConfig()
    assert config.machine == MachineConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.reward = "sparse"  # type: ignore[misc]
