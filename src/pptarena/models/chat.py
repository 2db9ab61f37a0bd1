"""OpenAI's chat completions: OpenAI itself, vLLM, SGLang, Ollama, OpenRouter and many others."""

import json
from abc import ABC
from collections.abc import Iterator, Sequence
from typing import Any

from pptarena.models.endpoint import Endpoint
from pptarena.models.http import guarded_client
from pptarena.models.messages import Answer, Call, Reply, Request, Turn, data_url
from pptarena.models.service import NO_KEY, ModelService

__all__ = ["ChatService", "OpenAiService", "chat_messages"]

_OPENAI = "https://api.openai.com/v1"
_NO_TEXT = "(no answer)"  # some servers reject an empty message


class OpenAiService(ModelService, ABC):
    """A service called through the ``openai`` client."""

    def __init__(self, endpoint: Endpoint, key: str) -> None:
        import openai

        super().__init__(endpoint, key)
        self._client = openai.OpenAI(
            api_key=key or NO_KEY,
            base_url=endpoint.base_url or _OPENAI,
            timeout=endpoint.timeout_sec,
            max_retries=0,
            http_client=guarded_client(openai.DefaultHttpxClient, endpoint, key),
        )
        self._address = self._client.base_url


class ChatService(OpenAiService):
    """Requests chat completions and embeddings."""

    def embed(self, model: str, texts: Sequence[str]) -> tuple[list[list[float]], int]:
        """Return the embedding of each text by another model, and the number of tokens.

        Raises:
            EndpointError: As `ask`.
        """

        def send() -> tuple[list[list[float]], int]:
            reply = self._client.embeddings.create(
                model=model, input=list(texts), encoding_format="float"
            )
            embeddings = [list(map(float, item.embedding)) for item in reply.data]
            if len(embeddings) != len(texts):
                raise ValueError(f"expected {len(texts)} embeddings, got {len(embeddings)}")
            return embeddings, reply.usage.prompt_tokens

        return self._retry(send)

    def _send(self, request: Request) -> Answer:
        endpoint = self._endpoint
        parameters: dict[str, Any] = {
            "model": endpoint.model,
            "messages": list(chat_messages(request)),
            endpoint.token_limit_field: endpoint.max_output_tokens,
        }
        if endpoint.temperature is not None:
            parameters["temperature"] = endpoint.temperature
        if endpoint.top_p is not None:
            parameters["top_p"] = endpoint.top_p
        if endpoint.json_mode:
            parameters["response_format"] = {"type": "json_object"}
        if request.tools:
            parameters["tools"] = request.tools
        return _answer(self._client.chat.completions.create(**parameters).model_dump())


def chat_messages(request: Request) -> Iterator[dict[str, Any]]:
    """Yield the messages of a request."""
    yield {"role": "system", "content": request.system}
    previous: Answer | None = None
    for turn in request.turns:
        for call in previous.reply.calls if previous else ():
            # Few servers accept a picture as the result of a tool, so it follows in a separate
            # message.
            yield {"role": "tool", "tool_call_id": call.id, "content": turn.text or "done"}
        yield {"role": "user", "content": _content(turn)}
        if turn.answer is not None:
            yield turn.answer.raw
        previous = turn.answer


def _content(turn: Turn) -> Any:
    if not turn.pictures:  # many servers for text models accept no lists
        return turn.text
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": data_url(part)}}
        for part in turn.parts
    ]


def _answer(completion: dict[str, Any]) -> Answer:
    choices = completion.get("choices") or []
    if not choices:
        raise ValueError(f"the reply contains no choice; error: {completion.get('error')}")
    choice, usage = choices[0], completion.get("usage") or {}
    message = choice["message"]
    text, refusal = message.get("content") or "", message.get("refusal")
    if not isinstance(text, str):
        raise TypeError("the content of the message is not text")
    tool_calls = [call for call in message.get("tool_calls") or [] if call.get("function")]
    calls = tuple(_call(call) for call in tool_calls)
    raw: dict[str, Any] = {"role": "assistant", "content": text if text or calls else _NO_TEXT}
    if calls:
        raw["tool_calls"] = [_encode_call(call) for call in calls]
    reason = choice.get("finish_reason")
    problem = "cut off" if reason == "length" else ""
    input_tokens = int(usage.get("prompt_tokens") or 0)
    # Some services count reasoning only in the total.
    output_tokens = int(usage.get("total_tokens") or 0) - input_tokens
    return Answer(
        Reply(text, calls),
        raw,
        message.get("reasoning_content") or message.get("reasoning") or "",
        input_tokens,
        max(output_tokens, int(usage.get("completion_tokens") or 0)),
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


def _encode_call(call: Call) -> dict[str, Any]:
    # Servers parse the arguments of earlier calls again and reject invalid JSON.
    function = {"name": call.name, "arguments": json.dumps(dict(call.arguments))}
    return {"id": call.id, "type": "function", "function": function}
