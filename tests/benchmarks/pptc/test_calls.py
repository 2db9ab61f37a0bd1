"""Call sequences are parsed, never executed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.benchmarks.pptc import parse_calls
from pptarena.errors import TaskError

_NUMBERS = st.integers(-10_000, 10_000) | st.floats(-1e6, 1e6)
_ARGUMENTS = st.lists(st.text(max_size=20) | _NUMBERS | st.lists(_NUMBERS, max_size=3), max_size=3)


def test_calls_are_separated_by_semicolons_and_newlines() -> None:
    calls = parse_calls('choose_title();insert_text("a; b\\nc") ;\nset_width( 2.5 );')
    assert [call.name for call in calls] == ["choose_title", "insert_text", "set_width"]
    assert [call.args for call in calls] == [(), ("a; b\nc",), (2.5,)]
    assert calls[1].text == 'insert_text("a; b\\nc")'


def test_lists_and_keyword_arguments_are_parsed() -> None:
    (call,) = parse_calls("insert_pie_chart([1, -2.5], series=['a', 'b'])")
    assert call.args == ((1, -2.5),)
    assert call.keywords == (("series", ("a", "b")),)


def test_bare_name_is_a_string() -> None:
    assert parse_calls("set_top(picture, table)")[0].args == ("picture", "table")


def test_calls_keep_their_source_text() -> None:
    calls = parse_calls("insert_text('é');\r\n insert_table( 1,\n 2 )".replace("\n ", "\n"))
    assert [call.text for call in calls] == ["insert_text('é')", "insert_table( 1,\n2 )"]


@pytest.mark.slow
def test_many_calls_are_parsed_quickly() -> None:
    calls = parse_calls("a();" * 5_000)
    assert {call.text for call in calls} == {"a()"}
    assert len(calls) == 5_000


def test_blank_text_has_no_calls() -> None:
    assert parse_calls(" \n") == ()


@each_case(
    "text, message",
    [
        ('set_bottom("table",pie_chart")', "letter"),
        ("import os", "expected a call"),
        ("x = choose_title()", "expected a call"),
        ("os.remove('x')", "expected a call"),
        ("insert_text(open('x'))", "insert_text: expected a text"),
        ("insert_text('a' + 'b')", "insert_text: expected a text"),
        ("insert_text(f'{x}')", "insert_text: expected a text"),
        ("insert_text(None)", "insert_text: expected a text"),
        ("set_width(True)", "set_width: expected a text"),
        ("set_width(1e999)", "set_width: expected a text"),
        ("set_width(-'a')", "set_width: expected a text"),
        ("insert_text(**x)", "insert_text: expected named arguments"),
        ("choose_title(); insert_text(", "expected calls"),
        ("insert_text('\0')", "expected calls"),
        ("insert_text('\ud800')", "expected calls"),
        ("(" * 5000, "expected calls"),
        (f"f({'-' * 2_000}1)", "expected"),
        ("a()" * 50_000, "expected at most"),
    ],
)
def test_other_syntax_is_rejected(text: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        parse_calls(text)


@pytest.mark.slow
@given(_ARGUMENTS)
def test_arguments_round_trip(arguments: list[object]) -> None:
    (call,) = parse_calls(f"name({', '.join(map(repr, arguments))})")
    assert call.args == tuple(tuple(a) if isinstance(a, list) else a for a in arguments)
