"""Fitness: whether new and changed content is presentable."""

from pptarena.rewards.fitness.fitness import FIT, Fitness, measure_fitness

__all__ = ["FIT", "Fitness", "measure_fitness"]
