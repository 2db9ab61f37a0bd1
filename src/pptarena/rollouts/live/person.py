"""Agents that a person controls in the live page: alone, or together with another agent."""

import json
import time
from collections.abc import Mapping
from typing import Any

from pptarena.agents.base import Agent, RecordingAgent
from pptarena.errors import ConfigError
from pptarena.rollouts.live.station import Station

__all__ = ["Person", "SharedControl", "with_live_control"]

_LAST_REPLIES = 20


class Person:
    """A person who plays a task in the live page, recorded like any other agent.

    Args:
        who: Name or pseudonym of the person, stored with the episode; may be empty.
    """

    def __init__(self, who: str = "") -> None:
        self._player = who
        self._station: Station | None = None
        self._started_sec = 0.0  # time.monotonic()

    actor = "person"

    def attach(self, station: Station, name: str) -> None:
        """Connect the person to a station, which provides the actions."""
        self._station = station
        station.attach(name, owned=True)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            ConfigError: If the environment has no `LiveEnv`.
        """
        if self._station is None:
            raise ConfigError("a person needs a live page: wrap the environment in LiveEnv")
        self._started_sec = time.monotonic()

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Wait for the person's next action; on a document, for the next call."""
        assert self._station is not None, "reset checks it"
        action = self._station.next_action()
        assert action is not None, "a person plays alone"
        return action

    def record(self) -> Mapping[str, bytes]:
        """Return ``person.json``: the player's name, seconds and rating of the difficulty."""
        rating = self._station.rating if self._station else {}
        facts = {
            "who": self._player,
            "seconds": round(time.monotonic() - self._started_sec, 3),
            "difficulty": rating.get("difficulty"),
            "note": rating.get("note", ""),
        }
        text = json.dumps(facts, ensure_ascii=False)
        return {"person.json": f"{text}\n".encode("utf-8", "replace")}


class SharedControl:
    """An agent whose episode a person can pause, stop, take over and help with hints.

    Hints are in ``info["hint"]`` of the next call of the agent's `act`.

    Args:
        agent: The agent.
        station: The station of the environment.
        name: Name of the agent.
    """

    def __init__(self, agent: Agent, station: Station, name: str) -> None:
        self._agent, self._station = agent, station
        station.conversation = self._conversation
        station.attach(name)

    @property
    def actor(self) -> str:
        """Who chose the last action: ``"agent"`` or ``"person"``."""
        return self._station.actor

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode of the agent."""
        self._agent.reset(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return the action of the person who has control, or else that of the agent."""
        action = self._station.next_action()
        if action is not None:
            return action
        hint = self._station.take_hint()
        return self._agent.act(observation, {**info, "hint": hint} if hint else info)

    def record(self) -> Mapping[str, bytes]:
        """Return the files of the agent."""
        return self._agent.record() if isinstance(self._agent, RecordingAgent) else {}

    def _conversation(self) -> dict[str, Any]:
        messages = getattr(self._agent, "messages", None)
        if not isinstance(messages, list):
            return {}
        cost = getattr(self._agent, "cost_usd", None)
        return {"messages": messages[-_LAST_REPLIES:], "count": len(messages), "cost_usd": cost}


def with_live_control(agent: Agent, station: Station | None, name: str) -> Agent:
    """Return an agent that the live page can control; without a station, the agent itself."""
    if station is None:
        return agent
    if isinstance(agent, Person):
        agent.attach(station, name)
        return agent
    return SharedControl(agent, station, name)
