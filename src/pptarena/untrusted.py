"""Make untrusted text safe to display by escaping invisible characters."""

import html
import json
import re

__all__ = ["UNPRINTABLE_JS", "escape_html", "escape_invisible", "utf8_safe_text"]

# Control characters except tab and newline, line and paragraph separators, surrogates, and
# characters without a glyph: bidirectional controls, zero-width characters, soft hyphens, tags and
# fillers. They have the Unicode categories Cc, Zl, Zp, Cs and Cf, except for visible signs of
# category Cf, such as the Arabic number sign.
_INVISIBLE = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    r"\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)

# Joiners are part of Persian and Indic spelling and of emoji, so they are kept between two
# characters of such scripts. Next to Latin characters they only hide text.
_LATIN = r"\x00-\u024f\u200b-\u200f\u1e00-\u1eff"
_JOINER = rf"(?<![^{_LATIN}])[\u200c\u200d]|[\u200c\u200d](?![^{_LATIN}])"

# Variation selectors select a form of an ideograph, as in Japanese names; elsewhere they hide data.
_IDEOGRAPH = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SELECTOR = rf"(?<![{_IDEOGRAPH}])[\U000e0100-\U000e01ef]"

_UNPRINTABLE = re.compile(rf"[{_INVISIBLE}]|{_JOINER}|{_SELECTOR}")

UNPRINTABLE_JS = re.sub(r"\\U000(\w{5})", r"\\u{\1}", _UNPRINTABLE.pattern)
"""JavaScript regular expression (flag ``u``) of the characters that `escape_invisible` escapes."""


def escape_invisible(text: str) -> str:
    r"""Return a text with its invisible characters escaped, such as ``\u202e`` for an override.

    The result cannot control a terminal, change the text direction around it, or start a new line
    other than by ``\n``. The escapes are those of JSON (RFC 8259, section 7), so JSON text keeps
    its meaning.
    """
    return _UNPRINTABLE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def utf8_safe_text(text: str) -> str:
    """Return a text with unpaired surrogates replaced, so that it can be sent as UTF-8."""
    return text.encode("utf-8", "replace").decode()


def escape_html(text: str) -> str:
    """Return a text for an HTML page: `escape_invisible`, with markup escaped."""
    return html.escape(escape_invisible(text))
