"""Sort order of a table column: numbers, dates, times, ranges or words.

All cells together determine the type of a column. If several readings fit equally well, all of
them are returned, and an order is correct if it is correct in one of them: 01/02/2024 may be in
January or in February, and 1.250 may be 1,250 or one and a quarter.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from natsort import natsort_keygen

from pptarena.decks.text_match import normalize_caseless
from pptarena.decks.written_dates import DateKey, read_date, read_time, read_weekday
from pptarena.decks.written_numbers import (
    decimal_mark,
    fraction_of,
    normalize_signs,
    number_of,
    range_of,
    unit_factors,
    unit_of,
)

__all__ = ["Reading", "column_readings"]

_MISSING_TEXTS = "|-|--|---|n/a|na|n.a.|n. a.|#n/a|n/d|n.d.|tbd|tba|tbc|?|...|./.|k. a.|k.a.|s.o."
_MISSING = frozenset(_MISSING_TEXTS.split("|"))
_MAX_CHARS = 80
_DASHES = str.maketrans({"\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MINUS SIGN}": "-"})
_MIN_SHARE = 0.5
_DATE_ORDERS = {
    "dmy": "dates, the day first",
    "mdy": "dates, the month first",
    "ymd": "dates, the year first",
}
_YEAR = re.compile(r"(?:19|20)\d\d")
_DOT_GROUP, _DECIMAL_COMMA = re.compile(r"\d\.\d{3}(?!\d)"), re.compile(r"\d,\d")
_UNGROUPED = re.compile(r"(?<![\d.])\d{4}")

_LAST = "\uffff"  # sorts after every letter and has no meaning to natsort
# Letters that sort after Z, with their order.
_SWEDISH = {"å": "a", "ä": "b", "æ": "b", "ö": "c", "ø": "c"}
_DANISH = {"æ": "a", "ä": "a", "ø": "b", "ö": "b", "å": "c"}
_NORDIC = frozenset("åæø")
# Accented letters of languages that sort them after the plain ones.
_ACCENTED_LAST = frozenset("ñąęćśźżńłčřšžěůďťňőűğşı")
_BASE_LETTERS = {
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "\u0131": "i",
}

_natural = natsort_keygen()


@dataclass(frozen=True, slots=True)
class Reading:
    """An interpretation of the cells of a column.

    Attributes:
        kind: Type of the cells in the plural, such as "dates".
        name: The type, with details if there are several readings: "dates, the day first".
        key: Returns the sort key of a cell; None if the cell does not fit.
    """

    kind: str
    name: str
    key: Callable[[str], Any]

    def keys(self, texts: Iterable[str]) -> list[Any]:
        """Return the sort keys of cells; None for cells without a value, which sort last."""
        return [None if _is_missing(text) else self.key(text[:_MAX_CHARS]) for text in texts]

    def in_order(self, first: Any, second: Any, descending: bool) -> bool:
        """Return whether the keys of two adjacent cells are in order."""
        if first is None or second is None:
            return second is None
        return bool(second <= first if descending else first <= second)


def column_readings(texts: Sequence[str], others: Sequence[str] = ()) -> tuple[Reading, ...]:
    """Return the readings of a column's cells; several if the type is ambiguous.

    A type fits if it reads every cell except placeholders such as "n/a", dashes and empty cells, or
    else more than half of the cells. Otherwise the cells are words (see `_word_orders`). They may
    also be words if they have no digits and only some are names of days or months: Don and Sam are
    days in German and French, but next to Mia they are first names.

    Args:
        texts: All cells of the column below its header.
        others: Further texts, such as those of other columns, used to detect decimal mark and
            language.
    """
    values = [text[:_MAX_CHARS] for text in texts if not _is_missing(text)]
    best: list[Reading] = []
    best_count = _MIN_SHARE * len(values)
    for read_column in (_times, _fractions, _dates, _numbers, _weekdays, _ranges):
        for reading in read_column(values, others):
            count = sum(key is not None for key in reading.keys(values))
            if count > best_count:
                best, best_count = [reading], count
            elif best and count == best_count and reading.kind == best[0].kind:
                best.append(reading)
    if best and (best_count == len(values) or any(map(str.isdigit, "".join(values)))):
        return tuple(best)
    words = (Reading("words", "words", key) for key in _word_orders((*values, *others)))
    return (*best, *words)


def _is_missing(text: str) -> bool:
    plain = text.casefold().translate(_DASHES).replace("\N{HORIZONTAL ELLIPSIS}", "...")
    return " ".join(plain.split()) in _MISSING


def _times(texts: Sequence[str], others: Sequence[str]) -> Iterator[Reading]:
    yield Reading("times", "times", read_time)


def _fractions(texts: Sequence[str], others: Sequence[str]) -> Iterator[Reading]:
    if any(fraction_of(text) is not None for text in texts):
        mark = decimal_mark(texts) or "."
        yield Reading("fractions", "fractions", partial(_fraction, mark=mark))


def _fraction(text: str, mark: str) -> Fraction | None:
    value = fraction_of(text)
    number = number_of(text, mark, {}) if value is None else None
    return value if number is None else Fraction(number)


def _dates(texts: Sequence[str], others: Sequence[str]) -> Iterator[Reading]:
    for order, name in _DATE_ORDERS.items():
        for short_years in (True, False):
            read = partial(read_date, order=order, short_years=short_years)
            dates = [date for text in texts if (date := read(text))]
            if dates:
                has_years = any(year for year, *_ in dates)
                yield Reading("dates", name, partial(_date, read=read, has_years=has_years))


def _date(text: str, read: Callable[[str], DateKey | None], has_years: bool) -> DateKey | None:
    if has_years and (year := _YEAR.fullmatch(text.strip())):
        return int(year[0]), 0, 0, 0
    key = read(text)
    return None if key is None or bool(key[0]) != has_years else key


def _numbers(texts: Sequence[str], others: Sequence[str]) -> Iterator[Reading]:
    for mark in _decimal_marks(texts, others):
        units = [unit for text in texts if (unit := unit_of(text, mark)) is not None]
        factors = unit_factors(units)
        yield Reading("numbers", "numbers", partial(number_of, mark=mark, factors=factors))


def _ranges(texts: Sequence[str], others: Sequence[str]) -> Iterator[Reading]:
    mark = decimal_mark(texts) or decimal_mark(others) or "."
    yield Reading("ranges", "ranges", partial(_range, mark=mark))


def _range(text: str, mark: str) -> tuple[Decimal, Decimal] | None:
    number = number_of(text, mark, {})
    return range_of(text, mark) if number is None else (number, number)


def _weekdays(texts: Sequence[str], others: Sequence[str]) -> Iterator[Reading]:
    yield Reading("weekdays", "weekdays", read_weekday)
    yield Reading("weekdays", "weekdays from Sunday on", partial(read_weekday, first=6))


def _decimal_marks(texts: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """Return the possible decimal marks of the numbers in a column.

    The point in numbers such as 1.250 may separate thousands or decimals if the other numbers are
    integers, unless some have four digits in a row. A comma before three digits separates thousands
    unless other cells show that it is the decimal mark.
    """
    if mark := decimal_mark(texts) or decimal_mark(others):
        return (mark,)
    plain = [normalize_signs(text) for text in texts]
    has_dot_groups = any(_DOT_GROUP.search(text) for text in plain)
    is_unambiguous = any(_DECIMAL_COMMA.search(text) or _UNGROUPED.search(text) for text in plain)
    return (",", ".") if has_dot_groups and not is_unambiguous else (".",)


def _word_orders(texts: Iterable[str]) -> Iterator[Callable[[str], Any]]:
    """Yield functions that return the sort key of a text.

    The first one suits most languages: numbers within words sort by value, and accents are ignored.
    Others follow if the texts contain letters of certain languages: Swedish, Finnish, Danish and
    Norwegian, where some letters sort after Z, and Spanish, Polish, Czech and others, where
    accented letters sort after the plain ones.
    """
    accented = (text.casefold() for text in texts if not text.isascii())
    letters = {letter for text in accented for letter in unicodedata.normalize("NFC", text)}
    yield partial(_key, ranks={}, accents_last=False)
    if letters & _NORDIC:
        yield partial(_key, ranks=_SWEDISH, accents_last=False)
        yield partial(_key, ranks=_DANISH, accents_last=False)
    if letters & _ACCENTED_LAST:
        yield partial(_key, ranks={}, accents_last=True)


def _key(text: str, ranks: Mapping[str, str], accents_last: bool) -> Any:
    plain = unicodedata.normalize("NFKC", normalize_caseless(text))
    return _natural("".join(_sort_text(letter, ranks, accents_last) for letter in plain))


def _sort_text(letter: str, ranks: Mapping[str, str], accents_last: bool) -> str:
    if letter in ranks:
        return f"z{_LAST}{ranks[letter]}"
    base, *marks = tuple(unicodedata.normalize("NFD", letter))
    # Marks of combining class 0 are vowels of Indian scripts, not accents.
    marks = [mark for mark in marks if not unicodedata.combining(mark)]
    plain = "".join([_BASE_LETTERS.get(base, base), *marks])
    return (
        f"{plain}{_LAST}"
        if accents_last and plain != unicodedata.normalize("NFD", letter)
        else plain
    )
