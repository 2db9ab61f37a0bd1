"""The vector environment: Gymnasium's `AsyncVectorEnv` that continues when machines fail."""

from pptarena.envs.vector.ppt_arena_vector import PPTArenaVectorEnv

__all__ = ["PPTArenaVectorEnv"]
