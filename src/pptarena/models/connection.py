"""Error messages for unreachable services: address, proxy and reason."""

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from pptarena.errors import ConfigError

__all__ = ["causes", "connection_failure", "explain_proxy_errors", "find_proxy", "public_address"]

_SCHEMES = frozenset({"socks4", "socks4a", "socks5", "socks5h"})
_SOURCES = ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY")
_CHAIN = 20


def public_address(url: str) -> str:
    """Return a URL without user name, password and query; only its end if it is malformed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def find_proxy(url: str) -> str:
    """Return the proxy that the environment sets for a URL; ``""`` for none."""
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    return public_address(proxy) if proxy else ""


def connection_failure(error: BaseException, url: str) -> str:
    """Return the message for a failed connection to a service; ``""`` for any other error.

    Args:
        error: The error of an HTTP client.
        url: The address of the service.

    Returns:
        Such as ``"Cannot reach http://localhost:8000/v1: connection refused"``.
    """
    chain = list(causes(error))
    # Matched by name, because clients use httpx, a fork of it, or a vendored copy.
    names = {class_.__name__ for cause in chain for class_ in type(cause).__mro__}
    if not names & {"ConnectError", "ProxyError"}:
        return ""
    proxy = find_proxy(url)
    via = f" through the proxy {proxy}" if proxy else ""
    return f"Cannot reach {public_address(url)}{via}: {_reason(chain)}"


@contextmanager
def explain_proxy_errors() -> Iterator[None]:
    """Replace the errors that HTTP clients raise for an unusable proxy of the environment.

    Raises:
        ConfigError: If the proxy needs a package for SOCKS that is missing, or is malformed.
    """
    try:
        yield
    except Exception as error:  # httpx.InvalidURL is not a ValueError
        setting = _proxy_setting(os.environ)
        if setting is None or not _is_about_proxy(error, os.environ[setting[0]]):
            raise
        name, value = setting
        if isinstance(error, ImportError):
            raise ConfigError(
                f"{name}={value} is a SOCKS proxy, which needs the package socksio: install it "
                f"with pip install socksio, or unset {name}"
            ) from error
        raise ConfigError(f"{name}={value} cannot be used as a proxy: {error}") from error


def _is_about_proxy(error: Exception, proxy: str) -> bool:
    if type(error).__name__ == "InvalidURL":
        return _is_malformed(proxy)
    mentions_proxy = any(term in str(error).lower() for term in ("proxy", "socks"))
    return mentions_proxy and isinstance(error, ImportError | ValueError)


def _is_malformed(url: str) -> bool:
    try:
        urlsplit(url).port  # noqa: B018 - raises if it is malformed
    except ValueError:
        return True
    return not url.isprintable()


def _proxy_setting(environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name and value of the proxy variable, preferring SOCKS."""
    names = [name for name in environment if name.upper() in _SOURCES and environment[name]]
    names.sort(key=lambda name: environment[name].partition(":")[0].lower() not in _SCHEMES)
    return (names[0], public_address(environment[names[0]])) if names else None


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes, the outermost first."""
    cause: BaseException | None = error
    for _ in range(_CHAIN):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _reason(causes: list[BaseException]) -> str:
    for cause in reversed(causes):
        if isinstance(cause, socket.gaierror):
            return "the name of the host cannot be resolved"
        if isinstance(cause, OSError) and cause.errno and cause.errno > 0 and cause.strerror:
            return os.strerror(cause.errno).lower() if _is_plain(cause) else cause.strerror
    reason = next((str(cause) for cause in reversed(causes) if str(cause)), "no connection")
    return " ".join(reason.split())[:200]


def _is_plain(error: OSError) -> bool:
    """Return whether an exception comes from the system, such as a refused connection."""
    return type(error).__module__ == "builtins"
