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
from pptarena.rollouts.reading import read_json, read_json_lines
from pptarena.rollouts.recorded import (
    Check,
    checked,
    each,
    fields,
    maybe,
    number,
    plain_name,
    text,
    whole,
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
_MOST = 2**53
_USAGE: dict[str, Check] = {
    **{field.name: whole(0, _MOST) for field in dataclasses.fields(Usage)},
    "model_sec": number(0, 1e12),
}
_MODEL: dict[str, Check] = {
    **dict.fromkeys(("model", "dialect", "see"), plain_name()),
    "system": text(),
    "cost_usd": number(0, 1e12),
    "usage": fields(_USAGE),
}
# For agents that request more than actions: the first step of a reply and its number of actions.
_PLACED: dict[str, Check] = {"role": text(), **dict.fromkeys(("step", "meant"), whole(0, _MOST))}
_MESSAGE: dict[str, Check] = {
    **dict.fromkeys(("shown", "thought", "text"), text()),
    "calls": each(fields({"name": text(), "arguments": lambda _: ""})),
    "actions": each(lambda _: ""),
    "error": maybe(text()),
    **dict.fromkeys(("input_tokens", "output_tokens"), whole(0, _MOST)),
}


@dataclass(frozen=True, kw_only=True)
class ModelRecord:
    """The model of an episode: the object of ``model.json``.

    Attributes:
        model, dialect: The settings.
        see: What the model was shown: sources of the screen, separated by commas, or the name of
            another observation.
        system: The system prompt.
        usage: Requests, tokens and seconds of the episode.
        cost_usd: Their cost at the given prices.
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
        """The reasoning, even if it is a part of the text; empty if it cannot be identified.

        Text that accompanies calls is reasoning; otherwise it is the text that dialects put before
        their actions.
        """
        if self.thought or self.calls:
            return (self.thought or self.text).strip()
        found = _REASONING.match(self.text)
        return next(filter(None, found.groups()), "").strip() if found else ""

    def to_json(self) -> dict[str, Any]:
        """Return the message as a JSON object."""
        return dataclasses.asdict(self)


def read_model(folder: Path) -> ModelRecord | None:
    """Return the model of an episode; None if there was none.

    Raises:
        StoreError: If the record is malformed.
    """
    try:
        found = read_json(folder, MODEL)
    except StoreError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    try:
        if isinstance(found, Mapping) and "see" not in found and "view" in found:
            view = found["view"]  # records of earlier versions
            found = {**found, "see": VIEWS.get(view, view) if isinstance(view, str) else view}
        data = checked(found, _MODEL, "the record of a model")
        usage = Usage(**checked(data.pop("usage"), _USAGE, "the usage of a model"))
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
        found = [checked(line, _message_of(line), "an answer of a model") for line in lines]
    except StoreError as error:
        raise StoreError(f"{folder / MESSAGES}: {error}") from error
    messages, at = [], 0
    for data, line in zip(found, lines, strict=True):
        meant = max(1, len(data.pop("actions")))
        while at < len(steps) and steps[at].by != AGENT:
            at += 1
        if "step" in line:
            at, meant = min(data.pop("step"), len(steps)), data.pop("meant")
        count = _steps_of(steps[at:], meant)
        data["calls"] = tuple(data["calls"])
        messages.append(Message(first=at, steps=count, **data))
        at += count
    return tuple(messages)


def _message_of(line: object) -> dict[str, Check]:
    return _MESSAGE | _PLACED if isinstance(line, Mapping) and "step" in line else _MESSAGE


def _steps_of(following: Sequence[StepRecord], actions: int) -> int:
    """Return the number of executed actions of a reply.

    A refused action, or one of a person, drops the rest.
    """
    for place, step in enumerate(following[:actions]):
        if step.by != AGENT:
            return place
        if step.action_error:
            return place + 1
    return min(actions, len(following))
