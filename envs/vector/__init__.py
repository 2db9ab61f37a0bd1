"""Many environments at once: machines in parallel, none waits for another."""

from pptarena.envs.vector.deadlines import Deadlines
from pptarena.envs.vector.parallel import ParallelVectorEnv
from pptarena.envs.vector.ppt_arena_vector import PPTArenaVectorEnv

__all__ = ["Deadlines", "PPTArenaVectorEnv", "ParallelVectorEnv"]
