"""`MacroAgent`: plays the macros of a task, or carries out its solution."""

from collections.abc import Callable, Generator, Mapping
from typing import Any

from pptarena.agents.macros import Driver, Screen, play_macros
from pptarena.decks import read_deck
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import AgentError, TaskError
from pptarena.tasks import Task, get_task
from pptarena.tasks.solution_macros import macros_of

__all__ = ["MacroAgent", "TitleMacroAgent"]


class MacroAgent:
    """Carries out a task by macros and then ends the episode.

    It is an expert: it reads the task's deck, so it can resolve rubric selectors.
    Otherwise it uses the inputs and actions of any agent: accessibility tree, mouse and keyboard.

    Args:
        find_task: Returns the task with an id.
    """

    by_titles = False
    """Whether to go to a slide by the title of its thumbnail, see `Driver`."""

    def __init__(self, find_task: Callable[[str], Task] = get_task) -> None:
        self._find_task = find_task
        self._desk: Driver | None = None
        self._steps: Generator[Action, Screen, None] | None = None
        self._is_started = False

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode with the macros of ``info["task_id"]``, or with its solution.

        Raises:
            AgentError: If the task has neither, or an edit of its solution has no macro.
            DeckError: If its deck cannot be read.
            TaskError: If the task is unknown, or its deck does not exist.
        """
        task = self._find_task(info["task_id"])
        deck = read_deck(task.deck_bytes())
        try:
            macros = macros_of(task)
        except TaskError as error:
            raise AgentError(str(error)) from error
        if not macros:
            raise AgentError(f"the task {task.id!r} has no macros and no solution")
        self._desk = Driver(deck, by_titles=self.by_titles)
        self._steps, self._is_started = play_macros(self._desk, macros), False

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action; ``done`` after the last macro.

        Raises:
            MacroError: If the screen is not in the state that a macro requires.
        """
        if self._desk is None or self._steps is None:
            raise AgentError("no episode is running; call reset first")
        screen = Screen(observation, info)
        try:
            if self._is_started:
                return self._steps.send(screen)
            self._is_started, self._desk.screen = True, screen
            return next(self._steps)
        except StopIteration:
            return actions.done()


class TitleMacroAgent(MacroAgent):
    """Like `MacroAgent`, but goes to a slide by the title of its thumbnail if it has one.

    A small model can learn these clicks from the screen alone. `MacroAgent` presses Down as often
    as needed, which takes fewer steps.
    """

    by_titles = True
