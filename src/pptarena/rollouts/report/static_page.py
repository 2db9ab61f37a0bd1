"""Static pages: one HTML file without scripts or external resources."""

import base64
import hashlib
from collections.abc import Iterable

import pptarena
from pptarena.untrusted import escape_html

__all__ = ["STATIC_STYLE", "column_meanings", "embedded_image", "static_page"]

STATIC_STYLE = """
:root { color-scheme: light dark; --line: #8884; --muted: light-dark(#5d636e, #9ea5b1);
  --box: light-dark(#f5f6f8, #1d2026); }
body { margin: 0 auto; max-width: 1360px; padding: 20px; font: 15px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
h1 { font-size: 26px; margin: 0 0 8px; } h2 { font-size: 18px; margin: 0; }
h3 { font-size: 14px; margin: 16px 0 0; color: var(--muted); font-weight: 600; }
section { border-top: 1px solid var(--line); padding: 18px 0; }
.kind { color: var(--muted); font-size: 13px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin: 10px 0; }
figure { margin: 0; } figcaption { color: var(--muted); font-size: 12px; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); display: block; }
.none { background: var(--box); color: var(--muted); padding: 24px; text-align: center; }
@media (max-width: 800px) { .pair { grid-template-columns: 1fr; } }
"""
"""The common styles of these pages."""


def static_page(title: str, body: str, style: str = "") -> str:
    """Return a page.

    Args:
        title: Title of the page, as text.
        body: Contents as HTML; the caller escapes untrusted text.
        style: Style sheet appended to the common one.
    """
    style = STATIC_STYLE + style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{escape_html(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
<p class="kind">Created by pptarena {escape_html(pptarena.__version__)}.</p>
</body>
</html>
"""


def column_meanings(columns: Iterable[tuple[str, str]]) -> str:
    """Return an explanation of a table's columns, for readers without a pointer.

    Args:
        columns: Headings and their meanings, as text.
    """
    items = "".join(
        f"<dt>{escape_html(heading)}</dt><dd>{escape_html(meaning)}</dd>"
        for heading, meaning in columns
    )
    return f"<details><summary>What the columns mean</summary><dl>{items}</dl></details>"


def embedded_image(webp: bytes, alt: str) -> str:
    """Return the element of a picture that is embedded in the page.

    Args:
        webp: A WebP file.
        alt: Its description, as text.
    """
    data = base64.b64encode(webp).decode()
    return f'<img loading="lazy" alt="{escape_html(alt)}" src="data:image/webp;base64,{data}">'
