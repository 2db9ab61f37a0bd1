"""Agents from outside of the package, for the tests of ``--agent module:Class``."""

from collections.abc import Mapping
from typing import Any

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError


class Quitter:
    """Ends the episode immediately."""

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        pass

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        return actions.done()


class Loser(Quitter):
    """Gives up immediately."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        raise AgentError("I am lost")


class Deleter(Quitter):
    """Deletes a slide of a document, whatever the task is."""

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self._calls = [ToolCall.of("done"), ToolCall.of("delete_slide", slide=256)]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        return self._calls.pop()
