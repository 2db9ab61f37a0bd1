"""OpenAI's Responses API, for the ``computer`` tool."""

from collections.abc import Iterator
from typing import Any

from pptarena.models.chat import OpenAiService
from pptarena.models.messages import Answer, Call, Reply, Request, Turn, data_url

__all__ = ["ResponsesService"]

_PREVIEW = "computer_use_preview"
_CUT_OFF = "max_output_tokens"


class ResponsesService(OpenAiService):
    """Requests responses. The service stores nothing, so each request contains all turns."""

    def _send(self, request: Request) -> Answer:
        endpoint = self._endpoint
        parameters: dict[str, Any] = {
            "model": endpoint.model,
            "instructions": request.system,
            "input": list(_items(request)),
            "tools": request.tools,
            "max_output_tokens": endpoint.max_output_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }
        if endpoint.temperature is not None:
            parameters["temperature"] = endpoint.temperature
        if endpoint.top_p is not None:
            parameters["top_p"] = endpoint.top_p
        if any(tool.get("type") == _PREVIEW for tool in request.tools):
            parameters["truncation"] = "auto"  # the older tool requires it
        return _answer(self._client.responses.create(**parameters).model_dump(exclude_none=True))


def _items(request: Request) -> Iterator[dict[str, Any]]:
    previous: Answer | None = None
    for turn in request.turns:
        calls = [call for call in previous.reply.calls if call.id] if previous else []
        for call in calls:
            yield _output(call, turn)
        if parts := (turn.without_screen() if calls else turn).parts:
            yield {"role": "user", "content": [_part(part) for part in parts]}
        if turn.answer is not None:
            yield from turn.answer.raw
        previous = turn.answer


def _part(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    return {"type": "input_image", "image_url": data_url(part), "detail": "original"}


def _output(call: Call, turn: Turn) -> dict[str, Any]:
    # The service requires a picture for every call; one pixel stands in for pictures that are no
    # longer sent.
    url = data_url(turn.pictures[-1]) if turn.pictures else _PIXEL
    screenshot = {"type": "computer_screenshot", "image_url": url, "detail": "original"}
    checks = call.arguments.get("pending_safety_checks") or []
    return {
        "type": "computer_call_output",
        "call_id": call.id,
        "output": screenshot,
        "acknowledged_safety_checks": checks,
    }


_PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD"
    "hgGAWjR9awAAAABJRU5ErkJggg=="
)


def _answer(response: dict[str, Any]) -> Answer:
    items = response.get("output") or []
    texts, refused = [], False
    for item in items:
        for part in item.get("content") or [] if item.get("type") == "message" else []:
            refused = refused or part.get("type") == "refusal"
            texts.append(part.get("text") or "")
    calls = tuple(
        Call("computer", item, str(item.get("call_id") or ""))
        for item in items
        if item.get("type") == "computer_call"
    )
    usage, details = response.get("usage") or {}, response.get("incomplete_details") or {}
    reason = details.get("reason")
    problem = "cut off" if reason == _CUT_OFF else ""
    return Answer(
        Reply("\n".join(filter(None, texts)), calls),
        items,
        _thought(items),
        usage.get("input_tokens") or 0,
        usage.get("output_tokens") or 0,
        "refused" if refused or reason == "content_filter" else problem,
    )


def _thought(items: list[dict[str, Any]]) -> str:
    parts = [part for item in items if item.get("type") == "reasoning" for part in item["summary"]]
    return "\n".join(str(part.get("text") or "") for part in parts)
