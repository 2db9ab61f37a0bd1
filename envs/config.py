"""Every setting of an environment and of its machine, with unit and meaning."""

from dataclasses import dataclass, field

from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig

__all__ = ["MAX_HEIGHT_PX", "MAX_NODES", "MAX_WIDTH_PX", "EnvConfig", "MachineConfig"]

REWARDS = ("dense", "sparse")
ACCELERATORS = ("auto", "kvm", "tcg")
JUDGE_WHEN = ("end", "change")
LOOK = ("end", "never")
MAX_WIDTH_PX, MAX_HEIGHT_PX = 7680, 4320
MAX_NODES = 10_000  # more do not fit into one reply


@dataclass(frozen=True, slots=True)
class MachineConfig:
    """How a machine is built and how long it may take.

    Attributes:
        width_px: Width of the screen in pixels.
        height_px: Height of the screen in pixels.
        max_nodes: Most nodes the accessibility tree may have; more are cut, with `degraded` set.
        tree_time_sec: Longest time to spend on reading the tree.
        quiet_sec: Pause in drawing after which the screen counts as quiet, where rest is guessed:
            on a virtual or remote machine.
        settle_cap_sec: How much of the desktop's time a step takes in a sandbox, where time stands
            still otherwise; elsewhere the longest wait for the screen to become quiet.
        step_timeout_sec: Deadline of one round trip to the machine.
        start_timeout_sec: Deadline of bringing the machine up and opening the deck.
        spare: Whether to prepare the next machine in the background, so that reset need not wait.
        reuse: How many further episodes a running sandbox may serve. After the next deck is opened
            in it, every pixel, the whole tree, processes, files and settings must be as on a fresh
            one, and no dialog may have been open before, else a fresh one is taken. It saves most
            of the cost of short episodes; what is in memory alone (the last word searched for) may
            last, so leave it at 0 where scores are compared.
        clock_rate: How many times faster than the wall clock the application's clock runs, where
            it runs: not in a sandbox.
        memory_limit_bytes: Most memory the machine may take.
        realtime: Whether a virtual machine runs on while the agent thinks; by default it stands
            still between two steps, its clocks included. A remote machine always runs on;
            in the sandbox and in the fake nothing moves by itself.
        watch: Whether a VNC viewer can look at a virtual machine's screen and use its mouse and
            keyboard, at the machine's `watch_address`; it then runs on while the agent thinks.
        accelerator: How a virtual machine runs: ``"kvm"``, ``"tcg"`` (emulation, 15 to 30 times
            slower) or ``"auto"``, which takes KVM if a probe runs under it.
        vm_memory_bytes: Memory of a virtual machine; its files count, too.
        vm_cpus: Processors of a virtual machine.
        snapshot_limit_bytes: Most disk space that snapshots and checkpoints take together.
        remote_address: Where the guest program of a ``remote`` machine listens, ``unix:/path`` or
            ``tcp:HOST:PORT``; several, with commas between, serve several environments. Empty
            takes the environment variable ``PPTARENA_REMOTE_ADDRESS``.
        remote_token_file: File that holds the token of that guest program. Empty takes the
            environment variable ``PPTARENA_REMOTE_TOKEN``.
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
    reuse: int = 0
    clock_rate: float = 30.0
    memory_limit_bytes: int = 3 * 2**30
    realtime: bool = False
    watch: bool = False
    accelerator: str = "auto"
    vm_memory_bytes: int = 2**30
    vm_cpus: int = 2
    snapshot_limit_bytes: int = 20 * 2**30
    remote_address: str = ""
    remote_token_file: str = ""

    def __post_init__(self) -> None:
        """Refuse sizes and times that no machine can serve."""
        _require_range("width_px", self.width_px, 320, MAX_WIDTH_PX)
        _require_range("height_px", self.height_px, 240, MAX_HEIGHT_PX)
        _require_range("max_nodes", self.max_nodes, 1, MAX_NODES)
        for name in (
            "tree_time_sec",
            "quiet_sec",
            "settle_cap_sec",
            "step_timeout_sec",
            "start_timeout_sec",
        ):
            _require_range(name, getattr(self, name), 0.001, 3600.0)
        _require_range("reuse", self.reuse, 0, 1_000_000)
        _require_range("clock_rate", self.clock_rate, 1.0, 100.0)
        _require_range("memory_limit_bytes", self.memory_limit_bytes, 2**28, 2**40)
        _require_range("vm_memory_bytes", self.vm_memory_bytes, 2**29, 2**37)
        _require_range("vm_cpus", self.vm_cpus, 1, 64)
        _require_range("snapshot_limit_bytes", self.snapshot_limit_bytes, 2**29, 2**50)
        if self.accelerator not in ACCELERATORS:
            raise ConfigError(
                f"expected accelerator to be one of {ACCELERATORS}, got {self.accelerator!r}"
            )
        for name in ("realtime", "watch"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(
                    f"expected {name} to be True or False, got {getattr(self, name)!r}"
                )


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """How the environment behaves, whatever the machine.

    Attributes:
        reward: ``"dense"`` pays every change of the score, ``"sparse"`` the final score once.
        max_steps: Step budget of every episode; None takes each task's own.
        start_attempts: How often `reset` tries to bring a machine up before it gives up.
        machine: Settings of the machine.
        judge: Settings of what answers the judged leaves of rubrics; None leaves them unjudged.
        judge_when: ``"end"`` asks with an episode's last step only; until then the score is that of
            the other leaves. ``"change"`` asks at every change, which costs a request each.
        look: ``"end"`` draws the slides that changed with an episode's last step, so that covered
            and unreadable words do not count; ``"never"`` leaves what can be seen to the facts, and
            saves that time. In the fake there is nothing to draw.
    """

    reward: str = "dense"
    max_steps: int | None = None
    start_attempts: int = 3
    machine: MachineConfig = field(default_factory=MachineConfig)
    judge: JudgeConfig | None = None
    judge_when: str = "end"
    look: str = "end"

    def __post_init__(self) -> None:
        """Refuse an unknown reward and budgets below one."""
        if self.reward not in REWARDS:
            raise ConfigError(f"expected reward to be one of {REWARDS}, got {self.reward!r}")
        if self.judge_when not in JUDGE_WHEN:
            raise ConfigError(
                f"expected judge_when to be one of {JUDGE_WHEN}, got {self.judge_when!r}"
            )
        if self.look not in LOOK:
            raise ConfigError(f"expected look to be one of {LOOK}, got {self.look!r}")
        if self.max_steps is not None:
            _require_range("max_steps", self.max_steps, 1, 1_000_000)
        _require_range("start_attempts", self.start_attempts, 1, 100)


def _require_range(name: str, value: float, low: float, high: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high:
        raise ConfigError(f"expected {name} to be between {low} and {high}, got {value!r}")
