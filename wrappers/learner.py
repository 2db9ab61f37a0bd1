"""Combine the wrappers that classic learners need."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import gymnasium as gym

from pptarena.envs.action import Action
from pptarena.errors import ConfigError
from pptarena.wrappers.drop_parts import DropParts
from pptarena.wrappers.element_names import ElementNames
from pptarena.wrappers.element_relations import ElementRelations
from pptarena.wrappers.element_rows import ElementRows
from pptarena.wrappers.end_at_goal import EndAtGoal
from pptarena.wrappers.grid_actions import GridActions
from pptarena.wrappers.instruction_vector import InstructionVector
from pptarena.wrappers.recent_actions import RecentActions
from pptarena.wrappers.small_screenshot import SmallScreenshot
from pptarena.wrappers.som_actions import DEFAULT_KEYS, SomActions, other_actions
from pptarena.wrappers.task_curriculum import TaskCurriculum

__all__ = ["LearnerConfig", "learner_env"]


@dataclass(frozen=True, slots=True)
class LearnerConfig:
    """Settings of an environment for learners that take numbers only.

    Attributes:
        actions: ``"som"`` (one number, with masks, see `SomActions`) or ``"grid"`` (see
            `GridActions`).
        marks: Number of elements in the observation and the action space.
        pointer: Pointer actions.
        keys: Keys and key combinations.
        texts: Texts to type; ``"som"`` only.
        done: Whether the agent ends the episode itself.
        screenshot_px: Width and height of the screenshot. None leaves it out, and the machine
            ``"fake"`` then does not render it.
        name_size: Columns of hashed words for the names of elements; 0 for none.
        instruction_size: Length of the instruction's vector; 0 leaves it out.
        goal: Score that ends an episode; None if only the agent's ``done`` does.
        roles: Names of roles; marks of other roles are masked out; ``"som"`` only. None masks none.
        recent: Number of recent actions in the observation; ``"som"`` only.
        quotes: Number of quoted texts of the instruction that can be typed; ``"som"`` only.
        relations: Whether to add the relations between instruction and elements
            (`ElementRelations`).
        curriculum: Whether to choose tasks by learning progress (`TaskCurriculum`).
    """

    actions: Literal["som", "grid"] = "som"
    marks: int = 128
    pointer: Sequence[str] = ("click", "double_click")
    keys: Sequence[str] = DEFAULT_KEYS
    texts: Sequence[str] = ()
    done: bool = True
    screenshot_px: tuple[int, int] | None = (160, 90)
    name_size: int = 32
    instruction_size: int = 64
    goal: float | None = None
    roles: Sequence[str] | None = None
    recent: int = 0
    quotes: int = 0
    relations: bool = False
    curriculum: bool = False

    def __post_init__(self) -> None:
        if self.actions not in ("som", "grid"):
            raise ConfigError(f"actions: expected 'som' or 'grid', got {self.actions!r}")
        som_only = self.texts or self.roles is not None or self.recent or self.quotes
        if self.actions == "grid" and som_only:
            raise ConfigError("texts, roles, recent and quotes: only with actions='som'")
        size = self.screenshot_px
        if size is not None and not (isinstance(size, list | tuple) and len(size) == 2):
            raise ConfigError(f"screenshot_px: expected (width, height) or None, got {size!r}")

    @property
    def other_actions(self) -> tuple[Action, ...]:
        """The actions without a mark, in the order of their numbers; ``"som"`` only.

        The quoted texts are empty here, since they depend on the instruction.
        """
        quoted = [Action("type")] * self.quotes
        return (*other_actions(self.keys, self.texts, self.done), *quoted)


def learner_env(config: LearnerConfig | None = None, **arguments: Any) -> gym.Env[Any, Any]:
    """Return an environment of numbers: a flat action space, a Dict observation of Boxes.

    Args:
        config: The settings; None for the defaults.
        arguments: Arguments of `pptarena.envs.PPTArenaEnv`.

    Raises:
        ConfigError: If a setting is not allowed.
        ActionError: If a key or a text of the settings would be refused.
    """
    config = LearnerConfig() if config is None else config
    if not isinstance(config, LearnerConfig):
        raise ConfigError(f"config: expected a LearnerConfig or None, got {config!r:.80}")
    if config.screenshot_px is None and arguments.get("machine") == "fake":
        arguments.setdefault("draw", False)
    # The passive checker would check every screenshot again.
    env = gym.make("pptarena:PPTArena-v0", disable_env_checker=True, **arguments)
    if config.curriculum:
        env = TaskCurriculum(env, goal=config.goal or 1.0)
    if config.goal is not None:
        env = EndAtGoal(env, config.goal)
    env = ElementRows(env, config.marks)
    if config.name_size:
        env = ElementNames(env, config.name_size)
    if config.relations:
        env = ElementRelations(env, config.instruction_size or 64, max(config.quotes, 1))
    if config.instruction_size:
        env = InstructionVector(env, config.instruction_size)
    else:
        env = DropParts(env, ["instruction"])
    if config.screenshot_px is None:
        env = DropParts(env, ["screenshot"])
    else:
        env = SmallScreenshot(env, *config.screenshot_px)
    if config.actions == "grid":
        return GridActions(env, pointer=config.pointer, keys=config.keys, done=config.done)
    som = SomActions(
        env,
        config.marks,
        config.pointer,
        config.keys,
        config.texts,
        config.done,
        config.roles,
        config.quotes,
    )
    return RecentActions(som, config.recent) if config.recent else som
