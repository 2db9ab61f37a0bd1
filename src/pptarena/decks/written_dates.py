"""Parse dates, times and periods as people write them into sortable keys."""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Final, TypeAlias

from pptarena.decks.written_numbers import normalize_signs

__all__ = ["DATE_ORDERS", "DateKey", "read_date", "read_time", "read_weekday"]

DateKey: TypeAlias = tuple[int, int, int, int]
"""Year (0 if missing), month, day (0 for an entire month) and second of the day."""

DATE_ORDERS: Final = ("dmy", "mdy", "ymd")
"""Possible orders of day, month and year in a numeric date."""

_MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miercoles jueves viernes sabado domingo",
    "lunedi martedi mercoledi giovedi venerdi sabato domenica",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
)
_LAST_CENTURY = 69  # two-digit years from here on are in the 20th century, as in POSIX

_Y, _YY, _N = r"(?P<y>\d{4})", r"'?(?P<y>\d{4}|\d{2})", r"(?P<d>\d{1,2})"
_WORD = r"(?P<word>[^\W\d_]+)\.?"
_TIME = re.compile(
    r"(?P<h>\d{1,3})(?:[:h](?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:\.\d+)?)?|(?P<h_only>h?)|\.(?P<m2>[0-5]\d))"
    r" ?(?P<half>[ap]\.?m\.?|uhr|h)?"
)
_DURATION = re.compile(
    r"(?:(?P<h>\d{1,4}) ?h(?:ours?|rs?)?)?[ ,]*(?:(?P<m>\d{1,4}) ?(?:m|min(?:ute[sn]?|s)?)\.?)?"
)
_CLOCK = re.compile(r"[ t](\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?)(?:\.\d+)?z?$")
_PERIODS: tuple[tuple[str, int], ...] = (
    # Pattern, and number of months in the period.
    (rf"q(?P<n>[1-4])(?:[ ,/'-]*(?:of |fy ?)?{_YY})?", 3),
    (rf"(?:fy ?)?{_YY}[ /-]*q(?P<n>[1-4])", 3),
    (rf"(?P<n>[1-4])q(?:[ /'-]*(?:fy ?)?{_YY})?", 3),
    (rf"t(?P<n>[1-4])[ /-]+{_YY}", 3),
    (rf"(?P<n>[1-4])(?:st|nd|rd|th|\.|er|e)? ?(?:quarter|quartal|trimestre)(?:[ ,/-]*{_YY})?", 3),
    (rf"(?:{_Y}[年년]?)?第?(?P<n>[1-4])四半期", 3),
    (rf"h(?P<n>[12])(?:[ ,/'-]*(?:fy ?)?{_YY})?", 6),
    (rf"(?:fy ?)?{_YY}[ /-]*h(?P<n>[12])", 6),
    (rf"(?P<n>[12])h(?:[ /'-]*{_YY})", 6),
    (rf"fy ?{_YY}(?P<n>)", 12),
)
_WEEK = (
    re.compile(rf"(?:kw|cw|wk|week|w) ?(?P<n>\d{{1,2}})[ ,/-]*{_Y}"),
    re.compile(rf"{_Y}[ -]*(?:kw|cw|wk|week|w) ?(?P<n>\d{{1,2}})"),
)
_NAMED_MONTH_DATES = (
    re.compile(rf"{_N}(?:st|nd|rd|th|er)?[. -]*(?:of |de )?{_WORD}(?:[ ,.-]*(?:de |del )?{_YY})?"),
    re.compile(rf"{_WORD}[ -]*{_N}(?:st|nd|rd|th)?(?:[ ,]+{_YY})?"),
)
_MONTH_YEAR = re.compile(rf"{_WORD}(?:(?P<by>[ ,/'-]*)(?:de |of )?{_YY})?")
_YEAR_MONTH = re.compile(rf"{_Y}[ ,-]+{_WORD}")
_NUMERIC_DATE = re.compile(r"(\d{1,4})(?P<by>[./-])(\d{1,2})(?P=by)(\d{1,4})")
_DAY_AND_MONTH = re.compile(r"(\d{1,2})(?:/(\d{1,2})|\.(\d{1,2})\.)")
_NUMERIC_MONTH = (
    re.compile(rf"{_Y}[-/.](?P<n>\d{{1,2}})"),
    re.compile(rf"(?P<n>\d{{1,2}})[-/.]{_Y}"),
)
_EAST_ASIAN_DATE = re.compile(
    r"(?:(?P<y>\d{4})[年년] ?)?(?P<n>\d{1,2})[月월](?: ?(?P<d>\d{1,2})[日일])?"
)


@lru_cache(maxsize=4096)
def read_date(text: str, order: str = "dmy", short_years: bool = True) -> DateKey | None:
    """Return the date of a text: a day with optional time, a month, week, quarter, half or year.

    Month names may be English, German, French, Spanish, Italian, Portuguese or Dutch, complete or
    abbreviated.

    Args:
        text: A text such as ``2024-01-03``, ``3.1.24``, ``Jan 3, 2024``, ``Q1 2024`` or ``FY24``.
        order: One of `DATE_ORDERS`, for numeric dates that do not begin with a year.
        short_years: Whether the 24 of ``Jan 24`` is a year; otherwise it is a day.
    """
    plain, second = _normalize(text), 0
    if clock := _CLOCK.search(plain):
        second = read_time(clock[1]) or 0
        plain = plain[: clock.start()].rstrip(", ")
    readers: Sequence[Callable[[str], tuple[int, int, int] | None]] = (
        lambda x: _read_numeric(x, order),
        lambda x: _read_named_month(x, short_years),
        _read_period,
        _read_week,
    )
    for read in readers:
        if day := read(plain):
            return *day, second
    return None


