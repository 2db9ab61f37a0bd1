"""OpenAI's chat completions: OpenAI itself, vLLM, SGLang, Ollama, OpenRouter and many others."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from pptarena.agents.dialects import Call, Dialect, Reply
from pptarena.agents.model.service import (
    Answer,
    Request,
    Turn,
    endpoint_error,
    require_package,
)
from pptarena.agents.model.settings import ModelSettings
from pptarena.errors import EndpointError

__all__ = ["ChatService", "OpenAiService", "answered", "open_client"]

_OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"  # the client requires a string, even if the server needs no key


class OpenAiService:
    """A service called through the ``openai`` client, which retries failed requests.

    Args:
        settings: Settings of the model.
        dialect: Not used.
        key: The API key, or an empty text.
    """

    def __init__(self, settings: ModelSettings, dialect: Dialect, key: str) -> None:
        self._settings, self._key = settings, key
        self._client = open_client(settings, key)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


class ChatService(OpenAiService):
    """Asks for chat completions."""

    def ask(self, request: Request) -> Answer:
        """Return the next reply."""
        settings = self._settings
        asked: dict[str, Any] = {
            "model": settings.model,
            "messages": list(_messages(request)),
            settings.token_limit_field: settings.max_output_tokens,
        }
        if settings.temperature is not None:
            asked["temperature"] = settings.temperature
        if request.tools:
            asked["tools"] = request.tools
        return answered(
            lambda: _answer(self._client.chat.completions.create(**asked).model_dump()),
            self._key,
            self._client.base_url,
        )


def answered(ask: Callable[[], Answer], key: str, address: object) -> Answer:
    """Return the result of a request through the ``openai`` client.

    Raises:
        EndpointError: If there is no answer, or it has an unexpected form.
    """
    import openai

    try:
        return ask()
    except openai.APIStatusError as error:
        raise endpoint_error(error, error.status_code, key, address) from None
    except (openai.OpenAIError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise endpoint_error(error, None, key, address) from None


def open_client(settings: ModelSettings, key: str) -> Any:
    """Return a client of the ``openai`` package.

    Raises:
        ConfigError: If it is not installed.
    """
    require_package("openai", "openai")
    import openai

    return openai.OpenAI(
        api_key=key or _NO_KEY,
        base_url=settings.base_url or _OPENAI,
        timeout=settings.timeout_sec,
        max_retries=settings.retries,
    )


def _messages(request: Request) -> Iterator[dict[str, Any]]:
    yield {"role": "system", "content": request.system}
    before: Answer | None = None
    for turn in request.turns:
        for call in before.reply.calls if before else ():
            # Few servers accept a picture as the result of a tool, so it follows in a separate
            # message.
            yield {"role": "tool", "tool_call_id": call.id, "content": turn.text}
        yield {"role": "user", "content": _content(turn)}
        if turn.answer is not None:
            yield turn.answer.raw
        before = turn.answer


def _content(turn: Turn) -> Any:
    if turn.picture is None:
        return turn.text
    image = {"type": "image_url", "image_url": {"url": turn.picture.url}}
    return [image, {"type": "text", "text": turn.text}]


def _answer(completion: dict[str, Any]) -> Answer:
    choices = completion.get("choices") or []
    if not choices:
        raise EndpointError(f"the service did not answer: {str(completion.get('error'))[:200]}")
    choice, usage = choices[0], completion.get("usage") or {}
    message = choice["message"]
    text, refusal = message.get("content") or "", message.get("refusal")
    made = [call for call in message.get("tool_calls") or [] if call.get("function")]
    calls = tuple(_call(call) for call in made)
    raw: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        raw["tool_calls"] = [_sent_back(call) for call in calls]
    reason = choice.get("finish_reason")
    problem = "cut off" if reason == "length" else ""
    return Answer(
        Reply(text, calls),
        raw,
        message.get("reasoning_content") or message.get("reasoning") or "",
        usage.get("prompt_tokens") or 0,
        usage.get("completion_tokens") or 0,
        "refused" if refusal or reason == "content_filter" else problem,
    )


def _call(call: dict[str, Any]) -> Call:
    function = call["function"]
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except (ValueError, RecursionError):
        arguments = {"arguments": "no JSON"}
    return Call(
        str(function.get("name")),
        arguments if isinstance(arguments, dict) else {"arguments": "no object"},
        str(call.get("id")),
    )


def _sent_back(call: Call) -> dict[str, Any]:
    # Servers parse the arguments of earlier calls again and reject invalid JSON.
    function = {"name": call.name, "arguments": json.dumps(dict(call.arguments))}
    return {"id": call.id, "type": "function", "function": function}
