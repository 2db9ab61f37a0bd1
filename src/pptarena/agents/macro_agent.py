"""`MacroAgent`: plays the macros of a task, or carries out its solution."""

from collections.abc import Callable, Generator, Mapping
from typing import Any

from pptarena.agents.macros import Desk, Screen, play_macros
from pptarena.decks import read_deck
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import AgentError, TaskError
from pptarena.tasks import Task, get_task
from pptarena.tasks.solution_macros import macros_of

__all__ = ["MacroAgent", "TitleMacroAgent"]


class MacroAgent:
    """Carries out a task by macros and then ends the episode.

    It is an expert: it reads the task's deck, so it knows which shape a rubric selector refers to.
    Its inputs and actions are those of any agent: the accessibility tree, the mouse, the keyboard.

    Args:
        find_task: Returns the task with an id.
    """

    by_titles = False
    """Whether it goes to a slide by the title of its thumbnail, see `Desk`."""

    def __init__(self, find_task: Callable[[str], Task] = get_task) -> None:
        self._find_task = find_task
        self._desk: Desk | None = None
        self._play: Generator[Action, Screen, None] | None = None
        self._begun = False

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode with the macros of ``info["task_id"]``, or those of its solution.

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
        self._desk = Desk(deck, by_titles=self.by_titles)
        self._play, self._begun = play_macros(self._desk, macros), False

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action; ``done`` after the last macro.

        Raises:
            MacroError: If the screen is not in the state that a macro requires.
        """
        if self._desk is None or self._play is None:
            raise AgentError("no episode has begun; call reset first")
        screen = Screen(observation, info)
        try:
            if self._begun:
                return self._play.send(screen)
            self._begun, self._desk.screen = True, screen
            return next(self._play)
        except StopIteration:
            return actions.done()


class TitleMacroAgent(MacroAgent):
    """Like `MacroAgent`, but goes to a slide by the title of its thumbnail where it has one.

    Its clicks can be copied from the screen, which suits demonstrations for small models. The
    other agent presses Down as often as needed, which takes fewer steps.
    """

    by_titles = True
