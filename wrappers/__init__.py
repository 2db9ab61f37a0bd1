"""Wrappers, one per file. `learner_env` and `make_sb3` combine them."""

from pptarena.wrappers.confirm_risky import ConfirmRisky
from pptarena.wrappers.drop_parts import DropParts
from pptarena.wrappers.element_names import ElementNames
from pptarena.wrappers.element_relations import ElementRelations
from pptarena.wrappers.element_rows import ElementRows
from pptarena.wrappers.end_at_goal import EndAtGoal
from pptarena.wrappers.grid_actions import GridActions
from pptarena.wrappers.instruction_vector import InstructionVector
from pptarena.wrappers.learner import LearnerConfig, learner_env
from pptarena.wrappers.marked_screenshot import MarkedScreenshot
from pptarena.wrappers.recent_actions import RecentActions
from pptarena.wrappers.sb3 import make_sb3
from pptarena.wrappers.small_screenshot import SmallScreenshot
from pptarena.wrappers.som_actions import SomActions
from pptarena.wrappers.task_curriculum import TaskCurriculum

__all__ = [
    "ConfirmRisky",
    "DropParts",
    "ElementNames",
    "ElementRelations",
    "ElementRows",
    "EndAtGoal",
    "GridActions",
    "InstructionVector",
    "LearnerConfig",
    "MarkedScreenshot",
    "RecentActions",
    "SmallScreenshot",
    "SomActions",
    "TaskCurriculum",
    "learner_env",
    "make_sb3",
]
