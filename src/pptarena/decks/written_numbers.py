"""Parse numbers as people write them: signs, separators, decimal marks, currencies, units."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

__all__ = [
    "WrittenNumber",
    "decimal_mark",
    "fraction_of",
    "normalize_signs",
    "number_of",
    "range_of",
    "read_number",
    "same_number",
    "unit_factors",
    "unit_of",
]

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
_SUPERSCRIPTS = "\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079"
_DASH = "-\N{EN DASH}\N{EM DASH}"
_NEGATIVE_MARKS = "\N{BLACK DOWN-POINTING TRIANGLE}\N{DOWNWARDS ARROW}"


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
_SEPARATOR_BY_MARK = {".": ",", ",": "."}


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


def normalize_signs(text: str) -> str:
    """Return a text with ASCII digits, single spaces, and plain minus signs and apostrophes.

    Dashes are kept because ranges contain them. Raised digits at the end (footnotes) are dropped.
    """
    text = unicodedata.normalize("NFKC", text.strip().rstrip(_SUPERSCRIPTS).translate(_SIGNS))
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
    match = _PATTERNS[mark].fullmatch(normalize_signs(text)) if len(text) <= _MAX_CHARS else None
    if match is None or match["lead"][-1:] in (".", ",", "'"):
        return None
    lead, tail = match["lead"].strip(), match["tail"].strip()
    accounting = lead.count("(") == tail.count(")") == 1
    if accounting:
        lead, tail = lead.replace("(", "").strip(), tail.replace(")", "").strip()
    # 5.- is a Swiss price; 5- is a negative number in accounting.
    is_price = re.fullmatch(rf"[.,][{_DASH}]+", tail)
    is_negative = lead[:1] in (*_DASH, *_NEGATIVE_MARKS) or lead[-1:] in (*_DASH,) or tail == "-"
    before, after = lead.strip(f"{_DASH} "), "" if is_price or tail == "-" else tail
    digits = re.sub(rf"[{_SEPARATOR_BY_MARK[mark]}' ]", "", match["digits"]).replace(mark, ".")
    digits += match["power"] or ""
    value = Decimal(digits)
    value = -value if accounting or is_negative else value
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


def same_number(text: str, expected: str, others: Iterable[str] = ()) -> bool:
    """Return whether two texts are the same number, ignoring separators, spaces and minus styles.

    ``1,234`` equals ``1234``, ``1 234`` and ``1'234``; ``1.50`` does not equal ``1.5``, nor ``(5)``
    ``-5``. The decimal mark is taken from `expected`, else from the other texts, such as those of
    the same table. If all are ambiguous, the point is the decimal mark.

    Args:
        text: The current text.
        expected: The requested text.
        others: Texts by the same author.
    """
    if text == expected or not (any(map(str.isdigit, text)) and any(map(str.isdigit, expected))):
        return text == expected
    mark = decimal_mark([expected]) or decimal_mark(others) or decimal_mark([text]) or "."
    number, expected_number = read_number(text, mark), read_number(expected, mark)
    return (
        number is not None
        and expected_number is not None
        and _identity(number) == _identity(expected_number)
    )


def _identity(number: WrittenNumber) -> tuple[object, ...]:
    labels = (re.sub(r"\s+", "", each) for each in (number.before, number.after))
    return (number.value, number.digits, number.accounting, *labels)


_LABEL_TEXTS = (
    "* # ~ ≈ ± + +/- \u25b2 \u25bc \u2191 \u2193"
    " ca ca. c. circa about approx. approx around no no. nr."
    " kr kr. rs rs. fr fr. sfr sfr. zl usd eur gbp jpy cny rmb chf sek nok dkk isk inr cad aud nzd"
    " brl mxn pln czk huf ron try krw twd hkd sgd thb idr myr php vnd zar egp ils sar aed uah rub"
)
_LABELS = frozenset(_LABEL_TEXTS.split())
_THOUSANDS: Final[Mapping[str, Decimal]] = {
    unit: Decimal(f"1e{power}")
    for power, units in {
        0: " ",
        3: "k thousand tsd tsd. 千",
        4: "万",
        6: "m mm mn mio mio. mill mill. million millions",
        8: "億",
        9: "b bn billion billions mrd mrd. md milliarden milliards",
        12: "t tn trillion trillions bio bio. 兆",
    }.items()
    for unit in (units.split() or [""])
}
# Units of one family are compared by size: m means million next to bn, and meter next to km.
_FAMILIES: Final[tuple[Mapping[str, Decimal], ...]] = tuple(
    {unit: Decimal(factor) for unit, factor in (each.split(":") for each in family.split())}
    for family in (
        "mm:0.001 cm:0.01 m:1 km:1000",
        "mg:0.001 g:1 kg:1000 t:1000000",
        "ms:0.001 s:1 sec:1 min:60 h:3600 hr:3600 hrs:3600 day:86400 days:86400",
        "day:1 days:1 week:7 weeks:7 month:30 months:30 year:365 years:365",
        "b:1 kb:1e3 mb:1e6 gb:1e9 tb:1e12 pb:1e15",
        "w:1 kw:1e3 mw:1e6 gw:1e9 tw:1e12",
        "ml:0.001 cl:0.01 l:1 hl:100",
        "bp:0.01 bps:0.01 %:1",
    )
)
# Denominators of fractions; with others, such as 3/15 and 4/22, a date is more likely.
_DENOMINATORS = frozenset((2, 3, 4, 5, 6, 8, 10, 12, 16, 32, 64, 100))
_FRACTION = re.compile(
    r"(?P<sign>-?)(?:(?P<whole>\d+)[ -])?(?P<over>\d+) ?[/\N{FRACTION SLASH}] ?(?P<under>\d+)\D*"
)
_RANGE_SEPARATOR = re.compile(r"[-~\N{EN DASH}\N{EM DASH}]|\.\.+|\bto\b|\bbis\b|\bà\b", re.I)
_UPPER_BOUND = re.compile(
    r"(?:<|≤|<=|under|below|less than|fewer than|up to|unter|bis zu|bis|moins de|jusqu'à|menos de)"
    r"\s*(?P<high>.+)",
    re.I,
)
_LOWER_BOUND = re.compile(
    r"(?:>|≥|>=|over|above|more than|at least|from|ab|über|mehr als|plus de|más de)\s*(?P<low>.+)",
    re.I,
)
_OPEN_ENDED = re.compile(
    r"(?P<low>.*\d.*?)\s*(?:\+|plus|(?:and|or) (?:over|more|above|older|up)|und mehr|et plus)",
    re.I,
)


def unit_factors(units: Iterable[str]) -> Mapping[str, Decimal]:
    """Return the factor of each unit if all units belong to one family.

    Other units are only labels, without effect on the value.
    """
    folded_units = {unit.casefold() for unit in units}
    families = (*_FAMILIES, _THOUSANDS)
    matching = (each for each in families if len(folded_units) > 1 and folded_units <= each.keys())
    return next(matching, {})


def number_of(text: str, mark: str, factors: Mapping[str, Decimal]) -> Decimal | None:
    """Return the value of a number with an optional currency, sign or unit; None for other texts.

    Args:
        text: A text such as ``$1.2M``, ``(500)`` or ``12 kg``.
        mark: The decimal mark; if the text cannot have it, the other one is used.
        factors: Result of `unit_factors`.
    """
    number = read_number(text, mark) or read_number(text, "," if mark == "." else ".")
    if number is None or not _is_label(number.before):
        return None
    return number.value * factors.get(number.after.casefold(), Decimal(1))


def unit_of(text: str, mark: str) -> str | None:
    """Return the unit of a number, which may be empty; None if the text is not a number."""
    number = read_number(text, mark) or read_number(text, "," if mark == "." else ".")
    return None if number is None or not _is_label(number.before) else number.after


def _is_label(before: str) -> bool:
    """Return whether the text before a number is a currency or similar label, not a name."""
    is_currency = len(before) <= 4 and any(unicodedata.category(each) == "Sc" for each in before)
    return is_currency or not before or before.casefold() in _LABELS


def fraction_of(text: str) -> Fraction | None:
    """Return the value of a proper fraction or mixed number (1/2, 3 1/2, 2½); None for others."""
    match = _FRACTION.fullmatch(_with_slashes(text))
    if match is None or int(match["under"]) not in _DENOMINATORS:
        return None
    if not 0 < int(match["over"]) <= int(match["under"]):
        return None
    value = int(match["whole"] or 0) + Fraction(int(match["over"]), int(match["under"]))
    return -value if match["sign"] else value


def _with_slashes(text: str) -> str:
    """Return a text with characters such as ½ replaced by 1/2."""
    parts = []
    for letter in text:
        plain = unicodedata.normalize("NFKC", letter)
        parts.append(f" {plain}" if "\N{FRACTION SLASH}" in plain else letter)
    return normalize_signs("".join(parts))


def range_of(text: str, mark: str) -> tuple[Decimal, Decimal] | None:
    """Return the ends of a range (10-20, <5, 65+, under 18), possibly infinite; else None."""
    plain = normalize_signs(text)
    low, high = Decimal("-Infinity"), Decimal("Infinity")
    if match := _UPPER_BOUND.fullmatch(plain):
        end = number_of(match["high"], mark, {})
        return None if end is None else (low, end)
    if match := _LOWER_BOUND.fullmatch(plain) or _OPEN_ENDED.fullmatch(plain):
        start = number_of(match["low"], mark, {})
        return None if start is None else (start, high)
    for dash in _RANGE_SEPARATOR.finditer(plain):
        ends = [number_of(x, mark, {}) for x in (plain[: dash.start()], plain[dash.end() :])]
        if ends[0] is not None and ends[1] is not None:
            return ends[0], ends[1]
    return None
