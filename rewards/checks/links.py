"""Checks of hyperlinks."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final
from urllib.parse import quote, urlsplit

from pptarena.decks import Link, Run, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.visibility.clicks import (
    area_points,
    click_receiver,
    link_of,
    resolve_link,
    text_line_points,
)
from pptarena.rewards.checking.arguments import Texts, require_old
from pptarena.rewards.checking.registry import part_check, slide_check
from pptarena.rewards.checking.result import CheckResult, score_removal
from pptarena.rewards.checking.values import matching_runs, run_character_count
from pptarena.rewards.checking.view import Part, SlidePair
from pptarena.rewards.relative import OneSlide

__all__ = ["normal_host", "normal_url"]


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
    normalized = f"{scheme}:" if _SCHEME.match(url) else ""
    if scheme == "mailto":
        name, _, domain = path.rpartition("@")
        path = f"{name}@{domain.lower()}" if name else path
        query = _FIELD.sub(lambda field: field[0].lower(), query)
    if scheme == "tel":
        path = re.sub(r"[-.()]|%20", "", path)
    if parts.netloc:
        normalized += f"//{_authority(parts.netloc, scheme)}"
        path = _without_dots(path) or "/"
    normalized += path
    normalized += f"?{query}" if "?" in url.partition("#")[0] else ""
    return normalized + (f"#{_component(parts.fragment)}" if parts.fragment else "")


def normal_host(host: str) -> str:
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
    port_suffix = f":{port}" if port and port != _DEFAULT_PORTS.get(scheme) else ""
    return f"{user}{at}{normal_host(host)}{port_suffix}"


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
    segments: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            del segments[max(1, len(segments) - 1) :]
        elif part != ".":
            segments.append(part)
    return "/".join([*segments, ""] if parts[-1] in (".", "..") else segments)


_LINKED_TEXT_CREDIT = 0.8
_SIMILAR_CREDIT = 0.7
_MISTYPED_CREDIT = 0.1
_MAX_WRONG_CHARS = 4
_MAX_COMPARED_CHARS = 500
_WRITTEN_CREDIT = 0.2
_OTHER_SLIDE_CREDIT = 0.1
_MISLEADING_SHAPE_FACTOR = 0.4
_TEXT_CLICK_SHARE = 0.6  # share of the clicks at a linked box that hit its text
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
    score_link, target_name = _link_scorer(part, url, to_slide, host, one_of)
    shapes = part.visible
    if part.shape is None:
        shapes = tuple(shape for shape in shapes if part.slide_pair.counts(shape))
    shape_links = [link_of(shape, part.slide, hover) for shape in shapes]
    shape_score = max(map(score_link, shape_links), default=0.0) if text is None else 0.0
    runs = matching_runs(shapes, text)
    if shape_score:
        shape_score *= 1 - _TEXT_CLICK_SHARE * _share_of_other_links(runs, score_link)
    shape_score *= _click_share(part, score_link, on_text=False) if shape_score else 1.0
    if shape_score == 1.0:
        return CheckResult(1.0, f"{part.label} leads to {target_name}")
    right = sum(score_link(run.link) * run_character_count([run]) for run in runs)
    # Without a text, a link anywhere on the slide is enough.
    total = run_character_count(run for run in runs if score_link(run.link) or text or part.shape)
    text_score = (_LINKED_TEXT_CREDIT if area else 1.0) * right / total if total else 0.0
    if text_score:
        text_score *= _click_share(part, score_link, on_text=True)
        text_score *= (
            _MISLEADING_SHAPE_FACTOR if _has_misleading_shape_link(part, score_link, hover) else 1.0
        )
    score = max(shape_score, text_score)
    if part.shape is not None and _is_written(shapes, [url] if url else one_of or ()):
        score = max(score, _WRITTEN_CREDIT)
    subject = part.label if text is None else f"{clip(text)} in {part.label}"
    return CheckResult(score, f"{score:.0%} of {subject} leads to {target_name}")


@slide_check(shape="optional", validate=require_old)
def hyperlink_none(pair: SlidePair) -> CheckResult:
    """Measure the share of the original's links that were removed while their text remains."""
    selector = pair.address.selector
    if selector is not None and pair.follow(selector) is None:
        return CheckResult(0.0, f"{selector} itself is gone, not just its links")
    before, now = _selected_links(pair, pair.before), _selected_links(pair, pair.after)
    # The task does not ask to remove the text of a link.
    lost_texts = sum(bool(text) and text not in pair.after.text for text, _ in before)
    return score_removal(len(now) + lost_texts, len(before), "link", pair.label)


def _share_of_other_links(runs: Sequence[Run], score_link: Callable[[Link | None], float]) -> float:
    """Return the share of characters with a link of their own that leads elsewhere."""
    total = run_character_count(runs)
    stray = run_character_count(
        run for run in runs if run.link is not None and score_link(run.link) < 1
    )
    return stray / total if total else 0.0


def _has_misleading_shape_link(
    part: Part, score_link: Callable[[Link | None], float], hover: bool
) -> bool:
    """Return whether the shape around linked text got a link of its own that leads elsewhere."""
    if part.shape is None:
        return False
    link_now = link_of(part.shape, part.slide, hover)
    if link_now is None or score_link(link_now) == 1.0:
        return False
    old = part.slide_pair.original_of(part.shape)
    link_before = None
    if old is not None and part.slide_pair.before is not None:
        link_before = link_of(old, part.slide_pair.before, hover)
    return link_before != link_now


