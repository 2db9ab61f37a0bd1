import pytest
from tests.each_case import each_case

from pptarena.rewards.checks.links import host_of, normal_url

SAME = [
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
OTHER = [
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


@each_case("one, other", SAME)
def test_addresses_that_mean_the_same(one: str, other: str) -> None:
    assert normal_url(one) == normal_url(other)


@each_case("one, other", OTHER)
def test_addresses_that_differ(one: str, other: str) -> None:
    assert normal_url(one) != normal_url(other)


@each_case("url", [each for pair in (*SAME, *OTHER) for each in pair])
def test_a_normal_address_is_its_own_normal_form(url: str) -> None:
    assert normal_url(normal_url(url)) == normal_url(url)


@pytest.mark.parametrize(
    "url",
    ["", "https://[broken", "https://xn--/", "https://xn--\u00fc.de", "%", "http://", "\ud800"],
)
def test_odd_addresses_do_no_harm(url: str) -> None:
    assert isinstance(normal_url(url), str)


def test_a_label_that_is_too_long_for_a_host_is_not_decoded() -> None:
    host = f"xn--{'a' * 60}.org"
    assert host_of(host) == host


def test_hosts_in_punycode_are_those_in_unicode() -> None:
    assert host_of("XN--Mnchen-3ya.de") == host_of("M\u00fcnchen.DE")
