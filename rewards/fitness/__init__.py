"""Fitness: whether new and changed content is presentable."""

from pptarena.rewards.fitness.fitness import NO_FAULTS, Fitness, measure_fitness

__all__ = ["NO_FAULTS", "Fitness", "measure_fitness"]
