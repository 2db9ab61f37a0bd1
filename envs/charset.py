"""The characters allowed in actions and observations: all of Unicode except controls."""

import unicodedata
from copy import copy
from functools import cache

from gymnasium.spaces import Text

from pptarena.envs.wide_text import CharacterRanges, WideText

__all__ = [
    "KEY_CHARSET",
    "charset",
    "common_characters",
    "describe_disallowed",
    "sanitize",
    "text_space",
]

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Fixed ranges instead of `unicodedata`: the space must not differ between Python versions.
# Excluded: controls other than tab and newline, surrogates, and noncharacters (Unicode 16, section
# 23.7): the last two of each plane and 32 others.
_RANGES = (
    (0x0009, 0x000A),
    (0x0020, 0x007E),
    (0x00A0, 0xD7FF),
    (0xE000, 0xFDCF),
    (0xFDF0, 0xFFFD),
    *((plane << 16, (plane << 16) + 0xFFFD) for plane in range(1, 17)),
)

# Random texts are drawn from these: scripts with many readers, symbols and emoji.
_SAMPLE_RANGES = (
    (0x0009, 0x000A),  # tab and newline
    (0x0020, 0x007E),
    (0x00A0, 0x00AC),  # 0x00AD, the soft hyphen, is invisible
    (0x00AE, 0x052F),  # Latin, phonetics, combining marks, Greek, Cyrillic
    (0x0531, 0x058F),  # Armenian
    (0x0591, 0x05F4),  # Hebrew
    (0x0606, 0x061B),  # Arabic, without its invisible marks
    (0x061D, 0x06FF),
    (0x0900, 0x0DFF),  # scripts of India and Sri Lanka
    (0x0E01, 0x0EFF),  # Thai, Lao
    (0x10A0, 0x10FF),  # Georgian
    (0x1E00, 0x200A),  # Latin additions (Vietnamese), Greek with accents, spaces
    (0x200C, 0x200D),  # joiners, needed by emoji and by scripts of India
    (0x2010, 0x2027),
    (0x202F, 0x205E),
    (0x2070, 0x2BFF),  # superscripts, currencies, arrows, mathematics, boxes, symbols
    (0x3000, 0x33FF),  # Chinese, Japanese and Korean punctuation, kana
    (0x4E00, 0x9FFF),  # ideographs
    (0xAC00, 0xD7A3),  # Hangul
    (0xFE0E, 0xFE0F),  # variation selectors of emoji
    (0xFF01, 0xFFEE),  # full-width forms
    (0xFFFD, 0xFFFD),
    (0x1F1E6, 0x1F1FF),  # flags
    (0x1F300, 0x1F6FF),  # emoji
    (0x1F7E0, 0x1F7EB),
    (0x1F900, 0x1FAFF),
)


_CHARACTERS = CharacterRanges(_RANGES)

KEY_CHARSET = frozenset(map(chr, range(0x20, 0x7F)))
"""The characters of key names: printable ASCII."""


def charset() -> CharacterRanges:
    """Return all characters allowed in texts of actions and observations, about 1.1 million."""
    return _CHARACTERS


@cache
def common_characters() -> str:
    """Return the characters that random texts are drawn from, about 41,000."""
    return CharacterRanges(_SAMPLE_RANGES).text


def describe_disallowed(text: str) -> str:
    """Describe the first character of a text that is not in `charset`; "" if all are."""
    found = _CHARACTERS.find_excluded(text)
    if found is None:
        return ""
    character, position = found[0], found.start() + 1
    label = f"U+{ord(character):04X}, character {position} of the text,"
    match unicodedata.category(character):
        case "Cs":
            return f"{label} is half of a surrogate pair: send the whole character instead"
        case "Cc":
            return f"{label} is a control character: only tab and newline are allowed"
        case _:
            return f"{label} is a noncharacter, which no document can contain"


def text_space(max_length: int) -> Text:
    """Return a space of texts of 0 to `max_length` characters of `charset`.

    Samples use `common_characters`. All returned spaces share the character tables (megabytes);
    each has its own random generator.
    """
    return copy(_shared_space(max_length))


@cache
def _shared_space(max_length: int) -> Text:
    return WideText(max_length, _CHARACTERS, common_characters())


def sanitize(text: str, max_length: int) -> str:
    """Replace disallowed characters and truncate the text to `max_length` with an ellipsis.

    Line endings become newlines; every other character outside `charset` becomes U+FFFD.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n")
    if len(text) > max_length:
        text = text[: max_length - 1] + "…"
    return _CHARACTERS.replace_excluded(text, REPLACEMENT)
