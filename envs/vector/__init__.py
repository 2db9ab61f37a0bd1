"""Vector environments: machines run in parallel and do not wait for each other."""

from pptarena.envs.vector.deadlines import Deadlines
from pptarena.envs.vector.parallel import ParallelVectorEnv
from pptarena.envs.vector.ppt_arena_vector import PPTArenaVectorEnv

__all__ = ["Deadlines", "PPTArenaVectorEnv", "ParallelVectorEnv"]
