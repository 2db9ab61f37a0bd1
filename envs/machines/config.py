"""The settings that every machine has; those of one kind alone lie in its own folder."""

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
MAX_NODES = 10_000  # more do not fit into one reply
_TIME_SEC = (0.001, 3600.0)


def within(default: float | None, low: float, high: float) -> Any:
    """Return a field for a number from `low` to `high`; it may be None if that is the default."""
    return field(default=default, metadata={"within": (low, high)})


def one_of(*values: str) -> Any:
    """Return a field for one of these values, by default the first."""
    return field(default=values[0], metadata={"one_of": values})


def check_fields(config: Any) -> None:
    """Refuse values of a dataclass that its fields do not allow.

    Raises:
        ConfigError: If there is one.
    """
    for each in dataclasses.fields(config):
        name, value = each.name, getattr(config, each.name)
        if "within" in each.metadata and not (value is None is each.default):
            low, high = each.metadata["within"]
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not low <= value <= high:
                raise ConfigError(f"expected {name} to be between {low} and {high}, got {value!r}")
        if value not in (allowed := each.metadata.get("one_of", (value,))):
            raise ConfigError(f"expected {name} to be one of {allowed}, got {value!r}")
        if isinstance(each.default, bool) and not isinstance(value, bool):
            raise ConfigError(f"expected {name} to be True or False, got {value!r}")


@dataclass(frozen=True, slots=True)
class MachineConfig:
    """The settings that every machine has.

    The fake takes them all, so that what is developed on it runs on the others; there nothing moves
    by itself, and those about time and memory have no effect.

    Attributes:
        width_px: Width of the screen in pixels.
        height_px: Height of the screen in pixels.
        max_nodes: Most nodes the accessibility tree may have; more are cut, with `degraded` set.
        tree_time_sec: Longest time to spend on reading the tree.
        settle_cap_sec: How much of the desktop's time a step takes, besides what it waits for.
            Between two steps that time stands still. On Windows it cannot be stopped: there this
            is the longest wait for the screen to become quiet after an action.
        step_timeout_sec: Deadline of one round trip to the machine.
        start_timeout_sec: Deadline of bringing the machine up and opening the deck.
        memory_limit_bytes: Most memory the machine may take.
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
        """Refuse sizes and times that no machine can serve."""
        check_fields(self)

    @classmethod
    def of(cls, config: "MachineConfig | None") -> Self:
        """Return settings as those of this kind of machine: None or plain ones, or such already.

        Raises:
            ConfigError: If they are those of another kind.
        """
        if isinstance(config, cls):
            return config
        if config is None or type(config) in cls.__mro__:
            return cls(**({} if config is None else dataclasses.asdict(config)))
        raise ConfigError(f"expected a {cls.__name__}, got a {type(config).__name__}")

    def with_viewer(self) -> Self:
        """Return settings with which a viewer can look on; these, where none can."""
        return self


def field_names(config_class: type[MachineConfig]) -> tuple[str, ...]:
    """Return the names of the settings of a kind of machine."""
    return tuple(each.name for each in dataclasses.fields(config_class))
