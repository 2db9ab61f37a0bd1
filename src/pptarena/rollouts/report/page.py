"""The HTML file: data and pictures in one self-contained page.

All data from agents, decks and tasks is JSON with every ``<`` escaped, base64, or escaped HTML.
Scripts and styles are allowed only by their hashes.
"""

import base64
import hashlib
import html
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from pptarena.untrusted import UNPRINTABLE_JS, escape_html

__all__ = ["CHUNK_CHARS", "html_page", "read_page_part"]

CHUNK_CHARS = 1_000_000
"""Maximum number of characters of pictures in one element, as elements are decoded separately."""

_SCRIPTS = (
    "data.js", "dom.js", "screen.js", "marks.js", "action.js", "tree.js", "rubric.js", "curve.js",
    "slides.js", "times.js", "model.js", "endings.js", "tables.js", "costs.js", "help.js",
    "matrix.js",
    "episodes.js", "viewer.js", "keys.js", "start.js",
)  # fmt: skip
_STYLES = ("base.css", "results.css", "viewer.css", "model.css")


def html_page(
    title: str,
    summary: Mapping[str, Any],
    episodes: Iterable[Mapping[str, Any]],
    pictures: Iterable[bytes],
) -> str:
    """Return the page.

    Args:
        title: Title of the page.
        summary: The data shown first; the key ``pictures`` is added, the positions of the pictures.
        episodes: The data that is unpacked on demand, each compressed separately.
        pictures: WebP files, in the order of their numbers.
    """
    chunks = list(_chunks(pictures))
    sizes = [[len(piece) for piece in chunk] for chunk in chunks]
    data = [_element("summary", "application/json", _json({**summary, "pictures": sizes}))]
    data += [
        _element(f"episode-{number}", "text/plain", _compressed(episode))
        for number, episode in enumerate(episodes)
    ]
    data += [
        _element(f"pictures-{number}", "text/plain", "".join(chunk))
        for number, chunk in enumerate(chunks)
    ]
    parts = (f"const UNPRINTABLE = /{UNPRINTABLE_JS}/gu;", *map(read_page_part, _SCRIPTS))
    script = '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"
    style = "\n".join(map(read_page_part, _STYLES))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src blob: data:; base-uri 'none'; form-action 'none'"
    )
    return Template(read_page_part("page.html")).substitute(
        title=escape_html(title),
        policy=html.escape(policy, quote=True),
        style=style,
        data="\n".join(data),
        script=script,
    )


def _chunks(pictures: Iterable[bytes]) -> Iterator[Sequence[str]]:
    chunk: list[str] = []
    size = 0
    for picture in pictures:
        chunk.append(base64.b64encode(picture).decode())
        size += len(chunk[-1])
        if size >= CHUNK_CHARS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _compressed(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # A deck may contain lone surrogates, which cannot be encoded.
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()


def _json(value: Mapping[str, Any]) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _element(name: str, kind: str, content: str) -> str:
    return f'<script type="{kind}" id="{name}">{content}</script>'


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def read_page_part(name: str) -> str:
    """Return a source file of the page, such as ``"dom.js"``."""
    return (files(__package__) / "page" / name).read_text("utf-8")
