"""The texts that stand in quotation marks in an instruction."""

import re

__all__ = ["quoted_texts", "without_quoted"]

_QUOTED = re.compile(r'"([^"\n]*)"|“([^”\n]*)”')


def quoted_texts(instruction: str, most: int) -> tuple[str, ...]:
    """Return the first of them, at most so many, in the order in which they stand."""
    matches = _QUOTED.finditer(instruction)
    found = (text for each in matches if (text := each[1] or each[2] or ""))
    return tuple(text for text, _ in zip(found, range(most), strict=False))


def without_quoted(instruction: str) -> str:
    """Return what is left of an instruction without them."""
    return _QUOTED.sub(' "" ', instruction)
