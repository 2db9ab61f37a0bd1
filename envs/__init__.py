"""The Gymnasium environments, their actions and their observations."""

from pptarena.envs.action import KINDS, Action
from pptarena.envs.checkpoint import Checkpoint
from pptarena.envs.config import EnvConfig, MachineConfig
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.envs.random_action import random_action
from pptarena.envs.text_view import observation_text

__all__ = [
    "KINDS",
    "Action",
    "Checkpoint",
    "EnvConfig",
    "MachineConfig",
    "PPTArenaEnv",
    "observation_text",
    "random_action",
]