def _click_share(part: Part, score_link: Callable[[Link | None], float], *, on_text: bool) -> float:
    """Return the share of clicks at a shape that reach it, or that lead to the right target anyway.

    Shapes without a link that covered the shape in the original take no clicks.
    """
    if part.shape is None:
        return 1.0
    shape, slide = part.shape, part.slide
    harmless = {s.index for s in slide.shapes if part.slide_pair.original_of(s) is not None}
    points = (text_line_points(shape) if on_text else []) or area_points(shape)
    catchers = [click_receiver(slide, shape.index, point, harmless) for point in points]
    return sum(
        1.0 if s is None else _covering_link_score(s, slide, score_link) for s in catchers
    ) / len(points)


def _covering_link_score(
    shape: Shape, slide: Slide, score_link: Callable[[Link | None], float]
) -> float:
    """Return how well the target of a click at a covering shape matches."""
    links = [run.link for run in matching_runs([shape], None) if run.link]
    return max(map(score_link, (link_of(shape, slide), *links)))


def _links(shapes: tuple[Shape, ...]) -> Iterator[tuple[str, Link]]:
    """Yield the text and the target of each link; a link of an entire shape has no text."""
    for shape in shapes:
        if shape.link:
            yield "", shape.link
        for run in matching_runs([shape], None):
            if run.link:
                yield run.text.strip(), run.link


def _selected_links(pair: SlidePair, slide: Slide | None) -> list[tuple[str, Link]]:
    """Return the links of a slide, before or now, or only those of the selected shape."""
    if slide is None:
        return []
    if pair.address.selector is None:
        return list(_links(slide.shapes))
    shape = pair.follow(pair.address.selector)
    if shape is not None and slide is pair.before:
        shape = pair.original_of(shape)
    return [] if shape is None else list(_links((shape,)))


def _link_scorer(
    part: Part,
    url: str | None,
    to_slide: int | None,
    host: str | None,
    one_of: tuple[str, ...] | None,
) -> tuple[Callable[[Link | None], float], str]:
    """Return a function that scores a link by the target, and the target's name."""
    if to_slide is not None:
        target = part.slide_pair.view.current_of(part.slide_pair.view.original_slide(to_slide))
        number = None if target is None else target.index + 1
        name = "the slide" if number is None else f"slide:{number}"
        own_slide, deck = part.slide, part.deck
        return lambda link: _score_slide_link(
            resolve_link(link, own_slide, deck), number, own_slide.index + 1
        ), name
    if host is not None:
        return lambda link: _score_site_link(link, normal_host(host)), f"a page of {host}"
    pages = [normal_url(each) for each in one_of or (url or "",)]
    return lambda link: max(_score_page_link(link, page) for page in pages), " or ".join(pages)


def _score_slide_link(link: Link | None, number: int | None, own_number: int) -> float:
    """Return how nearly a link leads to a slide; a link to its own slide leads nowhere."""
    if link is None or link.slide is None or number is None:
        return 0.0
    if link.slide == number:
        return 1.0
    return _OTHER_SLIDE_CREDIT if link.slide != own_number else 0.0


def _score_site_link(link: Link | None, host: str) -> float:
    return float(link is not None and _is_page_of(link.address, host))


def _score_page_link(link: Link | None, page: str) -> float:
    """Return how nearly a link leads to a page; a mistyped address earns a little."""
    if link is None or link.slide is not None or not link.address:
        return 0.0
    address = normal_url(link.address)
    # Servers redirect from one form to the other if they have only one of them.
    if address.rstrip("/") == page.rstrip("/"):
        return 1.0
    if _loosely_normalized(address) == _loosely_normalized(page):
        return _SIMILAR_CREDIT
    return _MISTYPED_CREDIT * max(
        0.0, 1 - _count_wrong_characters(address, page) / _MAX_WRONG_CHARS
    )


def _loosely_normalized(url: str) -> str:
    """Return an address in lowercase, with http for https and without a final slash."""
    return _SECURE.sub("http", url, count=1).rstrip("/").casefold()


def _count_wrong_characters(actual: str, expected: str) -> int:
    """Return how many characters of an address are wrong, missing or extra, up to a limit."""
    if abs(len(actual) - len(expected)) >= _MAX_WRONG_CHARS or len(actual) > _MAX_COMPARED_CHARS:
        return _MAX_WRONG_CHARS
    steps = SequenceMatcher(None, actual, expected, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in steps if tag != "equal")


def _is_written(shapes: Iterable[Shape], pages: Iterable[str]) -> bool:
    """Return whether the address of a page is written where its link should be."""
    texts = [shape.all_text.casefold() for shape in shapes]
    return any(page.strip().rstrip("/").casefold() in text for page in pages for text in texts)


def _is_page_of(address: str, host: str) -> bool:
    """Return whether an address is a page of a site, but not the site's start page."""
    try:
        parts = urlsplit(address.strip())
        address_host = normal_host(parts.hostname or "")
    except ValueError:
        return False
    is_subpage = bool(parts.path.strip("/") or parts.query)
    return (
        parts.scheme in ("http", "https")
        and is_subpage
        and (address_host == host or address_host.endswith(f".{host}"))
    )
