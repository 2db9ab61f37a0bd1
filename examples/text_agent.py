"""A language model plays from the accessibility tree alone, with any OpenAI-compatible service.

export OPENAI_API_KEY=... TEXT_AGENT_MODEL=...    # OPENAI_BASE_URL for other services
pptarena run --agent examples.text_agent:TextAgent --machine sandbox --out runs/text
"""

import os
from collections.abc import Mapping
from typing import Any

from openai import OpenAI
from pydantic import BaseModel

from pptarena.envs import observation_text

PROMPT = """You edit a presentation in LibreOffice Impress. The task: {task}
Answer with one action as JSON. Examples: {{"kind": "click", "element": 7}},
{{"kind": "double_click", "element": 7}}, {{"kind": "type", "text": "Hello"}},
{{"kind": "key", "keys": "ctrl+a"}}, {{"kind": "scroll", "element": 7, "amount": 3}},
{{"kind": "done"}} when the task is finished, {{"kind": "fail"}} when it cannot be done."""


class Answer(BaseModel):
    """The schema of the model's reply."""

    kind: str
    element: int = 0
    text: str = ""
    keys: str = ""
    amount: int = 0


class TextAgent:
    """Asks a model for every action; the conversation stays in its context."""

    def __init__(self) -> None:
        self._client = OpenAI()
        self._model = os.environ["TEXT_AGENT_MODEL"]
        self._messages: list[Any] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode."""
        self._messages = [{"role": "system", "content": PROMPT.format(task=info["instruction"])}]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
        """Ask for the next action."""
        refusal = f"Refused: {info['action_error']}\n" if info["action_error"] else ""
        self._messages.append({"role": "user", "content": refusal + observation_text(info)})
        reply = self._client.chat.completions.create(
            model=self._model,
            messages=self._messages,
            response_format={"type": "json_object"},
        )
        text = reply.choices[0].message.content or ""
        self._messages.append({"role": "assistant", "content": text})
        return Answer.model_validate_json(text).model_dump()
