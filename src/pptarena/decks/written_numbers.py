"""Parse numbers as people write them: signs, separators, decimal marks, currencies, units."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

__all__ = ["WrittenNumber", "decimal_mark", "plain_signs", "read_number", "same_number"]

_MAX_CHARS = 80
_SIGNS = str.maketrans(
    {
        "\N{MINUS SIGN}": "-",
        "\N{HYPHEN}": "-",
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{FIGURE DASH}": "-",
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{ARABIC DECIMAL SEPARATOR}": ".",
        "\N{ARABIC THOUSANDS SEPARATOR}": ",",
    }
)
# Footnote marks, which NFKC would turn into digits.
_RAISED = "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
_DASH = "-\N{EN DASH}\N{EM DASH}"
_DOWN = "\N{BLACK DOWN-POINTING TRIANGLE}\N{DOWNWARDS ARROW}"


def _pattern(mark: str, comma: str) -> re.Pattern[str]:
    """Return a pattern that matches one number and the text around it.

    Digits are grouped consistently by three with one separator, or as in India (12,34,567).
    """
    grouped = rf"[1-9]\d{{0,2}}(?P<by>{comma}|['\ ])\d{{3}}(?:(?P=by)\d{{3}})*(?!\d)"
    indian = rf"[1-9]\d?(?:{comma}\d\d)+{comma}\d{{3}}(?!\d)"
    whole = rf"(?:{grouped}|{indian}|\d+)"
    digits = rf"(?P<digits>{whole}(?:{mark}\d+)?|(?<!\d){mark}\d+)"
    return re.compile(rf"(?P<lead>\D*?){digits}(?P<power>[eE][-+]?\d{{1,3}})?(?P<tail>\D*)", re.A)


_PATTERNS = {".": _pattern(r"\.", ","), ",": _pattern(",", r"\.")}
_OTHER = {".": ",", ",": "."}


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A text that consists of one number.

    Attributes:
        value: The number, without the factor of a unit such as ``K``.
        digits: The digits as written, without separators and with a point as the decimal mark.
        before: Text before the number, such as a currency, without the sign.
        after: Text after the number, such as a unit.
        accounting: Whether the number is negative because it is in parentheses.
    """

    value: Decimal
    digits: str
    before: str = ""
    after: str = ""
    accounting: bool = False


def plain_signs(text: str) -> str:
    """Return a text with ASCII digits, single spaces, and plain minus signs and apostrophes.

    Dashes are kept because ranges contain them. Raised digits at the end (footnotes) are dropped.
    """
    text = unicodedata.normalize("NFKC", text.strip().rstrip(_RAISED).translate(_SIGNS))
    digits = (str(unicodedata.digit(c)) if c.isdecimal() else c for c in text.translate(_SIGNS))
    return " ".join("".join(digits).split())


@lru_cache(maxsize=4096)
def read_number(text: str, mark: str = ".") -> WrittenNumber | None:
    """Return the number in a text; None if there is no number, or more than one.

    Args:
        text: A text such as ``1,234.5``, ``-$5``, ``(500)``, ``12 %``, ``1.2K`` or
            ``CHF 1'000.-``.
        mark: The decimal mark, ``.`` or ``,``; the other one is the thousands separator.
    """
    found = _PATTERNS[mark].fullmatch(plain_signs(text)) if len(text) <= _MAX_CHARS else None
    if found is None or found["lead"][-1:] in (".", ",", "'"):
        return None
    lead, tail = found["lead"].strip(), found["tail"].strip()
    accounting = lead.count("(") == tail.count(")") == 1
    if accounting:
        lead, tail = lead.replace("(", "").strip(), tail.replace(")", "").strip()
    # 5.- is a Swiss price; 5- is a negative number in accounting.
    priced = re.fullmatch(rf"[.,][{_DASH}]+", tail)
    negative = lead[:1] in (*_DASH, *_DOWN) or lead[-1:] in (*_DASH,) or tail == "-"
    before, after = lead.strip(f"{_DASH} "), "" if priced or tail == "-" else tail
    digits = re.sub(rf"[{_OTHER[mark]}' ]", "", found["digits"]).replace(mark, ".")
    digits += found["power"] or ""
    value = Decimal(digits)
    value = -value if accounting or negative else value
    return WrittenNumber(value, digits, before, after, accounting)


def decimal_mark(texts: Iterable[str]) -> str | None:
    """Return the decimal mark of some texts; None if ambiguous or contradictory.

    ``1,234.5``, ``0.125`` and ``1,234,567`` have a point, ``12,5`` and ``1.234.567`` a comma;
    ``1,234`` and ``1.234`` may have either.
    """
    marks = set()
    for text in texts:
        readable = [mark for mark in _PATTERNS if read_number(text, mark) is not None]
        if len(readable) == 1:
            marks.add(readable[0])
    return marks.pop() if len(marks) == 1 else None


def same_number(text: str, wanted: str, others: Iterable[str] = ()) -> bool:
    """Return whether two texts are the same number, ignoring separators, spaces and minus styles.

    ``1,234`` equals ``1234``, ``1 234`` and ``1'234``; ``1.50`` does not equal ``1.5``, nor ``(5)``
    ``-5``. The decimal mark is taken from `wanted`, else from the other texts, such as those of the
    same table. If all are ambiguous, the point is the decimal mark.

    Args:
        text: The current text.
        wanted: The requested text.
        others: Texts by the same author.
    """
    if text == wanted or not (any(map(str.isdigit, text)) and any(map(str.isdigit, wanted))):
        return text == wanted
    mark = decimal_mark([wanted]) or decimal_mark(others) or decimal_mark([text]) or "."
    found, asked = read_number(text, mark), read_number(wanted, mark)
    return found is not None and asked is not None and _identity(found) == _identity(asked)


def _identity(number: WrittenNumber) -> tuple[object, ...]:
    around = (re.sub(r"\s+", "", each) for each in (number.before, number.after))
    return (number.value, number.digits, number.accounting, *around)
