"""pptarena for verifiers, which finds environments by the name of a top-level module."""

from pptarena.rollouts.trainers.verifiers import PPTArenaEnv, PPTArenaTaskset

__all__ = ["PPTArenaEnv", "PPTArenaTaskset"]
