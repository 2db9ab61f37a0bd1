"""Gemini, through the ``google-genai`` client."""

import importlib
from collections.abc import Iterator
from typing import Any

from pptarena.models.endpoint import Endpoint
from pptarena.models.http import guarded_client
from pptarena.models.messages import Answer, Call, Reply, Request, Turn
from pptarena.models.service import NO_KEY, ModelService

__all__ = ["GeminiService"]

_REFUSALS = frozenset({"SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"})
_ADDRESS = "https://generativelanguage.googleapis.com"


class GeminiService(ModelService):
    """Requests generated content."""

    def __init__(self, endpoint: Endpoint, key: str) -> None:
        from google import genai

        super().__init__(endpoint, key)
        self._http = guarded_client(_http_library().Client, endpoint, key)
        options: Any = {"timeout": round(endpoint.timeout_sec * 1000), "httpx_client": self._http}
        if endpoint.base_url is not None:
            options["base_url"] = endpoint.base_url
        self._client = genai.Client(api_key=key or NO_KEY, http_options=options)
        self._address = endpoint.base_url or _ADDRESS

    def close(self) -> None:
        """Close all connections."""
        super().close()
        self._http.close()

    def _send(self, request: Request) -> Answer:
        endpoint = self._endpoint
        config: dict[str, Any] = {
            "system_instruction": request.system,
            "tools": request.tools,
            "max_output_tokens": endpoint.max_output_tokens,
        }
        if endpoint.temperature is not None:
            config["temperature"] = endpoint.temperature
        if endpoint.top_p is not None:
            config["top_p"] = endpoint.top_p
        if endpoint.json_mode:
            config["response_mime_type"] = "application/json"
        contents = list(_contents(request))
        return _answer(
            self._client.models.generate_content(
                model=endpoint.model, contents=contents, config=config
            )
        )


def _http_library() -> Any:
    """Return httpx, which all versions of the client accept, or else its fork httpx2."""
    try:
        return importlib.import_module("httpx")
    except ImportError:
        return importlib.import_module("httpx2")


def _contents(request: Request) -> Iterator[Any]:
    previous: Answer | None = None
    for turn in request.turns:
        calls = previous.reply.calls if previous else ()
        parts: list[dict[str, Any]] = [{"function_response": _result(call, turn)} for call in calls]
        for part in turn.parts:
            image = {"inline_data": {"mime_type": "image/png", "data": part}}
            parts.append({"text": part} if isinstance(part, str) else image)
        yield {"role": "user", "parts": parts}
        if turn.answer is not None and turn.answer.raw is not None:
            yield turn.answer.raw
        previous = turn.answer


def _result(call: Call, turn: Turn) -> dict[str, Any]:
    response: dict[str, Any] = {"output": turn.text}
    if call.arguments.get("safety_decision"):
        response["safety_acknowledgement"] = "true"
    return {"name": call.name, "response": response, **({"id": call.id} if call.id else {})}


def _answer(response: Any) -> Answer:
    candidates, usage = response.candidates or [], response.usage_metadata
    content = candidates[0].content if candidates else None
    parts = (content.parts or []) if content else []
    reason = getattr(candidates[0].finish_reason, "name", "") if candidates else "SAFETY"
    texts = [part.text for part in parts if part.text and not part.thought]
    calls = tuple(
        Call(str(call.name), call.args or {}, call.id or "")
        for part in parts
        if (call := part.function_call)
    )
    problem = "cut off" if reason == "MAX_TOKENS" else ""
    thoughts = (usage.thoughts_token_count or 0) if usage else 0
    return Answer(
        Reply("\n".join(texts), calls),
        content,
        "\n".join(part.text for part in parts if part.text and part.thought),
        (usage.prompt_token_count or 0) if usage else 0,
        ((usage.candidates_token_count or 0) if usage else 0) + thoughts,
        "refused" if reason in _REFUSALS else problem,
    )
