"""Find the quoted texts of an instruction."""

import re

__all__ = ["quoted_texts", "remove_quoted_texts"]

_QUOTED = re.compile(r'"([^"\n]*)"|“([^”\n]*)”')


def quoted_texts(instruction: str, limit: int) -> tuple[str, ...]:
    """Return the first quoted texts in their order, at most `limit`."""
    matches = _QUOTED.finditer(instruction)
    texts = (text for match in matches if (text := match[1] or match[2] or ""))
    return tuple(text for text, _ in zip(texts, range(limit), strict=False))


def remove_quoted_texts(instruction: str) -> str:
    """Return an instruction without its quoted texts."""
    return _QUOTED.sub(' "" ', instruction)
