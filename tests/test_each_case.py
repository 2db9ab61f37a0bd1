"""`each_case` runs every case and names the failures."""

import inspect

import pytest
from tests.each_case import each_case


def test_all_cases_run_and_failures_are_named() -> None:
    calls = []

    @each_case("low, high", [(1, 2), (4, 3), (6, 5)], ids=["fine", "wrong", "wrong too"])
    def check(lab: str, low: int, high: int) -> None:
        calls.append((lab, low, high))
        assert low < high

    assert list(inspect.signature(check).parameters) == ["lab"]
    with pytest.raises(ExceptionGroup, match="2 of 3 cases failed") as caught:
        check(lab="lab")
    assert calls == [("lab", 1, 2), ("lab", 4, 3), ("lab", 6, 5)]
    notes = [error.__notes__[0] for error in caught.value.exceptions]
    assert notes == ["case: wrong", "case: wrong too"]


def test_missing_exception_is_named() -> None:
    """`pytest.raises` fails with an exception that is no `Exception`."""

    @each_case("text", ["1", "x", "2"])
    def check(text: str) -> None:
        with pytest.raises(ValueError, match="x"):
            int(text)

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases failed") as caught:
        check()
    notes = [error.__notes__[0] for error in caught.value.exceptions]
    assert notes == ["case: ('1',)", "case: ('2',)"]


def test_stacked_decorators_combine_cases() -> None:
    calls = []

    @each_case("first", [1, 2])
    @each_case("second", "ab")
    def check(first: int, second: str) -> None:
        calls.append((first, second))

    check()
    assert calls == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


def test_empty_case_list_is_rejected() -> None:
    with pytest.raises(AssertionError, match="no cases"):
        each_case("case", [])
