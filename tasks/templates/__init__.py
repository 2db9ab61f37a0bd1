"""Tasks made from templates and seeds, by the thousand, without a file each."""

from pptarena.tasks.templates.first_steps import first_step, first_steps

__all__ = ["first_step", "first_steps"]
