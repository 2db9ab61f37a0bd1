"""Whether what is new or changed is fit to be seen."""

from pptarena.rewards.fitness.fitness import FIT, Fitness, measure_fitness

__all__ = ["FIT", "Fitness", "measure_fitness"]
