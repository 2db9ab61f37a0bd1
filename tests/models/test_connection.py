"""Error messages for services that cannot be reached."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.errors import ConfigError
from pptarena.models.connection import (
    clear_proxy_errors,
    proxy_of,
    refused_connection,
    shown_address,
)

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def _ask(url: str) -> BaseException:
    """Return what the client raises when it asks a service."""
    openai = pytest.importorskip("openai")
    with clear_proxy_errors():
        client = openai.OpenAI(api_key="k", base_url=url, max_retries=0, timeout=5)
    with client, pytest.raises(openai.APIConnectionError) as found:
        client.chat.completions.create(model="m", messages=[])
    error: BaseException = found.value
    return error


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:9/v1", "connection refused"),
        ("https://127.0.0.1:9/v1", "connection refused"),
        ("http://localhost:9/v1", "connection refused"),
        ("http://user:secret@127.0.0.1:9/v1", "connection refused"),
        ("http://no-such-host.invalid/v1", "the name of the host cannot be resolved"),
        ("https://no-such-host.invalid/v1", "the name of the host cannot be resolved"),
    ],
)
def test_address_and_reason_are_named(url: str, reason: str) -> None:
    message = refused_connection(_ask(url), url)
    assert message == f"Cannot reach {url.replace('user:secret@', '')}: {reason}"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
def test_the_proxy_is_named_without_its_password(variable: str, monkeypatch: Any) -> None:
    monkeypatch.setenv(variable, "http://me:secret@127.0.0.1:9")
    url = "http://models.example/v1"
    message = refused_connection(_ask(url), url)
    assert message == (
        "Cannot reach http://models.example/v1 through the proxy http://127.0.0.1:9: "
        "connection refused"
    )


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
@pytest.mark.parametrize("variable", ["ALL_PROXY", "all_proxy", "HTTP_PROXY"])
def test_a_socks_proxy_without_its_package_says_what_to_do(
    scheme: str, variable: str, monkeypatch: Any
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "socksio", None)
    monkeypatch.setenv(variable, f"{scheme}://me:secret@127.0.0.1:1080")
    with pytest.raises(ConfigError) as found:
        _ask("http://models.example/v1")
    message = str(found.value)
    assert message.startswith(f"{variable}={scheme}://127.0.0.1:1080 is a SOCKS proxy")
    assert f"pip install socksio, or unset {variable}" in message


@pytest.mark.parametrize("proxy", ["http://me:secret@[::1", "http://127.0.0.1:abc"])
def test_a_malformed_proxy_is_named_without_its_password(proxy: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ConfigError, match=r"^ALL_PROXY=.* cannot be used as a proxy") as found:
        _ask("http://models.example/v1")
    assert "secret" not in str(found.value)


def test_a_malformed_address_is_not_blamed_on_the_proxy(monkeypatch: Any) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with pytest.raises(Exception, match="Invalid port") as found:
        _ask("http://models.example:abc/v1")
    assert not isinstance(found.value, ConfigError)


def test_an_unknown_proxy_scheme_is_named(monkeypatch: Any) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://127.0.0.1")
    with pytest.raises(ConfigError, match=r"HTTP_PROXY=gopher://127\.0\.0\.1 cannot be used"):
        _ask("http://models.example/v1")


def _import_error() -> None:
    raise ImportError("no module named torch")


def _value_error() -> None:
    raise ValueError("wrong key")


@pytest.mark.parametrize("raises", [_import_error, _value_error])
@pytest.mark.parametrize("proxy", ["", "socks5://127.0.0.1:1"])
def test_other_errors_stay_as_they_are(
    raises: Callable[[], None], proxy: str, monkeypatch: Any
) -> None:
    if proxy:
        monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises((ImportError, ValueError)) as found, clear_proxy_errors():
        raises()
    assert not isinstance(found.value, ConfigError)


def test_a_host_that_needs_no_proxy(monkeypatch: Any) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "localhost,models.example")
    assert proxy_of("http://models.example/v1") == proxy_of("http://localhost:1/v1") == ""
    assert proxy_of("http://other.example/v1") == "http://127.0.0.1:9"


def test_other_errors_are_not_failed_connections() -> None:
    assert refused_connection(TimeoutError("late"), "http://localhost/v1") == ""
    assert shown_address("http://a:b@h:1/v1?key=x#y") == "http://h:1/v1"
