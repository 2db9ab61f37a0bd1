"""The settings of an environment, with unit and meaning."""

from dataclasses import dataclass, field

from pptarena.envs.machines.config import MachineConfig, check_fields, one_of, within
from pptarena.rewards.judges import JudgeConfig

__all__ = ["EnvConfig", "MachineConfig"]


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """How the environment behaves, whatever the machine.

    Attributes:
        reward: ``"dense"`` pays every change of the score, ``"sparse"`` the final score once.
        score_when: ``"change"`` saves and scores the document whenever it changed; ``"end"`` with
            the last step of an episode, or of a turn, only: steps that change something cost half
            as much, and ``info["score"]`` and the reward are 0 until then.
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

    reward: str = one_of("dense", "sparse")
    score_when: str = one_of("change", "end")
    max_steps: int | None = within(None, 1, 1_000_000)
    start_attempts: int = within(3, 1, 100)
    machine: MachineConfig = field(default_factory=MachineConfig)
    judge: JudgeConfig | None = None
    judge_when: str = one_of("end", "change")
    look: str = one_of("end", "never")

    def __post_init__(self) -> None:
        """Refuse an unknown reward and budgets below one."""
        check_fields(self)
