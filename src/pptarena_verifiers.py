"""pptarena for verifiers, which finds environments by the name of a top-level module."""

from pptarena.rollouts.trainers.verifiers import (
    PPTArenaConfig,
    PPTArenaData,
    PPTArenaEnv,
    PPTArenaEnvConfig,
    PPTArenaTask,
    PPTArenaTaskset,
)

__all__ = [
    "PPTArenaConfig",
    "PPTArenaData",
    "PPTArenaEnv",
    "PPTArenaEnvConfig",
    "PPTArenaTask",
    "PPTArenaTaskset",
]
