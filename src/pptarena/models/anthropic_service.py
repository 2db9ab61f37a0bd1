"""Anthropic's Messages API, through the ``anthropic`` client."""

from collections.abc import Iterator
from typing import Any

from pptarena.models.endpoint import Endpoint
from pptarena.models.http import guarded_client
from pptarena.models.messages import Answer, Call, Reply, Request, Turn, as_base64
from pptarena.models.service import NO_KEY, ModelService

__all__ = ["AnthropicService"]


class AnthropicService(ModelService):
    """Calls the Messages API."""

    def __init__(self, endpoint: Endpoint, key: str) -> None:
        import anthropic

        super().__init__(endpoint, key)
        self._client = anthropic.Anthropic(
            api_key=key or NO_KEY,
            base_url=endpoint.base_url,
            timeout=endpoint.timeout_sec,
            max_retries=0,
            http_client=guarded_client(anthropic.DefaultHttpxClient, endpoint, key),
        )
        self._address = self._client.base_url

    def _send(self, request: Request) -> Answer:
        endpoint = self._endpoint
        parameters: dict[str, Any] = {
            "model": endpoint.model,
            "system": request.system,
            "messages": list(_messages(request)),
            "max_tokens": endpoint.max_output_tokens,
        }
        if request.tools:
            parameters["tools"] = request.tools
        # Newer versions of the client do not accept these as parameters.
        sampling = {"temperature": endpoint.temperature, "top_p": endpoint.top_p}
        if set_sampling := {name: value for name, value in sampling.items() if value is not None}:
            parameters["extra_body"] = set_sampling
        if endpoint.beta is not None:
            parameters["betas"] = [endpoint.beta]
        return _answer(
            self._client.beta.messages.create(**parameters).model_dump(exclude_none=True)
        )


def _messages(request: Request) -> Iterator[dict[str, Any]]:
    previous: Answer | None = None
    for turn in request.turns:
        calls = previous.reply.calls if previous else ()
        content = _content(turn)
        results: list[dict[str, Any]] = [
            # Every call of a reply needs a result; the last one gets the actual result.
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": content if call is calls[-1] else "done",
                **_toolset(previous, call),
            }
            for call in calls
        ]
        yield {"role": "user", "content": results or content}
        if turn.answer is not None:
            empty = [{"type": "text", "text": "(no answer)"}]
            yield {"role": "assistant", "content": turn.answer.raw or empty}
        previous = turn.answer


def _toolset(answer: Answer | None, call: Call) -> dict[str, Any]:
    blocks = answer.raw if answer else []
    toolsets = (block.get("toolset_name") for block in blocks if block.get("id") == call.id)
    return {"toolset_name": name} if (name := next(toolsets, None)) else {}


def _content(turn: Turn) -> list[dict[str, Any]]:
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": as_base64(part)},
        }
        for part in turn.parts
    ]


def _answer(message: dict[str, Any]) -> Answer:
    blocks = message.get("content") or []
    text = "\n".join(block["text"] for block in blocks if block.get("type") == "text")
    calls = tuple(
        Call(str(block.get("name")), block.get("input") or {}, str(block.get("id")))
        for block in blocks
        if block.get("type") == "tool_use"
    )
    thoughts = (block.get("thinking") or "" for block in blocks if block.get("type") == "thinking")
    usage = message.get("usage") or {}
    problems = {"max_tokens": "cut off", "refusal": "refused"}
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return Answer(
        Reply(text, calls),
        blocks,
        "\n".join(thoughts),
        (usage.get("input_tokens") or 0) + sum(usage.get(name) or 0 for name in cached),
        usage.get("output_tokens") or 0,
        problems.get(str(message.get("stop_reason")), ""),
    )
