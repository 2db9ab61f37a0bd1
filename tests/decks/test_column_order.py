from collections.abc import Sequence
from itertools import pairwise, permutations

import pytest
from tests.each_case import each_case

from pptarena.decks.column_order import column_readings

# Columns in ascending order; the values of GAPS stay last in both directions.
COLUMNS: dict[str, tuple[str, ...]] = {
    "iso": ("2022-03-20", "2023-02-12", "2024-01-03"),
    "dmy by one cell": ("20/03/2022", "12/02/2023", "03/01/2024"),
    "mdy by one cell": ("03/20/2022", "02/12/2023", "01/03/2024"),
    "german dates": ("28.2.2023", "3.1.2024", "14.1.2024", "1.2.2024"),
    "short years": ("12.11.98", "1.2.04", "5.1.24"),
    "worded": ("3 Jan 2024", "20 Feb 2024", "1 March 2024"),
    "us worded": ("December 31, 2023", "January 3rd, 2024", "Feb 2, 2024"),
    "weekday before": ("Wed, 3 Jan 2024", "Thu, 4 Jan 2024", "Mon, 8 Jan 2024"),
    "month year": ("Nov 2023", "Jan 2024", "Apr 2024"),
    "excel month": ("Nov-23", "Jan-24", "Apr-24"),
    "march": ("Mar 22, 2024", "Mar. 23, 2024", "Apr 1, 2024"),
    "french weekday before": ("mar. 2 janv. 2024", "mer. 3 janv. 2024", "lun. 8 janv. 2024"),
    "apostrophe": ("Nov '23", "Jan '24", "Apr '24"),
    "caps": ("NOV 2023", "JAN 2024", "APR 2024"),
    "german months": ("Januar", "März", "Mai", "Oktober", "Dezember"),
    "french months": ("janvier", "février", "avril", "août", "décembre"),
    "french dates": ("14 juillet 2023", "1er août 2023", "2 févr. 2024"),
    "spanish": ("3 de enero de 2024", "2 de marzo de 2024", "1 de abril de 2024"),
    "months": ("January", "February", "March", "April"),
    "short months": ("Jan", "Feb", "Mar", "Apr", "Sept"),
    "day month": ("31 Jan", "5 Feb", "1 Mar"),
    "day-month excel": ("31-Jan", "5-Feb", "1-Mar"),
    "weekdays": ("Monday", "Tuesday", "Friday"),
    "german weekdays": ("Mo", "Di", "Mi", "Fr"),
    "quarters": ("Q3 2023", "Q4 2023", "Q1 2024"),
    "year quarter": ("2023 Q3", "2023 Q4", "2024 Q1"),
    "1Q24": ("3Q23", "4Q23", "1Q24"),
    "Q1'24": ("Q3'23", "Q4'23", "Q1'24"),
    "Q1/24": ("Q3/23", "Q4/23", "Q1/24"),
    "FY": ("FY22", "FY23", "FY24"),
    "FY Q": ("FY23 Q3", "FY23 Q4", "FY24 Q1"),
    "halves": ("H2 2022", "H1 2023", "H2 2023"),
    "quarters and years": ("2022", "Q1 2023", "Q2 2023"),
    "german quarters": ("4. Quartal 2023", "1. Quartal 2024", "2. Quartal 2024"),
    "bare quarters": ("Q1", "Q2", "Q3"),
    "weeks": ("KW 48 2023", "KW 5 2024", "KW 12 2024"),
    "week 53": ("KW 52 2020", "KW 53 2020", "KW 1 2021"),
    "month numbers": ("11/2023", "03/2024", "10/2024"),
    "german month numbers": ("11.2023", "03.2024", "10.2024"),
    "ym": ("2023-11", "2024-03", "2024-10"),
    "japanese": ("2023年11月", "2024年3月", "2024年10月"),
    "japanese days": ("2023年11月2日", "2024年3月15日", "2024年10月1日"),
    "day first no year": ("31/1", "5/2", "1/3"),
    "german no year": ("31.1.", "5.2.", "1.3."),
    "datetime": ("2024-01-03 09:30", "2024-01-03 14:00", "2024-01-04 08:00"),
    "isodatetime": ("2024-01-03T09:30:00", "2024-01-03T14:00:00", "2024-01-04T08:00:00Z"),
    "times": ("8:15", "9:30", "14:05"),
    "am pm": ("12:05 am", "9:30 am", "12:10 pm", "2:15 pm"),
    "am pm2": ("9 am", "11 AM", "1 p.m."),
    "uhr": ("9.30 Uhr", "10 Uhr", "14.15 Uhr"),
    "durations": ("45 min", "1 h 5 min", "1 h 30 min"),
    "clock durations": ("0:59:10", "1:02:33", "10:00:00"),
    "french times": ("9h30", "10h", "14h15"),
    "minus": ("\N{MINUS SIGN}12", "-5", "3"),
    "accounting": ("(500)", "(20)", "0", "300"),
    "accounting dollars": ("($500)", "$(20)", "$0", "$300"),
    "trailing minus": ("500-", "20-", "0", "300"),
    "K M": ("900", "1.2K", "15k", "3M", "2bn"),
    "KMB dollars": ("$900K", "$1.2M", "$3M", "$2B"),
    "mio": ("800 Tsd.", "1,5 Mio.", "2 Mrd."),
    "million words": ("900 thousand", "1.5 million", "2 billion"),
    "sizes": ("900 KB", "12 MB", "1.5 GB"),
    "lengths": ("80 cm", "500 m", "1.2 km"),
    "fractions": ("1/4", "1/2", "3/4"),
    "mixed fractions": ("1/2", "1 1/4", "3 1/2", "10"),
    "vulgar": ("¼", "½", "2½", "3"),
    "percent": ("2 %", "9.5%", "10 %"),
    "dollars": ("$950", "$1,200", "$12,000"),
    "euro after": ("95 €", "1.200 €", "12.000,50 €"),
    "chf": ("CHF 950.\N{EN DASH}", "CHF 1'200.\N{EN DASH}", "CHF 12'000.\N{EN DASH}"),
    "eur code": ("EUR 95", "EUR 1,200", "EUR 12,000"),
    "gaps": ("5", "7", "12", "n/a"),
    "gaps dash": ("5", "7", "12", "\N{EN DASH}"),
    "gaps empty": ("5", "7", "12", "", "-"),
    "three decimals": ("0.125", "0.25", "0.5"),
    "thousands": ("980", "1,250", "2,100"),
    "many decimals": ("0.998", "1.250", "2.1"),
    "spaces": ("980", "1 250", "12 100"),
    "nnbsp": ("980", "1\u202f250", "12\u202f100"),
    "swiss": ("980", "1'250", "12\N{RIGHT SINGLE QUOTATION MARK}100"),
    "indian": ("98,000", "1,25,000", "12,34,567"),
    "comma": ("3,5", "12,25", "100"),
    "comma thousands": ("980,5", "1.250,25", "12.100,0"),
    "million german": ("980.000", "1.250.000", "12.100.000"),
    "accents": ("Apfel", "Äpfel", "Zürich"),
    "accents2": ("eclair", "école", "zèbre"),
    "accents3": ("Émile", "Eric", "Étienne", "Zoé"),
    "spanish letters": ("nube", "ñandú", "oso"),
    "swedish": ("Zebra", "Åre", "Ängel", "Öland"),
    "danish": ("Zoo", "Æble", "Øre", "Århus"),
    "polish": ("lato", "łódź", "mapa"),
    "czech": ("cena", "čas", "den"),
    "turkish": ("sol", "şahin", "tas"),
    "scharfes": ("Stein", "Straße", "Strauß", "Strom"),
    "natural": ("Item 2", "Item 10", "Item 30"),
    "natural2": ("Room 5a", "Room 5b", "Room 12"),
    "versions": ("v1.9.0", "v1.10.0", "v2.0.0"),
    "case": ("apple", "Banana", "cherry"),
    "ranges": ("<5", "5\N{EN DASH}10", "11\N{EN DASH}20", "65+"),
    "ages": ("under 18", "18\N{EN DASH}24", "25-34", "65 and over"),
    "ranges of money": (
        "$0\N{EN DASH}$50",
        "$51\N{EN DASH}$100",
        "$101\N{EN DASH}$1,000",
        ">$1,000",
    ),
    "ordinals": ("1st", "2nd", "10th"),
    "years": ("1998", "2004", "2024"),
    "fiscal": ("2021/22", "2022/23", "2023/24"),
    "year ranges": ("1998\N{EN DASH}2001", "2004\N{EN DASH}2010", "2011\N{EN DASH}2020"),
    "approx": ("~5", "ca. 12", "30"),
    "scientific": ("2.5e-3", "1e2", "3e4"),
    "signs": ("-3%", "+2%", "+10%"),
    "arrows": ("▼ 12 %", "▼ 3 %", "▲ 5 %"),
    "full width": ("\uff15", "\uff11\uff12", "\uff11\uff10\uff10"),
    "arabic": ("\u0665", "\u0661\u0662", "\u0661\u0660\u0660"),
    "yen": ("3千", "2万", "1.5億"),
    "basis points": ("5 bps", "50 bps", "1 %"),
    "words in numbers": ("5", "7", "sold out"),
    "footnotes": ("5¹", "12²", "30"),
    "millions with blanks": ("12 345 678,90", "112 345 678,90"),
}
GAPS = frozenset(("n/a", "\N{EN DASH}", "-", "", "sold out"))
# Accents may be ignored, and some languages sort a letter differently: several orders are valid.
AMBIGUOUS = {"accents", "spanish letters", "swedish", "danish", "czech", "turkish"}


