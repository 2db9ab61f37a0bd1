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

__all__ = ["Grading", "can_render"]

_log = logging.getLogger(__name__)


@cache
def _warn_not_rendered(reason: str) -> None:
    """Warn once: a run creates several environments."""
    _log.warning("final slides are not rendered, so no score includes their appearance: %s", reason)


@cache
def _warn_never_saved(task_id: str, leaf: str, reason: str) -> None:
    _log.warning("%s: the leaf %r cannot be earned in LibreOffice: %s", task_id, leaf, reason)


def _warn_about_never_saved(task: Task) -> None:
    """Warn once about each leaf whose property the application never saves."""
    for leaf, reason in never_saved(task.rubric).items() if task.feasible else ():
        _warn_never_saved(task.id, leaf, reason)


@dataclass(frozen=True, slots=True)
class Grading(GraderSettings):
    """Creates the graders of an environment.

    Attributes:
        rendering_problem: Why final slides cannot be rendered although the settings request it;
            empty if they can, or need not be.
    """

    rendering_problem: str = ""

    @classmethod
    def of(cls, config: EnvConfig, baselines: BaselineStore, *, office: bool = False) -> Self:
        """Return the grading services of an environment.

        Args:
            config: The settings.
            baselines: Baselines of decks.
            office: Whether an office application saves the decks, so that slides can be rendered.

        Raises:
            ConfigError: If the judge cannot be created.
        """
        judging = Judging(config.judge) if config.judge is not None else None
        renders = office and config.look == "end"
        problem = _rendering_problem() if renders else ""
        return cls(
            baselines,
            judging,
            config.judge_when,
            renders and not problem,
            office=office,
            rendering_problem=problem,
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
        if self.rendering_problem:  # after machines that need the image have reported it themselves
            _warn_not_rendered(self.rendering_problem)
        if self.renders:
            start_renderer()
        if self.office:
            _warn_about_never_saved(task)
        original = self.baselines.get(deck, version, save)
        files = task.files_bytes() if task.collected else NO_FILES
        task_targets = TaskTargets(task, save_in_image if self.office else None)
        if self.office:
            # Needed when a changed deck is scored; the application can start in the meantime.
            task_targets.prepare()
        turn_targets = TurnTargets(task_targets, 1, original.deck)
        first_grader = Grader(task, deck, original, self, files, turn_targets)
        return TurnGrader(task, first_grader, self._next_grader)

    def _next_grader(self, turn: Task, previous: Grader) -> Grader:
        start_file = previous.current_file()
        baseline = Baseline(previous.current, start_file)
        return Grader(
            turn, start_file, baseline, self, previous.files.now, previous.targets.next_turn()
        )

    def close(self) -> None:
        """Close the judge's connections; a second call does nothing."""
        if self.judging is not None:
            self.judging.close()


def can_render() -> bool:
    """Return whether slides can be rendered on this computer; if not, warn once with the reason."""
    problem = _rendering_problem()
    if problem:
        _warn_not_rendered(problem)
    return not problem


def _rendering_problem() -> str:
    """Return why slides cannot be rendered on this computer; empty if they can."""
    try:
        has_image = find_image() is not None
    except ImageError as error:
        return str(error)
    return "" if has_image else "no machine image; build it with: pptarena image build"


def start_renderer() -> None:
    """Start the renderer in the background; failures surface at render time."""
    try:
        shared_office().start()
    except (HostError, ImageError) as error:
        _log.warning("slides cannot be rendered: %s", error)
