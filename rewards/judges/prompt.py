"""A prompt to a model: text and images, and the hash that identifies it."""

import hashlib
import json
from dataclasses import dataclass

from pptarena.untrusted import visible

__all__ = ["Prompt", "fence"]

_TOKENS_PER_PICTURE = 1600
_BYTES_PER_TOKEN = 2  # of text; a deliberate underestimate


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt to a model.

    Attributes:
        system: System message: the role, the scale and the format of the reply.
        parts: Contents in order: text, or the bytes of a PNG file.
    """

    system: str
    parts: tuple[str | bytes, ...]

    def digest(self, **settings: object) -> str:
        """Return the SHA-256, in hex, of everything that the reply may depend on."""
        parts = [
            ["text", part] if isinstance(part, str) else ["png", hashlib.sha256(part).hexdigest()]
            for part in self.parts
        ]
        whole = {"format": 1, "system": self.system, "parts": parts, "settings": settings}
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def estimated_tokens(self) -> int:
        """Return an upper estimate of the number of tokens."""
        text = len(_utf8(self.system))
        text += sum(len(_utf8(part)) for part in self.parts if isinstance(part, str))
        pictures = sum(isinstance(part, bytes) for part in self.parts)
        return text // _BYTES_PER_TOKEN + pictures * _TOKENS_PER_PICTURE + 1


def fence(name: str, data: object) -> str:
    """Return data of a deck as JSON between two marks that the data cannot contain.

    The marks contain a hash of the data, so the author of a deck cannot include the closing mark.
    No text of a deck can start a line: JSON escapes line feeds, and `visible` escapes the other
    line separators, such as U+2028 and U+0085, and all invisible characters.

    Args:
        name: Description of the data, one word of the prompt.
        data: Any JSON-serializable value.
    """
    text = visible(json.dumps(data, ensure_ascii=False, indent=1))
    mark = f"{name} {hashlib.sha256(_utf8(text)).hexdigest()[:12]}"
    return f"<<<{mark}\n{text}\n{mark}>>>"


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")