def _ordered_share(texts: Sequence[str], descending: bool = False) -> float:
    shares = []
    for reading in column_readings(texts):
        pairs = list(pairwise(reading.keys(texts)))
        shares.append(sum(reading.in_order(a, b, descending) for a, b in pairs) / len(pairs))
    return max(shares)


def _descending(column: Sequence[str]) -> list[str]:
    values = [text for text in column if text not in GAPS]
    return values[::-1] + [text for text in column if text in GAPS]


@each_case("name", COLUMNS)
def test_sorted_columns_are_in_order_in_both_directions(name: str) -> None:
    assert _ordered_share(COLUMNS[name]) == 1
    assert _ordered_share(_descending(COLUMNS[name]), descending=True) == 1


@pytest.mark.slow
@each_case("name", sorted(COLUMNS.keys() - AMBIGUOUS))
def test_other_permutations_are_out_of_order(name: str) -> None:
    column = COLUMNS[name]
    values = [text for text in column if text not in GAPS]
    for order in permutations(column):
        is_sorted = [text for text in order[: len(values)] if text not in GAPS] == values
        assert (_ordered_share(order) == 1) == is_sorted, order


@pytest.mark.parametrize(
    ("column", "alternative"),
    [
        # The day or the month first.
        (("01/02/2024", "02/01/2024", "03/03/2024"), ("02/01/2024", "01/02/2024", "03/03/2024")),
        # Thousands or decimals.
        (("1.250", "2.100", "980"), ("980", "1.250", "2.100")),
        # 24 may be a year or a day.
        (("Jan 23", "Feb 24", "Mar 22"), ("Mar 22", "Jan 23", "Feb 24")),
        # Weeks from Monday or from Sunday on.
        (("Monday", "Friday", "Sunday"), ("Sunday", "Monday", "Friday")),
        # Swedish, or any other language.
        (("Zebra", "Åre", "Öland"), ("Åre", "Öland", "Zebra")),
        (("n", "nz", "ñ"), ("n", "ñ", "nz")),
        # Days and months, or names of people.
        (("Don", "Mia", "Sam"), ("Don", "Sam", "Mia")),
        (("April", "June", "May", "Zoe"), ("April", "May", "June", "Zoe")),
    ],
)
def test_ambiguous_columns_accept_both_orders(
    column: tuple[str, ...], alternative: tuple[str, ...]
) -> None:
    assert _ordered_share(column) == _ordered_share(alternative) == 1
    assert _ordered_share(column[::-1]) < 1


