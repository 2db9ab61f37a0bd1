"""Checks of hyperlinks."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final
from urllib.parse import quote, urlsplit

from pptarena.decks import Link, Run, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.visibility.clicks import area_points, catcher_at, link_of, resolved, word_points
from pptarena.rewards.checking.arguments import Texts, require_old
from pptarena.rewards.checking.registry import part_check, slide_check
from pptarena.rewards.checking.result import CheckResult, none_left
from pptarena.rewards.checking.values import letters_of, matching_runs
from pptarena.rewards.checking.view import Part, SlidePair
from pptarena.rewards.relative import OneSlide

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


_WORDS_ALONE = 0.8
_ALIKE = 0.7
_MISTYPED = 0.1
_WRONG_LETTERS = 4
_LONGEST = 500
_WRITTEN_OUT = 0.2
_ELSEWHERE = 0.1
_ELSEWHERE_AROUND = 0.4
_OF_WORDS = 0.6  # share of the clicks at a linked box that hit its text
_SECURE = re.compile(r"https(?=://)")


@part_check(explain_hidden=True, exactly_one=("url", "to_slide", "host", "one_of"))
def hyperlink_is(
    part: Part,
    text: str | None = None,
    url: str | None = None,
    to_slide: OneSlide | None = None,
    host: str | None = None,
    one_of: Texts | None = None,
    hover: bool = False,
    area: bool = False,
) -> CheckResult:
    """Measure the share of characters that lead to the wanted target; a linked shape counts fully.

    The target of a click counts: a shape in front of another takes its clicks, and a link of text
    has priority over the link of its shape. If the shape around linked text gets a new link to
    another target, the score is multiplied by 0.4.

    Equivalent addresses (RFC 3986) count as equal: "%20" and a space, an empty fragment, the
    default port, uppercase in the host. Addresses that differ by a slash at the end are equal, too.
    Other addresses earn partial credit: 0.7 for http instead of https or another case in the path,
    less than 0.1 for up to three wrong characters. An address that is only written as text earns
    0.2. A link to another slide earns 0.1.

    Args:
        to_slide: Position in the original.
        host: Any page of a site such as `en.wikipedia.org`, or of a part of a site.
        one_of: Any of these addresses.
        hover: Whether the link is followed when the pointer rests on the shape.
        area: Whether a click anywhere on the shape must lead there; linked text alone earns 0.8.
    """
    wanted, name = _target(part, url, to_slide, host, one_of)
    shapes = part.visible
    if part.shape is None:
        shapes = tuple(shape for shape in shapes if part.on.counts(shape))
    own = [link_of(shape, part.slide, hover) for shape in shapes]
    of_shape = max(map(wanted, own), default=0.0) if text is None else 0.0
    runs = matching_runs(shapes, text)
    if of_shape:
        of_shape *= 1 - _OF_WORDS * _strays(runs, wanted)
    of_shape *= _reached(part, wanted, on_words=False) if of_shape else 1.0
    if of_shape == 1.0:
        return CheckResult(1.0, f"{part.label} leads to {name}")
    right = sum(wanted(run.link) * letters_of([run]) for run in runs)
    # Without a text, a link anywhere on the slide is enough.
    total = letters_of(run for run in runs if wanted(run.link) or text or part.shape)
    of_words = (_WORDS_ALONE if area else 1.0) * right / total if total else 0.0
    if of_words:
        of_words *= _reached(part, wanted, on_words=True)
        of_words *= _ELSEWHERE_AROUND if _leads_astray(part, wanted, hover) else 1.0
    leads = max(of_shape, of_words)
    if part.shape is not None and _is_written(shapes, [url] if url else one_of or ()):
        leads = max(leads, _WRITTEN_OUT)
    what = part.label if text is None else f"{clip(text)} in {part.label}"
    return CheckResult(leads, f"{leads:.0%} of {what} leads to {name}")


@slide_check(shape="optional", more=require_old)
def hyperlink_none(pair: SlidePair) -> CheckResult:
    """Measure the share of the original's links that were removed while their text remains."""
    selector = pair.address.selector
    if selector is not None and pair.follow(selector) is None:
        return CheckResult(0.0, f"{selector} itself is gone, not just its links")
    before, now = _chosen(pair, pair.before), _chosen(pair, pair.after)
    # The task does not ask to remove the text of a link.
    lost = sum(bool(words) and words not in pair.after.text for words, _ in before)
    return none_left(len(now) + lost, len(before), "link", pair.label)


def _strays(runs: Sequence[Run], wanted: Callable[[Link | None], float]) -> float:
    """Return the share of characters with a link of their own that leads elsewhere."""
    total = letters_of(runs)
    stray = letters_of(run for run in runs if run.link is not None and wanted(run.link) < 1)
    return stray / total if total else 0.0


def _leads_astray(part: Part, wanted: Callable[[Link | None], float], hover: bool) -> bool:
    """Return whether the shape around linked text got a link of its own that leads elsewhere."""
    if part.shape is None:
        return False
    now = link_of(part.shape, part.slide, hover)
    if now is None or wanted(now) == 1.0:
        return False
    old = part.on.original_of(part.shape)
    was = None
    if old is not None and part.on.before is not None:
        was = link_of(old, part.on.before, hover)
    return was != now


