import re
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.rewards.checking.patterns import PatternError, TooLongError, compile_pattern

ATOMS = st.sampled_from(["a", "b", "[ab]", "[^a]", r"\d", ".", "ab", "1"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{0}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=5,
)


@pytest.mark.slow
@given(PATTERNS, st.text("ab1-", max_size=6))
def test_patterns_match_like_re(pattern: str, text: str) -> None:
    assert compile_pattern(pattern).matches_entirely(text) == bool(re.fullmatch(pattern, text))


def test_find_all_returns_the_longest_matches() -> None:
    matches = compile_pattern(r"\d[\d,]*\d|x").find_all("In 1,200 and 34567, 7 x")
    assert list(matches) == ["1,200", "34567", "x"]
    assert list(compile_pattern(r"\p{So}").find_all("a\N{GRADUATION CAP}b")) == [
        "\N{GRADUATION CAP}"
    ]
    assert list(compile_pattern(r"\bab\b", match_case=False).find_all("AB cab ab")) == ["AB", "ab"]
    assert list(compile_pattern(r"^a|b$").find_all("aab")) == ["a", "b"]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|a)*b", "(a|aa)+$b", "(.*)*(.*)*c"])
def test_no_pattern_takes_exponential_time(pattern: str) -> None:
    start = time.monotonic()
    with suppress(TooLongError):
        assert list(compile_pattern(pattern).find_all("a" * 3_000)) == []
    assert time.monotonic() - start < 30  # a second or so; `re` would take years


@each_case(
    "pattern",
    ["", "*a", "(a", "a)", "[a", r"\q", r"\1", "a{3,1}", "a{101}", r"\p{}", "[b-a]", "a" * 201,
     "(((a{100}){100}){100})"],
)  # fmt: skip
def test_invalid_patterns_are_rejected(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)
