"""Parse numbers with units and currencies, fractions and ranges into sortable values."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from pptarena.decks.written_numbers import plain_signs, read_number

__all__ = ["fraction_of", "number_of", "range_of", "unit_factors", "unit_of"]

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
_UNDER = frozenset((2, 3, 4, 5, 6, 8, 10, 12, 16, 32, 64, 100))
_FRACTION = re.compile(
    r"(?P<sign>-?)(?:(?P<whole>\d+)[ -])?(?P<over>\d+) ?[/\N{FRACTION SLASH}] ?(?P<under>\d+)\D*"
)
_DASH = re.compile(r"[-~\N{EN DASH}\N{EM DASH}]|\.\.+|\bto\b|\bbis\b|\bà\b", re.I)
_BELOW = re.compile(
    r"(?:<|≤|<=|under|below|less than|fewer than|up to|unter|bis zu|bis|moins de|jusqu'à|menos de)"
    r"\s*(?P<high>.+)",
    re.I,
)
_ABOVE = re.compile(
    r"(?:>|≥|>=|over|above|more than|at least|from|ab|über|mehr als|plus de|más de)\s*(?P<low>.+)",
    re.I,
)
_UPWARDS = re.compile(
    r"(?P<low>.*\d.*?)\s*(?:\+|plus|(?:and|or) (?:over|more|above|older|up)|und mehr|et plus)",
    re.I,
)


def unit_factors(units: Iterable[str]) -> Mapping[str, Decimal]:
    """Return the factor of each unit if all units belong to one family.

    Other units are only labels, without effect on the value.
    """
    found = {unit.casefold() for unit in units}
    families = (*_FAMILIES, _THOUSANDS)
    several = (each for each in families if len(found) > 1 and found <= each.keys())
    return next(several, {})


def number_of(text: str, mark: str, factors: Mapping[str, Decimal]) -> Decimal | None:
    """Return the value of a number with an optional currency, sign or unit; None for other texts.

    Args:
        text: A text such as ``$1.2M``, ``(500)`` or ``12 kg``.
        mark: The decimal mark; if the text cannot have it, the other one is used.
        factors: Result of `unit_factors`.
    """
    found = read_number(text, mark) or read_number(text, "," if mark == "." else ".")
    if found is None or not _is_label(found.before):
        return None
    return found.value * factors.get(found.after.casefold(), Decimal(1))


def unit_of(text: str, mark: str) -> str | None:
    """Return the unit of a number, which may be empty; None if the text is not a number."""
    found = read_number(text, mark) or read_number(text, "," if mark == "." else ".")
    return None if found is None or not _is_label(found.before) else found.after


def _is_label(before: str) -> bool:
    """Return whether the text before a number is a currency or similar label, not a name."""
    money = len(before) <= 4 and any(unicodedata.category(each) == "Sc" for each in before)
    return money or not before or before.casefold() in _LABELS


def fraction_of(text: str) -> Fraction | None:
    """Return the value of a proper fraction or mixed number (1/2, 3 1/2, 2½); None for others."""
    found = _FRACTION.fullmatch(_with_slashes(text))
    if found is None or int(found["under"]) not in _UNDER:
        return None
    if not 0 < int(found["over"]) <= int(found["under"]):
        return None
    value = int(found["whole"] or 0) + Fraction(int(found["over"]), int(found["under"]))
    return -value if found["sign"] else value


def _with_slashes(text: str) -> str:
    """Return a text with characters such as ½ replaced by 1/2."""
    parts = []
    for letter in text:
        plain = unicodedata.normalize("NFKC", letter)
        parts.append(f" {plain}" if "\N{FRACTION SLASH}" in plain else letter)
    return plain_signs("".join(parts))


def range_of(text: str, mark: str) -> tuple[Decimal, Decimal] | None:
    """Return the ends of a range (10-20, <5, 65+, under 18), possibly infinite; else None."""
    plain = plain_signs(text)
    low, high = Decimal("-Infinity"), Decimal("Infinity")
    if found := _BELOW.fullmatch(plain):
        end = number_of(found["high"], mark, {})
        return None if end is None else (low, end)
    if found := _ABOVE.fullmatch(plain) or _UPWARDS.fullmatch(plain):
        start = number_of(found["low"], mark, {})
        return None if start is None else (start, high)
    for dash in _DASH.finditer(plain):
        ends = [number_of(x, mark, {}) for x in (plain[: dash.start()], plain[dash.end() :])]
        if ends[0] is not None and ends[1] is not None:
            return ends[0], ends[1]
    return None
