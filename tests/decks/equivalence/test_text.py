"""Texts that read the same to a viewer, and texts that do not."""

import re
from collections.abc import Callable

import pytest
from tests.each_case import each_case
from tests.growth import check_work

from pptarena.decks.equivalence.equivalences import looks_equal
from pptarena.decks.equivalence.text import (
    has_hidden_text,
    normalize_line,
    same_text,
    strip_invisible,
)
from pptarena.decks.text_match import containment, text_similarity

SENTENCES = (
    'The "old" hedge wasn\'t worth it - or was it?',
    "Forty-one minutes in all, questions at the end.",
    "Die Haltestelle \u201eMarkt\u201c bleibt bis 2027 geschlossen",
    "Le tarif \u00ab jeune \u00bb co\u00fbte 12 \u20ac",
    "\u6771\u4eac\u5e972026\u5e7410\u670821\u65e5\u304b\u3089",
)
VARIANTS: dict[str, Callable[[str], str]] = {
    "byte order mark": lambda t: "\ufeff" + t,
    "zero-width space at the end": lambda t: t + "\u200b",
    "word joiner": lambda t: t.replace(" ", "\u2060 ", 1),
    "soft hyphen": lambda t: re.sub(r"(\w{3})(\w{3})", "\\1\u00ad\\2", t, count=1),
    "non-breaking blanks": lambda t: t.replace(" ", "\u00a0"),
    "narrow blanks": lambda t: t.replace(" ", "\u202f"),
    "curly apostrophe": lambda t: t.replace("'", "\u2019"),
    "guillemets": lambda t: re.sub('["\u201e](.*?)["\u201c]', "\u00ab\u00a0\\1\u00a0\u00bb", t),
    "corner brackets": lambda t: re.sub('["\u201e](.*?)["\u201c]', "\u300c\\1\u300d", t),
    "dash": lambda t: t.replace(" - ", " \u2013 "),
    "non-breaking hyphen": lambda t: t.replace("-", "\u2011"),
    "number in words": lambda t: t.replace("Forty-one", "Forty one"),
    "full-width digits": lambda t: (
        t.translate({ord(d): ord(d) + 0xFEE0 for d in "0123456789"}) if "\u6771" in t else t
    ),
    "last full stop": lambda t: t.removesuffix("."),
    "left-to-right mark": lambda t: t + "\u200e",
}
DIFFERENT: dict[str, Callable[[str], str]] = {
    "invisible marks everywhere": "\u200b".join,
    "soft hyphens everywhere": "\u00ad".join,
    "struck through": lambda t: "".join(f"{character}\u0336" for character in t),
    "no blanks": lambda t: t.replace(" ", "") + "x",
    "other digits": lambda t: t.replace("2", "3") + "!",
    "in Latin full-width": lambda t: "\uff34\uff48\uff45 " + t,
    "one word less": lambda t: t.rpartition(" ")[0] or t[1:],
    "reversed by an override": lambda t: "\u202e" + t,
}


@each_case("text", SENTENCES)
@each_case("name", VARIANTS)
def test_variants_read_the_same(name: str, text: str) -> None:
    variant = VARIANTS[name](text)
    assert same_text(variant, text)
    assert same_text(text, variant)
    assert looks_equal("text", "", text, variant)
    if name != "last full stop":
        assert text_similarity(variant, text, match_case=True) == 1.0
        assert containment(f"x {variant} y", text, match_case=True) == 1.0


@each_case("text", SENTENCES)
@each_case("name", DIFFERENT)
def test_visibly_different_texts_differ(name: str, text: str) -> None:
    variant = DIFFERENT[name](text)
    assert not same_text(variant, text)
    assert not looks_equal("notes", "", text, variant)
    assert text_similarity(variant, text, match_case=True) < 0.95


@each_case(
    "first, second",
    [
        ("139 %", "$139"), ("-95", "95"), ("re-sign", "resign"), ("well known", "well-known"),
        ("15", "1.5"), ("\uff11\uff12", "12"), ("wait", "wait..."), ("wait", "wait?"),
        ("5\u2032", "5'"), ('"Net income"', "Net income"), ("\u0430cme", "acme"), ("Acme", "acme"),
        ("one\ntwo", "one two"),
    ],
)  # fmt: skip
def test_near_misses(first: str, second: str) -> None:
    assert not same_text(first, second)
    assert not same_text(second, first)


@pytest.mark.parametrize(
    "quoted",
    ['"We grow."', "\u201cWe grow.\u201d", "\u00ab We grow. \u00bb", '"We grow".', "'We grow.'",
     "\u201eWe grow\u201c"],
)  # fmt: skip
def test_quotation_marks_around_a_sentence_are_ignored(quoted: str) -> None:
    assert same_text(quoted, "We grow.")


def test_joiners_of_other_scripts_are_kept() -> None:
    persian, family = "\u0645\u06cc\u200c\u0634\u0648\u062f", "\U0001f468\u200d\U0001f467"
    assert strip_invisible(persian) == persian
    assert strip_invisible(family) == family
    assert strip_invisible("a\u200db") == "ab"
    assert not same_text(persian, persian.replace("\u200c", ""))


@pytest.mark.parametrize(
    ("text", "is_excessive"),
    [
        ("\ufeffNet", False), ("Ver\u00adfas\u00adsungs\u00adge\u00adricht", False),
        ("Ve\u00adr\u00adfa\u00ads\u00adsung", True), ("\u200b".join("Net"), False),
        ("\u200b".join("Net interest"), True), ("Net" + "\u200b" * 40, True),
    ],
)  # fmt: skip
def test_excessive_invisible_characters_are_detected(text: str, is_excessive: bool) -> None:
    assert has_hidden_text(text) is is_excessive
    assert (
        text_similarity(text, strip_invisible(text), match_case=True) == 1.0
    ) is not is_excessive


def test_text_with_hidden_characters_scores_half() -> None:
    target = "Net interest and fees both grew"
    assert text_similarity("\u200b".join(target), target, match_case=True) == 0.5
    assert containment("\u00ad".join(target), target, match_case=True) == 0.5


def test_exact_comparison_distinguishes_character_forms() -> None:
    old, new = "\u6771\u4eac\uff12\uff10", "\u6771\u4eac20"
    assert text_similarity(old, new, match_case=True) == 1.0
    assert text_similarity(old, new, match_case=True, exact=True) < 1.0


def test_long_runs_of_blanks_take_linear_time() -> None:
    def work(size: int) -> Callable[[], str]:
        return lambda: normalize_line.__wrapped__(f"Net{' ' * size}interest")

    check_work(work, 20_000)
    assert normalize_line.__wrapped__("\u00ab  jeune  \u00bb") == '"jeune"'
