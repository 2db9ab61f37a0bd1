import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pptarena.envs.charset import KEY_CHARSET, charset, sanitise, text_space


def test_it_holds_the_scripts_people_type() -> None:
    for text in ("Straße é", "漢字かな", "한국어", "Привет", "Ωμέγα", "שלום", "العربية", "हिन्दी"):
        assert set(text) <= charset(), text
    for text in (
        "\N{GRINNING FACE}",
        "\N{ROCKET}",
        "€ → ≤ …",
        "\u2018\u2019\u201c\u201d\u2013",
        "a\tb\nc",
        "\u200d\ufe0f",
    ):
        assert set(text) <= charset(), text


def test_it_holds_no_controls_and_no_overrides() -> None:
    kinds = {unicodedata.category(character) for character in charset() - {"\t", "\n"}}
    assert not kinds & {"Cc", "Cs", "Co"}
    assert not charset() & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u00ad\ufeff")
    assert charset() >= KEY_CHARSET


@given(st.text(max_size=60))
def test_sanitised_text_is_in_the_space(text: str) -> None:
    result = sanitise(text, 20)
    assert text_space(20).contains(result)
    assert set(text) - charset() or len(text) > 20 or result == text


def test_what_sanitise_does() -> None:
    assert sanitise("a\r\nb\rc\vd", 20) == "a\nb\nc\nd"
    assert sanitise("a\x07b", 20) == "a\ufffdb"
    assert sanitise("abcdef", 4) == "abc…"
    assert sanitise("abcd", 4) == "abcd"


def test_a_space_is_printed_in_a_line() -> None:
    assert repr(text_space(20)) == f"Text(0, 20, charset=<{len(charset()):,} characters>)"