def _reached(part: Part, wanted: Callable[[Link | None], float], *, on_words: bool) -> float:
    """Return the share of clicks at a shape that reach it, or that lead to the right target anyway.

    Shapes without a link that covered the shape in the original take no clicks.
    """
    if part.shape is None:
        return 1.0
    shape, slide = part.shape, part.slide
    harmless = {s.index for s in slide.shapes if part.on.original_of(s) is not None}
    points = (word_points(shape) if on_words else []) or area_points(shape)
    caught = [catcher_at(slide, shape.index, point, harmless) for point in points]
    return sum(1.0 if s is None else _of(s, slide, wanted) for s in caught) / len(points)


def _of(shape: Shape, slide: Slide, wanted: Callable[[Link | None], float]) -> float:
    """Return how well the target of a click at a covering shape matches."""
    links = [run.link for run in matching_runs([shape], None) if run.link]
    return max(map(wanted, (link_of(shape, slide), *links)))


def _links(shapes: tuple[Shape, ...]) -> Iterator[tuple[str, Link]]:
    """Yield the text and the target of each link; a link of an entire shape has no text."""
    for shape in shapes:
        if shape.link:
            yield "", shape.link
        for run in matching_runs([shape], None):
            if run.link:
                yield run.text.strip(), run.link


def _chosen(pair: SlidePair, slide: Slide | None) -> list[tuple[str, Link]]:
    """Return the links of a slide, before or now, or only those of the selected shape."""
    if slide is None:
        return []
    if pair.address.selector is None:
        return list(_links(slide.shapes))
    shape = pair.follow(pair.address.selector)
    if shape is not None and slide is pair.before:
        shape = pair.original_of(shape)
    return [] if shape is None else list(_links((shape,)))


def _target(
    part: Part,
    url: str | None,
    to_slide: int | None,
    host: str | None,
    one_of: tuple[str, ...] | None,
) -> tuple[Callable[[Link | None], float], str]:
    """Return a function that scores a link by the target, and the target's name."""
    if to_slide is not None:
        target = part.on.view.current_of(part.on.view.original_slide(to_slide))
        number = None if target is None else target.index + 1
        name = "the slide" if number is None else f"slide:{number}"
        own, deck = part.slide, part.deck
        return lambda link: _to_slide(resolved(link, own, deck), number, own.index + 1), name
    if host is not None:
        return lambda link: _to_site(link, host_of(host)), f"a page of {host}"
    pages = [normal_url(each) for each in one_of or (url or "",)]
    return lambda link: max(_to_page(link, page) for page in pages), " or ".join(pages)


def _to_slide(link: Link | None, number: int | None, own: int) -> float:
    """Return how nearly a link leads to a slide; a link to its own slide leads nowhere."""
    if link is None or link.slide is None or number is None:
        return 0.0
    if link.slide == number:
        return 1.0
    return _ELSEWHERE if link.slide != own else 0.0


def _to_site(link: Link | None, site: str) -> float:
    return float(link is not None and _is_on(link.address, site))


def _to_page(link: Link | None, page: str) -> float:
    """Return how nearly a link leads to a page; a mistyped address earns a little."""
    if link is None or link.slide is not None or not link.address:
        return 0.0
    found = normal_url(link.address)
    # Servers redirect from one form to the other if they have only one of them.
    if found.rstrip("/") == page.rstrip("/"):
        return 1.0
    if _loose(found) == _loose(page):
        return _ALIKE
    return _MISTYPED * max(0.0, 1 - _wrong_letters(found, page) / _WRONG_LETTERS)


def _loose(url: str) -> str:
    """Return an address in lowercase, with http for https and without a final slash."""
    return _SECURE.sub("http", url, count=1).rstrip("/").casefold()


def _wrong_letters(found: str, wanted: str) -> int:
    """Return how many characters of an address are wrong, missing or extra, up to a limit."""
    if abs(len(found) - len(wanted)) >= _WRONG_LETTERS or len(found) > _LONGEST:
        return _WRONG_LETTERS
    steps = SequenceMatcher(None, found, wanted, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for what, a, b, c, d in steps if what != "equal")


def _is_written(shapes: Iterable[Shape], pages: Iterable[str]) -> bool:
    """Return whether the address of a page is written where its link should be."""
    texts = [shape.all_text.casefold() for shape in shapes]
    return any(page.strip().rstrip("/").casefold() in text for page in pages for text in texts)


def _is_on(address: str, site: str) -> bool:
    """Return whether an address is a page of a site, but not the site's start page."""
    try:
        parts = urlsplit(address.strip())
        found = host_of(parts.hostname or "")
    except ValueError:
        return False
    deep = bool(parts.path.strip("/") or parts.query)
    return (
        parts.scheme in ("http", "https") and deep and (found == site or found.endswith(f".{site}"))
    )
