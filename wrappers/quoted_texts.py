"""Find the quoted texts of an instruction."""

import re

__all__ = ["quoted_texts", "without_quoted"]

_QUOTED = re.compile(r'"([^"\n]*)"|“([^”\n]*)”')


def quoted_texts(instruction: str, most: int) -> tuple[str, ...]:
    """Return the first quoted texts in their order, at most `most`."""
    matches = _QUOTED.finditer(instruction)
    found = (text for each in matches if (text := each[1] or each[2] or ""))
    return tuple(text for text, _ in zip(found, range(most), strict=False))


def without_quoted(instruction: str) -> str:
    """Return an instruction without its quoted texts."""
    return _QUOTED.sub(' "" ', instruction)
