"""A question to a model: text and pictures, and the hash that names it."""

import base64
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from pptarena.untrusted import visible

__all__ = ["Prompt", "fence", "whole_text"]

_TOKENS_PER_PICTURE = 1600
_BYTES_PER_TOKEN = 2  # of text; too low on purpose


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to a model.

    Attributes:
        system: Who the model is, the scale, and the form of the answer.
        parts: What it is shown, in order: text, or the bytes of a PNG file.
    """

    system: str
    parts: tuple[str | bytes, ...]

    def messages(self) -> list[dict[str, Any]]:
        """Return it as messages of OpenAI's chat completions, pictures as data URLs."""
        content: str | list[dict[str, Any]] = [_part(part) for part in self.parts]
        if all(isinstance(part, str) for part in self.parts):
            # Many servers of text models take no list.
            content = whole_text("\n\n".join(map(str, self.parts)))
        system = {"role": "system", "content": whole_text(self.system)}
        return [system, {"role": "user", "content": content}]

    def digest(self, **settings: object) -> str:
        """Return the SHA-256 of everything that the answer may depend on, in hex digits."""
        parts = [
            ["text", part] if isinstance(part, str) else ["png", hashlib.sha256(part).hexdigest()]
            for part in self.parts
        ]
        whole = {"format": 1, "system": self.system, "parts": parts, "settings": settings}
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def estimated_tokens(self) -> int:
        """Return how many tokens it is, rather too many."""
        text = len(_utf8(self.system))
        text += sum(len(_utf8(part)) for part in self.parts if isinstance(part, str))
        pictures = sum(isinstance(part, bytes) for part in self.parts)
        return text // _BYTES_PER_TOKEN + pictures * _TOKENS_PER_PICTURE + 1


def fence(name: str, data: object) -> str:
    """Return data of a deck as JSON between two marks that the data cannot contain.

    The mark is a hash of the data, so nobody who writes the deck can write the closing mark into
    it. No text of a deck begins a line of its own: JSON escapes line feeds, and `visible` the other
    line separators, such as U+2028 and U+0085, and all invisible characters.

    Args:
        name: What the data is, a word of the prompt.
        data: Anything that JSON can hold.
    """
    text = visible(json.dumps(data, ensure_ascii=False, indent=1))
    mark = f"{name} {hashlib.sha256(_utf8(text)).hexdigest()[:12]}"
    return f"<<<{mark}\n{text}\n{mark}>>>"


def whole_text(text: str) -> str:
    """Return a text without half characters, which JSON can hold and no request."""
    return _utf8(text).decode()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _part(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": whole_text(part)}
    url = f"data:image/png;base64,{base64.b64encode(part).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
