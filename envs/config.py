"""Every setting of an environment and of its machine, with unit and meaning."""

from dataclasses import dataclass, field

from pptarena.errors import ConfigError

__all__ = ["EnvConfig", "MachineConfig"]

REWARDS = ("dense", "sparse")


@dataclass(frozen=True, slots=True)
class MachineConfig:
    """How a machine is built and how long it may take.

    Attributes:
        width_px: Width of the screen in pixels.
        height_px: Height of the screen in pixels.
        max_nodes: Most nodes the accessibility tree may have; more are cut, with `degraded` set.
        tree_time_sec: Longest time to spend on reading the tree.
        quiet_sec: Pause in drawing after which the screen counts as quiet.
        settle_cap_sec: Longest wait for the screen to become quiet after an action.
        step_timeout_sec: Deadline of one round trip to the machine.
        start_timeout_sec: Deadline of bringing the machine up and opening the deck.
        spare: Whether to prepare the next machine in the background, so that reset need not wait.
        clock_rate: How many times faster than the wall clock the application's clock runs.
        memory_limit_bytes: Most memory the machine may take.
    """

    width_px: int = 1280
    height_px: int = 720
    max_nodes: int = 2000
    tree_time_sec: float = 2.0
    quiet_sec: float = 0.025
    settle_cap_sec: float = 2.0
    step_timeout_sec: float = 60.0
    start_timeout_sec: float = 120.0
    spare: bool = True
    clock_rate: float = 30.0
    memory_limit_bytes: int = 3 * 2**30

    def __post_init__(self) -> None:
        """Refuse sizes and times that no machine can serve."""
        _require_range("width_px", self.width_px, 320, 7680)
        _require_range("height_px", self.height_px, 240, 4320)
        _require_range("max_nodes", self.max_nodes, 1, 100_000)
        for name in (
            "tree_time_sec",
            "quiet_sec",
            "settle_cap_sec",
            "step_timeout_sec",
            "start_timeout_sec",
        ):
            _require_range(name, getattr(self, name), 0.001, 3600.0)
        _require_range("clock_rate", self.clock_rate, 1.0, 100.0)
        _require_range("memory_limit_bytes", self.memory_limit_bytes, 2**28, 2**40)


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """How the environment behaves, whatever the machine.

    Attributes:
        reward: ``"dense"`` pays every change of the score, ``"sparse"`` the final score once.
        max_steps: Step budget of every episode; None takes each task's own.
        start_attempts: How often `reset` tries to bring a machine up before it gives up.
        machine: Settings of the machine.
    """

    reward: str = "dense"
    max_steps: int | None = None
    start_attempts: int = 3
    machine: MachineConfig = field(default_factory=MachineConfig)

    def __post_init__(self) -> None:
        """Refuse an unknown reward and budgets below one."""
        if self.reward not in REWARDS:
            raise ConfigError(f"expected reward to be one of {REWARDS}, got {self.reward!r}")
        if self.max_steps is not None:
            _require_range("max_steps", self.max_steps, 1, 1_000_000)
        _require_range("start_attempts", self.start_attempts, 1, 100)


def _require_range(name: str, value: float, low: float, high: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high:
        raise ConfigError(f"expected {name} to be between {low} and {high}, got {value!r}")
