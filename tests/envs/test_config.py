import dataclasses

import pytest

from pptarena.envs.config import EnvConfig, MachineConfig
from pptarena.errors import ConfigError


@pytest.mark.parametrize(
    "options",
    [
        {"width_px": 10},
        {"height_px": 100_000},
        {"max_nodes": 0},
        {"settle_cap_sec": 0.0},
        {"step_timeout_sec": -1.0},
        {"tree_time_sec": float("nan")},
        {"clock_rate": 0.5},
        {"memory_limit_bytes": 1},
        {"vm_memory_bytes": 2**28},
        {"vm_memory_bytes": 2**38},
        {"vm_cpus": 0},
        {"vm_cpus": 1.0e9},
        {"snapshot_limit_bytes": 0},
        {"width_px": "1280"},
        {"max_nodes": True},
    ],
)
def test_a_wrong_machine_setting_is_named(options: dict[str, float]) -> None:
    name = next(iter(options))
    with pytest.raises(ConfigError, match=f"expected {name} to be between"):
        MachineConfig(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["realtime", "watch"])
def test_a_switch_is_true_or_false(name: str) -> None:
    assert getattr(MachineConfig(), name) is False
    assert getattr(MachineConfig(**{name: True}), name) is True  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=f"expected {name} to be True or False, got 1"):
        MachineConfig(**{name: 1})  # type: ignore[arg-type]


def test_accelerators() -> None:
    for name in ("auto", "kvm", "tcg"):
        assert MachineConfig(accelerator=name).accelerator == name
    with pytest.raises(ConfigError, match=r"accelerator to be one of \('auto', 'kvm', 'tcg'\)"):
        MachineConfig(accelerator="KVM")


def test_a_snapshot_fits_into_the_default_bound() -> None:
    config = MachineConfig()
    assert config.snapshot_limit_bytes >= 4 * config.vm_memory_bytes


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
