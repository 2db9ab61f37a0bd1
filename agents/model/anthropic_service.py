"""Anthropic's Messages API, through the ``anthropic`` client."""

from collections.abc import Iterator
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

__all__ = ["AnthropicService"]

_NO_KEY = "none"


class AnthropicService:
    """Requests messages; the client retries lost requests.

    Args:
        settings: Settings of the model.
        dialect: Its ``beta`` is the header that its tool requires.
        key: The API key, or an empty text.

    Raises:
        ConfigError: If the package is not installed.
    """

    def __init__(self, settings: ModelSettings, dialect: Dialect, key: str) -> None:
        require_package("anthropic", "anthropic")
        import anthropic

        self._settings, self._key = settings, key
        self._beta: str | None = getattr(dialect, "beta", None)
        self._client: Any = anthropic.Anthropic(
            api_key=key or _NO_KEY,
            base_url=settings.base_url,
            timeout=settings.timeout_sec,
            max_retries=settings.retries,
        )

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def ask(self, request: Request) -> Answer:
        """Return the next reply."""
        import anthropic

        settings = self._settings
        asked: dict[str, Any] = {
            "model": settings.model,
            "system": request.system,
            "messages": list(_messages(request)),
            "tools": request.tools,
            "max_tokens": settings.max_output_tokens,
        }
        if settings.temperature is not None:
            asked["temperature"] = settings.temperature
        if self._beta is not None:
            asked["betas"] = [self._beta]
        try:
            message = self._client.beta.messages.create(**asked)
            return _answer(message.model_dump(exclude_none=True))
        except anthropic.APIStatusError as error:
            raise endpoint_error(
                error, error.status_code, self._key, self._client.base_url
            ) from None
        except (
            anthropic.AnthropicError,
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
        ) as error:
            raise endpoint_error(error, None, self._key, self._client.base_url) from None


def _messages(request: Request) -> Iterator[dict[str, Any]]:
    before: Answer | None = None
    for turn in request.turns:
        calls = before.reply.calls if before else ()
        shown = _content(turn)
        results: list[dict[str, Any]] = [
            # Every call of a reply needs a result; the actual result is with the last one.
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": shown if call is calls[-1] else "done",
                **_toolset(before, call),
            }
            for call in calls
        ]
        yield {"role": "user", "content": results or shown}
        if turn.answer is not None:
            empty = [{"type": "text", "text": "(no answer)"}]
            yield {"role": "assistant", "content": turn.answer.raw or empty}
        before = turn.answer


def _toolset(answer: Answer | None, call: Call) -> dict[str, Any]:
    blocks = answer.raw if answer else []
    names = (block.get("toolset_name") for block in blocks if block.get("id") == call.id)
    return {"toolset_name": name} if (name := next(names, None)) else {}


def _content(turn: Turn) -> list[dict[str, Any]]:
    words = {"type": "text", "text": turn.text}
    if turn.picture is None:
        return [words]
    source = {"type": "base64", "media_type": "image/png", "data": turn.picture.base64}
    return [{"type": "image", "source": source}, words]


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
