"""Agents from outside of the package, for the tests of ``--agent module:Class``."""

from collections.abc import Mapping
from typing import Any

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import AgentError


class Quitter:
    """Ends the episode at once."""

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        pass

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        return actions.done()


class Loser(Quitter):
    """Gives up at once."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        raise AgentError("I am lost")
