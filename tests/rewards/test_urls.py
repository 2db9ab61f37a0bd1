import pytest
from tests.each_case import each_case

from pptarena.rewards.checks.links import normal_host, normal_url

EQUIVALENT = [
    ("https://example.org/our plan", "https://example.org/our%20plan"),
    ("https://example.org", "https://example.org/"),
    ("https://example.org/#", "https://example.org"),
    ("https://example.org/a#", "https://example.org/a"),
    ("HTTPS://Example.ORG/a", "https://example.org/a"),
    ("https://example.org:443/a", "https://example.org/a"),
    ("http://example.org:80", "http://example.org/"),
    ("http://example.org:/a", "http://example.org/a"),
    ("https://example.org/%7eada", "https://example.org/~ada"),
    ("https://example.org/%41", "https://example.org/A"),
    ("https://example.org/a%2fb", "https://example.org/a%2Fb"),
    ("https://example.org/Z\u00fcrich", "https://example.org/Z%c3%bcrich"),
    ("https://example.org/Zu\u0308rich", "https://example.org/Z\u00fcrich"),
    ("https://m\u00fcnchen.de/", "https://xn--mnchen-3ya.de"),
    ("https://M\u00dcNCHEN.de/", "https://xn--mnchen-3ya.de"),
    ("https://\u4f8b\u3048.jp", "https://xn--r8jz45g.jp/"),
    ("https://example.org/a/./b/../c", "https://example.org/a/c"),
    ("https://example.org/a/..", "https://example.org/"),
    ("https://example.org/../a", "https://example.org/a"),
    ("https://example.org/?q=a b", "https://example.org?q=a%20b"),
    ("https://example.org/100%", "https://example.org/100%25"),
    ("https://example.org/a|b[1]", "https://example.org/a%7Cb%5B1%5D"),
    ("mailto:ada@example.org?Subject=Hi there", "mailto:ada@Example.org?subject=Hi%20there"),
    ("MAILTO:ada@example.org?CC=b@c.d&Body=x", "mailto:ada@example.org?cc=b@c.d&body=x"),
    ("www.example.org", "http://www.example.org/"),
    ("tel:+49 30 1234-5", "tel:+493012345"),
    (" https://example.org/a ", "https://example.org/a"),
    ("our notes.pdf", "our%20notes.pdf"),
]
DIFFERENT = [
    ("https://example.org/a", "https://example.org/b"),
    ("https://example.org/a", "https://example.org/A"),
    ("https://example.org/a", "https://example.org/a/"),
    ("https://example.org/a", "http://example.org/a"),
    ("https://example.org/a/b", "https://example.org/a%2Fb"),
    ("https://example.org/a+b", "https://example.org/a%20b"),
    ("https://example.org/?a=1&b=2", "https://example.org/?a=1%26b=2"),
    ("https://example.org/?a=1", "https://example.org/?a=2"),
    ("https://example.org/?a=1", "https://example.org/?A=1"),
    ("https://example.org/#a", "https://example.org/#b"),
    ("https://example.org/#a", "https://example.org/"),
    ("https://example.org:8443/", "https://example.org/"),
    ("https://example.org:80/", "https://example.org/"),
    ("https://ada@example.org/", "https://example.org/"),
    ("https://www.example.org/", "https://example.org/"),
    ("https://stra\u00dfe.de/", "https://strasse.de/"),
    ("https://example.org/%23a", "https://example.org/#a"),
    ("mailto:ada@example.org", "mailto:bob@example.org"),
    ("mailto:ada@example.org?subject=a", "mailto:ada@example.org?subject=A"),
    ("a.pdf", "A.pdf"),
]


@each_case("one, other", EQUIVALENT)
def test_equivalent_urls_have_one_normal_form(one: str, other: str) -> None:
    assert normal_url(one) == normal_url(other)


@each_case("one, other", DIFFERENT)
def test_different_urls_keep_different_forms(one: str, other: str) -> None:
    assert normal_url(one) != normal_url(other)


@each_case("url", [each for pair in (*EQUIVALENT, *DIFFERENT) for each in pair])
def test_normalizing_a_url_twice_changes_nothing(url: str) -> None:
    assert normal_url(normal_url(url)) == normal_url(url)


@pytest.mark.parametrize(
    "url",
    ["", "https://[broken", "https://xn--/", "https://xn--\u00fc.de", "%", "http://", "\ud800"],
)
def test_malformed_urls_raise_nothing(url: str) -> None:
    assert isinstance(normal_url(url), str)


def test_punycode_is_decoded_unless_a_label_is_too_long() -> None:
    assert normal_host("XN--Mnchen-3ya.de") == normal_host("M\u00fcnchen.DE")
    long_host = f"xn--{'a' * 60}.org"
    assert normal_host(long_host) == long_host
