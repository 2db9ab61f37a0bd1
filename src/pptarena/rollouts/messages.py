"""The conversation with a model in an episode, and the actions of each reply."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.agents.model import Usage
from pptarena.errors import StoreError
from pptarena.rollouts.episode import AGENT, StepRecord
from pptarena.rollouts.episode_files import read_json, read_json_lines
from pptarena.rollouts.record_checks import (
    Check,
    check_fields,
    each,
    fields,
    integer,
    number,
    optional,
    single_line,
    text,
)
from pptarena.sources import VIEWS

__all__ = ["Message", "ModelRecord", "read_messages", "read_model"]

# The formats of UI-TARS and Qwen, of ScaleCUA and others with tags, and of OpenCUA.
_REASONING = re.compile(
    r"\s*(?:(?:Thought|Reflection):(.*?)(?=\nAction|\Z)|<think>(.*?)</think>"
    r"|## Thought:?(.*?)(?=\n## |\Z))",
    re.S,
)
MESSAGES, MODEL = "messages.jsonl", "model.json"
_MAX_COUNT = 2**53
_USAGE: dict[str, Check] = {
    **{field.name: integer(0, _MAX_COUNT) for field in dataclasses.fields(Usage)},
    "model_sec": number(0, 1e12),
}
_MODEL: dict[str, Check] = {
    **dict.fromkeys(("model", "dialect", "see"), single_line()),
    "system": text(),
    "cost_usd": number(0, 1e12),
    "usage": fields(_USAGE),
}
# For agents that request more than actions: the first step of a reply and its number of actions.
_STEP_FIELDS: dict[str, Check] = {
    "role": text(),
    **dict.fromkeys(("step", "meant"), integer(0, _MAX_COUNT)),
}
_MESSAGE: dict[str, Check] = {
    **dict.fromkeys(("shown", "thought", "text"), text()),
    "calls": each(fields({"name": text(), "arguments": lambda _: ""})),
    "actions": each(lambda _: ""),
    "error": optional(text()),
    **dict.fromkeys(("input_tokens", "output_tokens"), integer(0, _MAX_COUNT)),
}


@dataclass(frozen=True, kw_only=True)
class ModelRecord:
    """The model of an episode: the object of ``model.json``.

    Attributes:
        model, dialect: The settings.
        see: Input of the model: sources of the screen, separated by commas, or the name of
            another observation.
        system: The system prompt.
        usage: Requests, tokens and seconds of the episode.
        cost_usd: Cost of the tokens at the configured prices.
    """

    model: str
    dialect: str
    see: str
    system: str
    usage: Usage
    cost_usd: float

    def to_json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, kw_only=True)
class Message:
    """One reply of a model: a line of ``messages.jsonl``.

    Attributes:
        shown: The text that was sent with the screen.
        thought, text: The reasoning and the text of the reply.
        calls: Its calls: name and arguments.
        error: Why the reply had no valid action; None if it had one.
        input_tokens, output_tokens: Counts of the service.
        first: The step of its first action.
        steps: Number of its steps; a reply without a valid action is one refused step.
        role: The role in which the model was asked, for agents with several roles; otherwise empty.
    """

    shown: str
    thought: str
    text: str
    calls: tuple[Mapping[str, Any], ...]
    error: str | None
    input_tokens: int
    output_tokens: int
    first: int
    steps: int
    role: str = ""

    @property
    def reasoning(self) -> str:
        """The reasoning, even if it is part of the text; empty if it cannot be identified.

        The text of a reply with calls is its reasoning. Otherwise the reasoning is the text that
        dialects put before their actions.
        """
        if self.thought or self.calls:
            return (self.thought or self.text).strip()
        match = _REASONING.match(self.text)
        return next(filter(None, match.groups()), "").strip() if match else ""

    def to_json(self) -> dict[str, Any]:
        """Return the message as a JSON object."""
        return dataclasses.asdict(self)


def read_model(folder: Path) -> ModelRecord | None:
    """Return the model of an episode; None if there was none.

    Raises:
        StoreError: If the record is malformed.
    """
    try:
        value = read_json(folder, MODEL)
    except StoreError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    try:
        if isinstance(value, Mapping) and "see" not in value and "view" in value:
            view = value["view"]  # records of earlier versions
            value = {**value, "see": VIEWS.get(view, view) if isinstance(view, str) else view}
        data = check_fields(value, _MODEL, "the record of a model")
        usage = Usage(**check_fields(data.pop("usage"), _USAGE, "the usage of a model"))
    except StoreError as error:
        raise StoreError(f"{folder / MODEL}: {error}") from error
    return ModelRecord(usage=usage, **data)


def read_messages(folder: Path, steps: Sequence[StepRecord]) -> tuple[Message, ...]:
    """Return the replies of the model in an episode; none if there was no model.

    Args:
        folder: The episode.
        steps: Its actions.

    Raises:
        StoreError: If a line is malformed.
    """
    try:
        lines = read_json_lines(folder, MESSAGES, missing=())
        messages_data = [
            check_fields(line, _checks_of(line), "an answer of a model") for line in lines
        ]
    except StoreError as error:
        raise StoreError(f"{folder / MESSAGES}: {error}") from error
    messages, first = [], 0
    for data, line in zip(messages_data, lines, strict=True):
        action_count = max(1, len(data.pop("actions")))
        while first < len(steps) and steps[first].by != AGENT:
            first += 1
        if "step" in line:
            first, action_count = min(data.pop("step"), len(steps)), data.pop("meant")
        count = _count_steps(steps[first:], action_count)
        data["calls"] = tuple(data["calls"])
        messages.append(Message(first=first, steps=count, **data))
        first += count
    return tuple(messages)


def _checks_of(line: object) -> dict[str, Check]:
    return _MESSAGE | _STEP_FIELDS if isinstance(line, Mapping) and "step" in line else _MESSAGE


def _count_steps(following: Sequence[StepRecord], actions: int) -> int:
    """Return the number of executed actions of a reply.

    A refused action or a person's action discards the remaining actions of the reply.
    """
    for count, step in enumerate(following[:actions]):
        if step.by != AGENT:
            return count
        if step.action_error:
            return count + 1
    return min(actions, len(following))
