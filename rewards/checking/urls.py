"""Normal forms of link addresses, to compare addresses for equal meaning."""

import re
import unicodedata
from typing import Final
from urllib.parse import quote, urlsplit

__all__ = ["host_of", "normal_url"]

_DEFAULT_PORTS: Final = {"http": "80", "https": "443", "ftp": "21"}
_ESCAPE = re.compile(r"(%[0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_SAFE = "!$&'()*+,;=:@/?"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FIELD = re.compile(r"(?:^|(?<=&))[^=&]+(?==)")
_PUNYCODE = "xn--"
_MAX_LABEL_CHARS = 63  # RFC 1035, 2.3.4; decoding takes quadratic time


def normal_url(url: str) -> str:
    """Return the normal form of an address, equal for equivalent addresses (RFC 3986, 6.2.2).

    Scheme and host are lowercase, the host in Unicode. Unreserved characters are not
    percent-encoded; spaces and all characters that need it are. ``.`` and ``..`` in paths are
    resolved, and default ports, empty fragments and empty paths are normalized. In ``mailto:``,
    the case of the domain and of field names is ignored. Paths keep their case and a final slash.
    An address that begins with ``www.`` is read as ``http://www.``, as applications do.
    """
    url = url.strip()
    if url.casefold().startswith("www."):
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
    except ValueError:  # such as brackets in the host that do not enclose an IPv6 address
        return url
    scheme, path, query = parts.scheme, _component(parts.path), _component(parts.query)
    found = f"{scheme}:" if _SCHEME.match(url) else ""
    if scheme == "mailto":
        name, _, domain = path.rpartition("@")
        path = f"{name}@{domain.lower()}" if name else path
        query = _FIELD.sub(lambda field: field[0].lower(), query)
    if scheme == "tel":
        path = re.sub(r"[-.()]|%20", "", path)
    if parts.netloc:
        found += f"//{_authority(parts.netloc, scheme)}"
        path = _without_dots(path) or "/"
    found += path
    found += f"?{query}" if "?" in url.partition("#")[0] else ""
    return found + (f"#{_component(parts.fragment)}" if parts.fragment else "")


def host_of(host: str) -> str:
    """Return a host name in lowercase, with Punycode (RFC 5891) decoded to Unicode."""
    labels = unicodedata.normalize("NFKC", host).lower().replace("\u3002", ".").split(".")
    return ".".join(map(_label, labels))


def _label(label: str) -> str:
    if not label.startswith(_PUNYCODE) or len(label) > _MAX_LABEL_CHARS:
        return label
    try:
        return label[len(_PUNYCODE) :].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _authority(text: str, scheme: str) -> str:
    user, at, address = text.rpartition("@")
    host, colon, port = address.rpartition(":")
    if not colon or not (port.isdigit() or not port):
        host, port = address, ""
    shown = f":{port}" if port and port != _DEFAULT_PORTS.get(scheme) else ""
    return f"{user}{at}{host_of(host)}{shown}"


def _component(text: str) -> str:
    """Return a part of an address with the percent-encoding of each character normalized."""
    parts = _ESCAPE.split(unicodedata.normalize("NFC", text))
    return "".join(
        _escape(x) if i % 2 else quote(x, _SAFE, errors="surrogatepass")
        for i, x in enumerate(parts)
    )


def _escape(escape: str) -> str:
    character = chr(int(escape[1:], 16))
    return character if _UNRESERVED.match(character) else escape.upper()


def _without_dots(path: str) -> str:
    """Return a path without ``.`` and ``..`` (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            del kept[max(1, len(kept) - 1) :]
        elif part != ".":
            kept.append(part)
    return "/".join([*kept, ""] if parts[-1] in (".", "..") else kept)