@pytest.mark.parametrize(
    ("column", "other_columns", "expected"),
    [
        (("1.250", "980", "2.100"), ("12,5", "3,75"), ("980", "1.250", "2.100")),
        (("1.250", "980", "2.100"), ("12.5", "3.75"), ("1.250", "2.100", "980")),
        (("1,250", "980", "2,100"), ("12,5", "3,75"), ("1,250", "2,100", "980")),
    ],
)
def test_other_columns_determine_the_decimal_mark(
    column: tuple[str, ...], other_columns: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    (reading,) = column_readings(column, other_columns)
    assert tuple(sorted(column, key=reading.key)) == expected


def test_type_of_half_the_cells_is_not_used() -> None:
    assert [reading.kind for reading in column_readings(("May", "apple"))] == ["words"]


@each_case(
    "column",
    [
        *((), ("",), ("n/a", ""), ("x" * 10_000, "9" * 10_000)),
        *(("1/" + "9" * 10_000, "1/2"), ("KW 1 0000", "KW 2 0000"), ("KW 99 2024", "KW 1 2024")),
        *(("t" * 500_000, "a"), ("\N{SUPERSCRIPT ONE}" * 500_000 + "x", "1")),
    ],
)
def test_unusual_columns_are_sortable(column: tuple[str, ...]) -> None:
    assert len(column_readings(column)[0].keys(column)) == len(column)
