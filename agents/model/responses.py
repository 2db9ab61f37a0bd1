"""OpenAI's Responses API, for the ``computer`` tool."""

from collections.abc import Iterator
from typing import Any

from pptarena.agents.dialects import Call, Reply
from pptarena.agents.model.chat import OpenAiService, answered
from pptarena.agents.model.service import Answer, Request, Turn

__all__ = ["ResponsesService"]

_CUT_OFF = "max_output_tokens"


class ResponsesService(OpenAiService):
    """Asks for responses; the service stores nothing, so each request contains all turns."""

    def ask(self, request: Request) -> Answer:
        """Return the next reply."""
        settings = self._settings
        asked: dict[str, Any] = {
            "model": settings.model,
            "instructions": request.system,
            "input": list(_items(request)),
            "tools": request.tools,
            "max_output_tokens": settings.max_output_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }
        if settings.temperature is not None:
            asked["temperature"] = settings.temperature
        create = self._client.responses.create
        return answered(
            lambda: _answer(create(**asked).model_dump(exclude_none=True)),
            self._key,
            self._client.base_url,
        )


def _items(request: Request) -> Iterator[dict[str, Any]]:
    before: Answer | None = None
    for turn in request.turns:
        calls = [call for call in before.reply.calls if call.id] if before else []
        for call in calls:
            yield _output(call, turn)
        picture = [] if calls or turn.picture is None else [_image(turn)]
        yield {"role": "user", "content": [*picture, {"type": "input_text", "text": turn.text}]}
        if turn.answer is not None:
            yield from turn.answer.raw
        before = turn.answer


def _image(turn: Turn) -> dict[str, Any]:
    assert turn.picture is not None
    return {"type": "input_image", "image_url": turn.picture.url, "detail": "original"}


def _output(call: Call, turn: Turn) -> dict[str, Any]:
    # The service requires a picture for every call; one pixel stands in for pictures that are no
    # longer sent.
    url = turn.picture.url if turn.picture else _PIXEL
    seen = {"type": "computer_screenshot", "image_url": url, "detail": "original"}
    checks = call.arguments.get("pending_safety_checks") or []
    return {
        "type": "computer_call_output",
        "call_id": call.id,
        "output": seen,
        "acknowledged_safety_checks": checks,
    }


_PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD"
    "hgGAWjR9awAAAABJRU5ErkJggg=="
)


def _answer(response: dict[str, Any]) -> Answer:
    items = response.get("output") or []
    words, refused = [], False
    for item in items:
        for part in item.get("content") or [] if item.get("type") == "message" else []:
            refused = refused or part.get("type") == "refusal"
            words.append(part.get("text") or "")
    calls = tuple(
        Call("computer", item, str(item.get("call_id") or ""))
        for item in items
        if item.get("type") == "computer_call"
    )
    usage, why = response.get("usage") or {}, response.get("incomplete_details") or {}
    reason = why.get("reason")
    problem = "cut off" if reason == _CUT_OFF else ""
    return Answer(
        Reply("\n".join(filter(None, words)), calls),
        items,
        _thought(items),
        usage.get("input_tokens") or 0,
        usage.get("output_tokens") or 0,
        "refused" if refused or reason == "content_filter" else problem,
    )


def _thought(items: list[dict[str, Any]]) -> str:
    parts = [part for item in items if item.get("type") == "reasoning" for part in item["summary"]]
    return "\n".join(str(part.get("text") or "") for part in parts)
