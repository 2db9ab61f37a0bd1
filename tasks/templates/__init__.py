"""Tasks made from templates and seeds, by the thousand, without a file each."""

from pptarena.tasks.templates.first_steps import first_step, first_steps
from pptarena.tasks.templates.two_steps import two_step, two_steps

__all__ = ["first_step", "first_steps", "two_step", "two_steps"]
