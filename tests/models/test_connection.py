"""Error messages for services that cannot be reached."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.errors import ConfigError
from pptarena.models.connection import (
    connection_failure,
    explain_proxy_errors,
    find_proxy,
    public_address,
)

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def _ask(url: str) -> BaseException:
    """Return the error that the client raises for a request."""
    openai = pytest.importorskip("openai")
    with explain_proxy_errors():
        client = openai.OpenAI(api_key="k", base_url=url, max_retries=0, timeout=5)
    with client, pytest.raises(openai.APIConnectionError) as caught:
        client.chat.completions.create(model="m", messages=[])
    error: BaseException = caught.value
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
def test_message_names_address_and_reason(url: str, reason: str) -> None:
    message = connection_failure(_ask(url), url)
    assert message == f"Cannot reach {url.replace('user:secret@', '')}: {reason}"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
def test_message_names_proxy_without_password(variable: str, monkeypatch: Any) -> None:
    monkeypatch.setenv(variable, "http://me:secret@127.0.0.1:9")
    url = "http://models.example/v1"
    message = connection_failure(_ask(url), url)
    assert message == (
        "Cannot reach http://models.example/v1 through the proxy http://127.0.0.1:9: "
        "connection refused"
    )


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
@pytest.mark.parametrize("variable", ["ALL_PROXY", "all_proxy", "HTTP_PROXY"])
def test_socks_proxy_without_package_explains_the_fix(
    scheme: str, variable: str, monkeypatch: Any
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "socksio", None)
    monkeypatch.setenv(variable, f"{scheme}://me:secret@127.0.0.1:1080")
    with pytest.raises(ConfigError) as caught:
        _ask("http://models.example/v1")
    message = str(caught.value)
    assert message.startswith(f"{variable}={scheme}://127.0.0.1:1080 is a SOCKS proxy")
    assert f"pip install socksio, or unset {variable}" in message


@pytest.mark.parametrize("proxy", ["http://me:secret@[::1", "http://127.0.0.1:abc"])
def test_malformed_proxy_is_named_without_password(proxy: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ConfigError, match=r"^ALL_PROXY=.* cannot be used as a proxy") as caught:
        _ask("http://models.example/v1")
    assert "secret" not in str(caught.value)


def test_malformed_address_is_not_blamed_on_proxy(monkeypatch: Any) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with pytest.raises(Exception, match="Invalid port") as caught:
        _ask("http://models.example:abc/v1")
    assert not isinstance(caught.value, ConfigError)


def test_unknown_proxy_scheme_is_named(monkeypatch: Any) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://127.0.0.1")
    with pytest.raises(ConfigError, match=r"HTTP_PROXY=gopher://127\.0\.0\.1 cannot be used"):
        _ask("http://models.example/v1")


def _import_error() -> None:
    raise ImportError("no module named torch")


def _value_error() -> None:
    raise ValueError("wrong key")


@pytest.mark.parametrize("raise_error", [_import_error, _value_error])
@pytest.mark.parametrize("proxy", ["", "socks5://127.0.0.1:1"])
def test_other_errors_pass_unchanged(
    raise_error: Callable[[], None], proxy: str, monkeypatch: Any
) -> None:
    if proxy:
        monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises((ImportError, ValueError)) as caught, explain_proxy_errors():
        raise_error()
    assert not isinstance(caught.value, ConfigError)


def test_no_proxy_hosts_bypass_the_proxy(monkeypatch: Any) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "localhost,models.example")
    assert find_proxy("http://models.example/v1") == find_proxy("http://localhost:1/v1") == ""
    assert find_proxy("http://other.example/v1") == "http://127.0.0.1:9"


def test_other_errors_are_not_failed_connections() -> None:
    assert connection_failure(TimeoutError("late"), "http://localhost/v1") == ""
    assert public_address("http://a:b@h:1/v1?key=x#y") == "http://h:1/v1"
