"""Compare texts regardless of quote style, dashes, whitespace, width and invisible characters."""

import re
from functools import lru_cache
from typing import Final

__all__ = [
    "has_hidden_text",
    "normalize_line",
    "normalize_spaces",
    "same_text",
    "strip_final_period",
    "strip_invisible",
    "strip_quotes",
]

_INVISIBLE: Final = "\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
# These two affect how letters of some scripts and emoji join.
_JOINERS: Final = "\u200c\u200d"
_FIRST_JOINED: Final = "\u0590"
_MAX_INVISIBLE: Final = 3

_DOUBLE: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f"
_SINGLE: Final = "\u2018\u2019\u201a\u201b\u2039\u203a\u02bc\u00b4"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_PLAIN_CHARACTERS: Final = str.maketrans(
    dict.fromkeys(_DOUBLE, '"')
    | dict.fromkeys(_SINGLE, "'")
    | dict.fromkeys(_DASHES, "-")
    | {"\u2026": "..."}
)
_EAST_ASIAN: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_SPACES: Final = str.maketrans(dict.fromkeys("\u00a0\u202f\u2007\u2009", " "))
_FULL_WIDTH: Final = str.maketrans({code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)})
# French has spaces inside quotation marks. A match starts where a run of whitespace starts: trying
# every character of the run would take quadratic time.
_SPACE_IN_QUOTES: Final = re.compile(r"(?<=[\u00ab\u2039])\s+|(?<!\s)\s+(?=[\u00bb\u203a])")
_COMPOUND_NUMBER: Final = re.compile(
    r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-"
    r"(one|two|three|four|five|six|seven|eight|nine)\b"
    r"|\b(vingt|trente|quarante|cinquante|soixante|quatre)-"
    r"(et-un|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|vingts?)\b",
    re.IGNORECASE,
)
_FINAL_PERIOD: Final = re.compile(r"(?<=[^\W_]|[\"')\]%])[.\u3002](?=[\"')\]]?$)")
_QUOTED: Final = re.compile(r"([\"'])(?P<text>.+)\1(?P<stop>[.!?]?)")
_SENTENCE_ENDS: Final = (".", "!", "?", "...", "\u3002")


def same_text(first: str, second: str) -> bool:
    """Return whether two texts read the same to a viewer, line by line.

    Ignored are the style of quotation marks and dashes, types of whitespace, full-width forms in
    Chinese, Japanese and Korean, hyphens in written-out numbers, a period at the end of a line,
    quotation marks around an entire sentence, and a few invisible characters. Many invisible
    characters count as a difference because they break search and screen readers.
    """
    if first == second:
        return True
    if has_hidden_text(first) != has_hidden_text(second):
        return False
    old, new = ([normalize_line(line) for line in _lines(text)] for text in (first, second))
    return len(old) == len(new) and all(map(_same_line, old, new))


def _same_line(first: str, second: str) -> bool:
    if strip_final_period(first) == strip_final_period(second):
        return True
    unquoted = [strip_quotes(each) for each in (first, second)]
    is_sentence = any(each.endswith(_SENTENCE_ENDS) for each in unquoted)
    return is_sentence and strip_final_period(unquoted[0]) == strip_final_period(unquoted[1])


@lru_cache(maxsize=8192)
def normalize_line(text: str) -> str:
    """Return the normal form of a line; letter case and final periods are kept."""
    plain = _SPACE_IN_QUOTES.sub("", strip_invisible(text)).translate(_PLAIN_CHARACTERS)
    if _EAST_ASIAN.search(plain):
        plain = plain.translate(_FULL_WIDTH)
    return _COMPOUND_NUMBER.sub(lambda match: match[0].replace("-", " "), " ".join(plain.split()))


def strip_final_period(line: str) -> str:
    """Return a `normalize_line` without a final period; an ellipsis stays."""
    return _FINAL_PERIOD.sub("", line)


def strip_quotes(line: str) -> str:
    """Return a `normalize_line` without quotation marks around the entire line."""
    match = _QUOTED.fullmatch(line)
    if match is None or match[1] in match["text"]:
        return line
    return match["text"].strip() + match["stop"]


def strip_invisible(text: str) -> str:
    """Return a text without invisible characters; joiners in scripts that need them stay."""
    if text.isascii() or not any(char in text for char in _INVISIBLE):
        return text
    return "".join(
        char
        for position, char in enumerate(text)
        if char not in _INVISIBLE or (char in _JOINERS and _is_joiner_needed(text, position))
    )


def normalize_spaces(text: str) -> str:
    """Return a text without invisible characters, with normal spaces for non-breaking ones."""
    return text if text.isascii() else strip_invisible(text).translate(_SPACES)


def has_hidden_text(text: str) -> bool:
    """Return whether a text has more invisible characters than typing or pasting leaves behind.

    Allowed are three, or one per four letters, such as soft hyphens between syllables.
    """
    if text.isascii():
        return False
    plain = strip_invisible(text)
    return len(text) - len(plain) > max(_MAX_INVISIBLE, sum(map(str.isalnum, plain)) // 4)


def _is_joiner_needed(text: str, position: int) -> bool:
    neighbors = text[max(0, position - 1) : position] + text[position + 1 : position + 2]
    return any(char >= _FIRST_JOINED and char not in _INVISIBLE for char in neighbors)


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"[\n\v]", text) if line.strip()]
