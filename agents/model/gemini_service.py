"""Gemini, through the ``google-genai`` client."""

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

__all__ = ["GeminiService"]

_REFUSALS = frozenset({"SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"})
_TRY_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_FIRST_PAUSE_SEC, _LONGEST_PAUSE_SEC = 0.5, 30.0
_NO_KEY = "none"
_ADDRESS = "https://generativelanguage.googleapis.com"


class GeminiService:
    """Requests generated content, and retries lost requests.

    The client's own retries are not used: they give up when a connection breaks.

    Args:
        settings: Settings of the model.
        dialect: Not used.
        key: The API key, or an empty text.

    Raises:
        ConfigError: If the package is not installed.
    """

    def __init__(self, settings: ModelSettings, dialect: Dialect, key: str) -> None:
        require_package("google.genai", "google-genai")
        from google import genai

        self._settings, self._key = settings, key
        options: Any = {"timeout": round(settings.timeout_sec * 1000)}
        if settings.base_url is not None:
            options["base_url"] = settings.base_url
        self._client: Any = genai.Client(api_key=key or _NO_KEY, http_options=options)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def ask(self, request: Request) -> Answer:
        """Return the next reply."""
        import tenacity
        from google.genai import errors

        settings = self._settings
        address = settings.base_url or _ADDRESS
        config: dict[str, Any] = {
            "system_instruction": request.system,
            "tools": request.tools,
            "max_output_tokens": settings.max_output_tokens,
        }
        if settings.temperature is not None:
            config["temperature"] = settings.temperature
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(settings.retries + 1),
            wait=tenacity.wait_exponential_jitter(initial=_FIRST_PAUSE_SEC, max=_LONGEST_PAUSE_SEC),
            retry=tenacity.retry_if_exception(_is_lost),
            reraise=True,
        )
        try:
            return _answer(
                retrying(
                    self._client.models.generate_content,
                    model=settings.model,
                    contents=list(_contents(request)),
                    config=config,
                )
            )
        except errors.APIError as error:
            raise endpoint_error(error, error.code, self._key, address) from None
        except Exception as error:  # noqa: BLE001 - of whatever HTTP library it builds on
            raise endpoint_error(error, None, self._key, address) from None


def _is_lost(error: BaseException) -> bool:
    """Return whether to retry; checked by name because the client uses httpx or a fork of it."""
    broken = any(each.__name__ == "TransportError" for each in type(error).__mro__)
    return broken or getattr(error, "code", None) in _TRY_AGAIN


def _contents(request: Request) -> Iterator[Any]:
    before: Answer | None = None
    for turn in request.turns:
        calls = before.reply.calls if before else ()
        parts: list[dict[str, Any]] = [{"function_response": _result(call, turn)} for call in calls]
        if turn.picture is not None:
            parts.append({"inline_data": {"mime_type": "image/png", "data": turn.picture.png}})
        yield {"role": "user", "parts": [*parts, {"text": turn.text}]}
        if turn.answer is not None and turn.answer.raw is not None:
            yield turn.answer.raw
        before = turn.answer


def _result(call: Call, turn: Turn) -> dict[str, Any]:
    said: dict[str, Any] = {"output": turn.text}
    if call.arguments.get("safety_decision"):
        said["safety_acknowledgement"] = "true"
    return {"name": call.name, "response": said, **({"id": call.id} if call.id else {})}


def _answer(response: Any) -> Answer:
    candidates, usage = response.candidates or [], response.usage_metadata
    content = candidates[0].content if candidates else None
    parts = (content.parts or []) if content else []
    reason = getattr(candidates[0].finish_reason, "name", "") if candidates else "SAFETY"
    texts = [part.text for part in parts if part.text and not part.thought]
    calls = tuple(
        Call(str(each.name), each.args or {}, each.id or "")
        for part in parts
        if (each := part.function_call)
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
