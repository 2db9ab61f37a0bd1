"""Graders of the episodes of one environment."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Self

from pptarena.envs.baseline import Baseline, BaselineStore
from pptarena.envs.config import EnvConfig
from pptarena.envs.grader import Grader, GraderSettings
from pptarena.envs.image_office import save_in_image
from pptarena.envs.judging import Judging
from pptarena.envs.machines.base import NO_FILES
from pptarena.envs.targets import TaskTargets, TurnTargets
from pptarena.envs.turn_grader import TurnGrader
from pptarena.errors import HostError, ImageError
from pptarena.tasks import Task
from pptarena.tasks.never_saved import never_saved
from pptarena.vm_images.image import find_image
from pptarena.vm_images.office import shared_office

__all__ = ["Grading", "can_look"]

_log = logging.getLogger(__name__)


@cache
def _warn_not_rendered(why: str) -> None:
    """Warn once: a run creates several environments."""
    _log.warning("final slides are not rendered, so no score includes their appearance: %s", why)


@cache
def _warn(task_id: str, leaf: str, why: str) -> None:
    _log.warning("%s: the leaf %r cannot be earned in LibreOffice: %s", task_id, leaf, why)


def _warn_of_losses(task: Task) -> None:
    """Warn once about each leaf whose property the application never saves."""
    for leaf, why in never_saved(task.rubric).items() if task.feasible else ():
        _warn(task.id, leaf, why)


@dataclass(frozen=True, slots=True)
class Grading(GraderSettings):
    """Creates the graders of an environment.

    Attributes:
        not_rendered: Why final slides cannot be rendered although the settings ask for it; empty
            if there is no such problem.
    """

    not_rendered: str = ""

    @classmethod
    def of(cls, config: EnvConfig, baselines: BaselineStore, *, drawable: bool = False) -> Self:
        """Return the grading services of an environment.

        Args:
            config: The settings.
            baselines: Baselines of decks.
            drawable: Whether an office application saves the decks, so that slides can be rendered.

        Raises:
            ConfigError: If the judge cannot be created.
        """
        judging = Judging(config.judge) if config.judge is not None else None
        looks = drawable and config.look == "end"
        problem = _rendering_problem() if looks else ""
        return cls(
            baselines,
            judging,
            config.judge_when,
            looks and not problem,
            office=drawable,
            not_rendered=problem,
        )

    def grader(
        self, task: Task, deck: bytes, version: str, save: Callable[[], bytes]
    ) -> TurnGrader:
        """Return the grader of a new episode.

        Args:
            task: The task.
            deck: The .pptx file as it was opened.
            version: Name of the application and image that saves.
            save: Saves the open, unchanged document.

        Raises:
            MachineError: If `save` raises it, or if the saved deck cannot be read.
            TaskError: If the task's gold deck cannot be read.
        """
        if self.not_rendered:  # only now: a machine that needs the image has reported it itself
            _warn_not_rendered(self.not_rendered)
        if self.looks:
            make_ready()
        if self.office:
            _warn_of_losses(task)
        original = self.baselines.get(deck, version, save)
        files = task.files_bytes() if task.collected else NO_FILES
        targets = TaskTargets(task, save_in_image if self.office else None)
        if self.office:
            # Needed when a changed deck is scored; the application can start in the meantime.
            targets.prepare()
        turn = TurnTargets(targets, 1, original.deck)
        first = Grader(task, deck, original, self, files, turn)
        return TurnGrader(task, first, self._following)

    def _following(self, turn: Task, before: Grader) -> Grader:
        file = before.current_file()
        start = Baseline(before.current, file)
        return Grader(turn, file, start, self, before.files.now, before.targets.following())

    def close(self) -> None:
        """Close the judge's connections; a second call does nothing."""
        if self.judging is not None:
            self.judging.close()


def can_look() -> bool:
    """Return whether slides can be rendered on this computer; if not, warn once with the reason."""
    problem = _rendering_problem()
    if problem:
        _warn_not_rendered(problem)
    return not problem


def _rendering_problem() -> str:
    """Return why slides cannot be rendered on this computer; empty if they can."""
    try:
        found = find_image() is not None
    except ImageError as error:
        return str(error)
    return "" if found else "no machine image; build it with: pptarena image build"


def make_ready() -> None:
    """Start the renderer in the background; failures surface at render time."""
    try:
        shared_office().start()
    except (HostError, ImageError) as error:
        _log.warning("slides cannot be drawn: %s", error)
