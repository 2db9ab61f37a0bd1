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


@each_case(
    "options",
    [
        {"width_px": 10},
        {"height_px": 100_000},
        {"max_nodes": 0},
        {"settle_cap_sec": 0.0},
        {"step_timeout_sec": -1.0},
        {"tree_time_sec": float("nan")},
        {"memory_limit_bytes": 1},
        {"width_px": "1280"},
        {"max_nodes": True},
    ],
)
@each_case("config", [MachineConfig, FakeConfig, SandboxConfig, QemuConfig, RemoteConfig])
def test_a_wrong_setting_is_named(config: type[MachineConfig], options: dict[str, Any]) -> None:
    require_refused(config, options)


def require_refused(config: type[MachineConfig], options: dict[str, Any]) -> None:
    name = next(iter(options))
    with pytest.raises(ConfigError, match=f"expected {name} to be between"):
        config(**options)


@each_case(
    "config, options",
    [
        (QemuConfig, {"vm_memory_bytes": 2**28}),
        (QemuConfig, {"vm_memory_bytes": 2**38}),
        (QemuConfig, {"vm_cpus": 0}),
        (QemuConfig, {"vm_cpus": 1.0e9}),
        (QemuConfig, {"snapshot_limit_bytes": 0}),
        (SandboxConfig, {"snapshot_limit_bytes": -1}),
    ],
)
def test_a_wrong_setting_of_one_machine_is_named(
    config: type[MachineConfig], options: dict[str, Any]
) -> None:
    require_refused(config, options)


def test_a_switch_is_true_or_false() -> None:
    assert not QemuConfig().realtime
    assert QemuConfig(realtime=True).realtime
    with pytest.raises(ConfigError, match="expected realtime to be True or False, got 1"):
        QemuConfig(realtime=1)  # type: ignore[arg-type]


def test_accelerators() -> None:
    for name in ("auto", "kvm", "tcg"):
        assert QemuConfig(accelerator=name).accelerator == name
    with pytest.raises(ConfigError, match=r"accelerator to be one of auto, kvm, tcg"):
        QemuConfig(accelerator="KVM")


def test_a_snapshot_fits_into_the_default_bound() -> None:
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
def test_counts_are_whole_numbers(config: Any, name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"expected {name} to be a whole number, got {value}"):
        config(**{name: value})
    assert MachineConfig(step_timeout_sec=30).step_timeout_sec == 30


def test_wrong_environment_settings() -> None:
    with pytest.raises(ConfigError, match="expected reward to be one of"):
        EnvConfig(reward="shaped")
    with pytest.raises(ConfigError, match="expected max_steps"):
        EnvConfig(max_steps=0)


def test_settings_are_frozen() -> None:
    config = EnvConfig()
    assert config.machine == MachineConfig()
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.reward = "sparse"  # type: ignore[misc]
