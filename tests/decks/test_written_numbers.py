from decimal import Decimal

import pytest
from tests.each_case import each_case

from pptarena.decks.written_numbers import decimal_mark, read_number, same_number

MINUS, NARROW, NBSP = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"


@each_case(
    "text",
    [
        *("1,234", "1 234", f"1{NBSP}234", f"1{NARROW}234", "1'234", "1\N{THIN SPACE}234"),
        *("1\N{RIGHT SINGLE QUOTATION MARK}234", "\uff11\uff12\uff13\uff14", " 1234 "),
        "\u0661\u0662\u0663\u0664",
    ],
)
def test_thousands_separators_are_equivalent(text: str) -> None:
    assert same_number(text, "1234")
    assert same_number("1234", text)
    assert same_number(f"{text} \N{EURO SIGN}", "1234\N{EURO SIGN}")
    assert same_number(f"{MINUS}{text}", "-1,234")


@each_case(
    "first, second, context",
    [
        ("1.234,5", "1234,5", ()),
        ("1234,5", "1.234,5", ()),
        ("1.234.567", "1234567", ()),
        ("12,34,567", "1234567", ()),
        ("1.234", "1234", ("12,5",)),
        ("1,234", "1234", ("12.5",)),
        ("$1,234.50", "$1234.50", ()),
        ("(1,234)", "(1234)", ()),
        ("CHF 1'200.\N{EN DASH}", "CHF 1200.\N{EN DASH}", ()),
        ("\N{EN DASH}5", "-5", ()),
        ("5 %", f"5{NARROW}%", ()),
        ("n/a", "n/a", ()),
    ],
)
def test_notations_of_the_same_number_match(
    first: str, second: str, context: tuple[str, ...]
) -> None:
    assert same_number(first, second, context)


@each_case(
    "first, second",
    [
        *(("1.5", "15"), ("1,5", "15"), ("1.5", "1,5"), ("1.50", "1.5"), ("15", "1 5")),
        *(("1,23", "123"), ("1,2345", "12345"), ("1,234", "1.234"), ("1.234", "1234")),
        *(("-5", "5"), ("+5", "5"), ("(5)", "-5"), ("5 %", "5"), ("$5", "5"), ("5 kg", "5 g")),
        *(("007", "7"), ("1.2.3", "123"), ("2024-03", "202403"), ("12:34", "1234"), ("", "5")),
        *(("\N{BLACK UP-POINTING TRIANGLE} 5", "5"), ("1e3", "1000"), ("0.125", "125")),
    ],
)
def test_different_numbers_do_not_match(first: str, second: str) -> None:
    assert not same_number(first, second)
    assert not same_number(second, first)


@each_case(
    "text, value",
    [
        *(("(500)", "-500"), ("$(500)", "-500"), ("500-", "-500"), (f"{MINUS}$5", "-5")),
        *(("$-5", "-5"), ("\N{EN DASH} 5", "-5"), ("5.-", "5"), (".5", "0.5"), ("1.2e3", "1200")),
        *(
            ("5\N{SUPERSCRIPT ONE}", "5"),
            ("12 %", "12"),
            ("\N{BLACK DOWN-POINTING TRIANGLE}5", "-5"),
        ),
    ],
)
def test_read_number_returns_the_value(text: str, value: str) -> None:
    number = read_number(text)
    assert number is not None
    assert number.value == Decimal(value)


@pytest.mark.parametrize("text", ["", "n/a", "1.2.3", "3-4", "1/2", "9:30", "'24", "9" * 100])
def test_text_that_is_no_number_is_none(text: str) -> None:
    assert read_number(text) is None


@each_case(
    "texts, mark",
    [
        *((("1,234.5",), "."), (("0.125", "1.250"), "."), (("1,234,567", "1,234"), ".")),
        *((("12,5", "1.250"), ","), (("1.234.567",), ","), (("1,234",), None)),
        *((("1.234",), None), (("1.5", "2,5"), None), ((), None)),
    ],
)
def test_decimal_mark_is_inferred_from_all_texts(texts: tuple[str, ...], mark: str | None) -> None:
    assert decimal_mark(texts) == mark
