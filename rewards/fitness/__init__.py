"""Whether what is new or changed is fit to be seen."""

from pptarena.rewards.fitness.fitness import Fitness, measure_fitness

__all__ = ["Fitness", "measure_fitness"]
