"""The settings of all machines; those of one type are in its own package."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Self

from pptarena.errors import ConfigError

__all__ = [
    "MAX_HEIGHT_PX",
    "MAX_NODES",
    "MAX_WIDTH_PX",
    "MachineConfig",
    "check_fields",
    "field_names",
    "one_of",
    "within",
]

MAX_WIDTH_PX, MAX_HEIGHT_PX = 7680, 4320
MAX_NODES = 10_000  # the limit of one reply
_TIME_SEC = (0.001, 3600.0)


def within(default: float | None, low: float, high: float) -> Any:
    """Return a field for a number from `low` to `high`; None is allowed if it is the default."""
    return field(default=default, metadata={"within": (low, high)})


def one_of(*values: str) -> Any:
    """Return a field for one of these values; the first is the default."""
    return field(default=values[0], metadata={"one_of": values})


def check_fields(config: Any) -> None:
    """Check the values of a dataclass against the limits of its fields.

    Raises:
        ConfigError: If a value is not allowed.
    """
    for item in dataclasses.fields(config):
        name, value = item.name, getattr(config, item.name)
        if "within" in item.metadata and not (value is None is item.default):
            low, high = item.metadata["within"]
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not low <= value <= high:
                raise ConfigError(f"expected {name} to be between {low} and {high}, got {value!r}")
            if isinstance(value, float) and item.type in (int, int | None):
                raise ConfigError(f"expected {name} to be a whole number, got {value!r}")
        if value not in (allowed := item.metadata.get("one_of", (value,))):
            raise ConfigError(f"expected {name} to be one of {', '.join(allowed)}, got {value!r}")
        if isinstance(item.default, bool) and not isinstance(value, bool):
            raise ConfigError(f"expected {name} to be True or False, got {value!r}")


@dataclass(frozen=True, slots=True)
class MachineConfig:
    """The settings of all machines.

    The fake machine accepts all of them, so that code developed on it runs on the others. Those
    about time and memory have no effect there.

    Attributes:
        width_px: Width of the screen in pixels.
        height_px: Height of the screen in pixels.
        max_nodes: Most nodes of the accessibility tree; a larger tree is cut and marked as
            degraded.
        tree_time_sec: Most seconds to spend on reading the tree.
        settle_cap_sec: Virtual seconds a step may take, not counting explicit waits. Virtual time
            stands still between steps. Windows has no virtual time: there this is the longest wait
            in wall-clock seconds for the screen to become idle after an action.
        step_timeout_sec: Deadline in seconds of one round trip to the machine.
        start_timeout_sec: Deadline in seconds of starting the machine and opening the deck.
        memory_limit_bytes: Most memory the machine may use.
    """

    width_px: int = within(1280, 320, MAX_WIDTH_PX)
    height_px: int = within(720, 240, MAX_HEIGHT_PX)
    max_nodes: int = within(2000, 1, MAX_NODES)
    tree_time_sec: float = within(2.0, *_TIME_SEC)
    settle_cap_sec: float = within(2.0, *_TIME_SEC)
    step_timeout_sec: float = within(60.0, *_TIME_SEC)
    start_timeout_sec: float = within(120.0, *_TIME_SEC)
    memory_limit_bytes: int = within(3 * 2**30, 2**28, 2**40)

    def __post_init__(self) -> None:
        """Check that the settings are within limits."""
        check_fields(self)

    @classmethod
    def of(cls, config: "MachineConfig | None") -> Self:
        """Return settings as those of this machine type.

        Args:
            config: None, a plain `MachineConfig`, or settings of this class.

        Raises:
            ConfigError: If they belong to another type.
        """
        if isinstance(config, cls):
            return config
        if config is None or type(config) in cls.__mro__:
            return cls(**({} if config is None else dataclasses.asdict(config)))
        raise ConfigError(f"expected a {cls.__name__}, got a {type(config).__name__}")


def field_names(config_class: type[MachineConfig]) -> tuple[str, ...]:
    """Return the names of the settings of a machine type."""
    return tuple(item.name for item in dataclasses.fields(config_class))