def read_time(text: str) -> int | None:
    """Return the seconds of a time of day or of a duration, such as ``9:30`` or ``2 pm``."""
    plain = _normalize(text)
    match = _TIME.fullmatch(plain)
    if match is None:
        duration = _DURATION.fullmatch(plain)
        is_duration = duration and (duration["h"] or (duration["m"] and "min" in plain))
        return (
            3600 * int(duration["h"] or 0) + 60 * int(duration["m"] or 0)
            if duration and is_duration
            else None
        )
    suffix = (match["half"] or "").replace(".", "")
    minute = match["m"] or match["m2"]
    # Without further characters, 9.30 and 9 are numbers.
    if match["m"] is None and not suffix and not match["h_only"]:
        return None
    hour = int(match["h"])
    if suffix in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (suffix == "pm")
    return 3600 * hour + 60 * int(minute or 0) + int(match["s"] or 0)


def read_weekday(text: str, first: int = 0) -> int | None:
    """Return the weekday of a name or abbreviation, from 0; None for other texts.

    Args:
        text: The name.
        first: The day that counts as 0, by default Monday; 6 for Sunday.
    """
    day = _names(_WEEKDAYS).get(_normalize(text).rstrip("."))
    return None if day is None else (day - first) % 7


def _normalize(text: str) -> str:
    """Return a text without accents, in lower case, and without a weekday before a date."""
    parts = unicodedata.normalize("NFD", normalize_signs(text).casefold())
    plain = "".join(c for c in parts if unicodedata.category(c) != "Mn" or ord(c) > 0x36F)
    plain = unicodedata.normalize("NFC", plain).replace("\N{EN DASH}", "-")
    first, _, rest = plain.partition(" ")
    first = first.rstrip(",.")
    # French "mar" is a Tuesday only if a month follows.
    is_month = _month(first) is not None and not any(map(str.isalpha, rest))
    is_day = first in _names(_WEEKDAYS) and not is_month and any(map(str.isdigit, rest))
    return rest if is_day else plain


@cache
def _names(languages: Sequence[str]) -> dict[str, int]:
    """Return positions by name and by unambiguous abbreviations of names."""
    positions: dict[str, set[int]] = {}
    for language in languages:
        names = language.split()
        # Two-letter abbreviations are allowed for English and German weekdays only.
        shortest = 2 if language in _WEEKDAYS[:2] else 3
        for position, name in enumerate(names):
            for length in (*range(shortest, 5), len(name)):
                positions.setdefault(name[:length], set()).add(position)
    return {name: matching.pop() for name, matching in positions.items() if len(matching) == 1}


def _month(word: str) -> int | None:
    special = {"mrt": 3, "sept": 9}.get(word)
    position = _names(_MONTHS).get(word)
    return special or (None if position is None else position + 1)


def _year(text: str | None) -> int:
    if not text or len(text) != 2:
        return int(text or 0)
    return int(text) + (1900 if int(text) >= _LAST_CENTURY else 2000)


def _valid(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    if not 1 <= month <= 12 or not 0 <= day <= monthrange(year or 2000, month)[1]:
        return None
    return year, month, day


def _read_numeric(text: str, order: str) -> tuple[int, int, int] | None:
    if match := _NUMERIC_DATE.fullmatch(text):
        parts = [match[1], match[3], match[4]]
        field_order = "ymd" if len(match[1]) == 4 else order
        # Dates with points never start with the month.
        field_order = "dmy" if match["by"] == "." and field_order == "mdy" else field_order
        fields = dict(zip(field_order, parts, strict=True))
        if (
            len(fields["y"]) not in (2, 4)
            or len(fields["m"]) > 2
            or len(fields["d"]) > 2
            or fields["d"] == "0"
        ):
            return None
        return _valid(_year(fields["y"]), int(fields["m"]), int(fields["d"]))
    for pattern in _NUMERIC_MONTH:
        if match := pattern.fullmatch(text):
            return _valid(int(match["y"]), int(match["n"]), 0)
    if match := _EAST_ASIAN_DATE.fullmatch(text):
        return _valid(int(match["y"] or 0), int(match["n"]), int(match["d"] or 0))
    if (match := _DAY_AND_MONTH.fullmatch(text)) and order != "ymd":
        first, second = int(match[1]), int(match[2] or match[3])
        is_american = order == "mdy" and match[2]
        return _valid(0, first, second) if is_american else _valid(0, second, first)
    return None


def _read_named_month(text: str, short_years: bool) -> tuple[int, int, int] | None:
    match = _MONTH_YEAR.fullmatch(text)
    if match and (month := _month(match["word"])):
        is_year = not match["y"] or len(match["y"]) == 4 or match["by"].strip() or "'" in text
        if is_year or short_years:
            return _valid(_year(match["y"]), month, 0)
    if (match := _YEAR_MONTH.fullmatch(text)) and (month := _month(match["word"])):
        return _valid(_year(match["y"]), month, 0)
    for pattern in _NAMED_MONTH_DATES:
        if (match := pattern.fullmatch(text)) and (month := _month(match["word"])):
            return _valid(_year(match["y"]), month, int(match["d"]))
    return None


def _read_period(text: str) -> tuple[int, int, int] | None:
    for pattern, months in _PERIODS:
        if match := re.fullmatch(pattern, text):
            return _year(match["y"]), 1 + months * (int(match["n"] or 1) - 1), 0
    return None


def _read_week(text: str) -> tuple[int, int, int] | None:
    for pattern in _WEEK:
        if match := pattern.fullmatch(text):
            try:
                monday = date.fromisocalendar(int(match["y"]), int(match["n"]), 1)
            except ValueError:  # year 0, or a week number beyond the end of the year
                return None
            return monday.year, monday.month, monday.day
    return None
