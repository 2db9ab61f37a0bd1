"""The settings of an environment."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pptarena.envs.machines.config import MachineConfig, check_fields, one_of, within
from pptarena.envs.pixels.detection import Detector
from pptarena.envs.pixels.pixel_tree import DETECTORS, PixelTree
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import Task
from pptarena.tasks.task import LEVEL_STEPS

__all__ = ["EnvConfig", "MachineConfig", "require_wording"]


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """Settings of the environment that do not depend on the machine.

    Attributes:
        reward: ``"dense"`` pays every change of the score, ``"sparse"`` the final score once.
        score_when: ``"change"`` saves and scores the document after every change; ``"end"`` only
            at the last step of an episode or turn. With ``"end"``, steps that change the document
            cost half as much, and ``info["score"]`` and the reward are 0 until then.
        max_steps: Step budget of every episode; None uses each task's own.
        budget: Step budgets if `max_steps` is None: ``"task"`` uses each task's own, ``"level"``
            those of ProSoftArena (`pptarena.tasks.task.LEVEL_STEPS`).
        wording: Wording of the instructions: ``"first"``, the one of the task file; ``"any"``,
            drawn at every reset; or the number of a wording, from 1.
        start_attempts: Number of attempts of `reset` to start a machine.
        machine: Settings of the machine.
        judge: Settings of the judge model; None leaves judged leaves unscored.
        judge_when: ``"end"`` asks the judge only at an episode's last step; until then the score
            covers the other leaves. ``"change"`` asks after every change, one request each.
        look: ``"end"`` renders the changed slides at an episode's last step, so that covered and
            unreadable text does not count; ``"never"`` infers visibility from the file, which is
            faster. The fake machine renders nothing.
        elements: Source of the elements: ``"tree"``, the accessibility tree; ``"pixels"``,
            detectors that see the screenshot alone; or ``"both"``.
        detectors: ``"text"``, ``"boxes"``, ``"icons:FILE"`` with a file of weights, or detectors
            (`pptarena.envs.pixels.Detector`); unused with ``"tree"``.
    """

    reward: str = one_of("dense", "sparse")
    score_when: str = one_of("change", "end")
    max_steps: int | None = within(None, 1, 1_000_000)
    budget: str = one_of("task", "level")
    wording: int | str = "first"
    start_attempts: int = within(3, 1, 100)
    machine: MachineConfig = field(default_factory=MachineConfig)
    judge: JudgeConfig | None = None
    judge_when: str = one_of("end", "change")
    look: str = one_of("end", "never")
    elements: str = one_of("tree", "pixels", "both")
    detectors: Sequence[str | Detector] = DETECTORS

    def __post_init__(self) -> None:
        """Check that the settings are allowed."""
        check_fields(self)
        require_wording(self.wording)

    def pixel_tree(self) -> PixelTree | None:
        """Return the configured detectors; None if elements come from the tree alone.

        Raises:
            ConfigError: If a detector is unknown, or its package or file is missing.
        """
        if isinstance(self.detectors, str) or not self.detectors:
            raise ConfigError(
                f"expected detectors to be a list such as {list(DETECTORS)}, got {self.detectors!r}"
            )
        return None if self.elements == "tree" else PixelTree(self.elements, self.detectors)

    def steps(self, task: Task) -> int:
        """Return the step budget of a task."""
        default = LEVEL_STEPS[task.level] if self.budget == "level" else task.max_steps
        return self.max_steps or default


def require_wording(wording: object) -> None:
    """Check a value of `EnvConfig.wording`.

    Raises:
        ConfigError: If it is not allowed.
    """
    is_number = isinstance(wording, int) and not isinstance(wording, bool) and wording >= 1
    if not is_number and not (isinstance(wording, str) and wording in ("first", "any")):
        raise ConfigError(
            f"expected wording to be 'first', 'any' or a number from 1, got {wording!r}"
        )
