"""Checks of hyperlinks."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from pptarena.decks import Link, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.rewards.checking.address import require_old
from pptarena.rewards.checking.arguments import Texts
from pptarena.rewards.checking.compare import none_left
from pptarena.rewards.checking.pairs import Part, ShapePair, SlidePair, Slides
from pptarena.rewards.checking.registry import part_check, shape_check, slide_check, slides_check
from pptarena.rewards.checking.result import CheckResult, best_of, mean_of, needed
from pptarena.rewards.checking.values import letters_of, matching_runs
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.relative import OneSlide

_WORDS_ALONE = 0.8
_WEB = re.compile(r"https?://[^\s/.]+(\.[^\s/.]+)+\S*|mailto:[^\s@]+@[^\s@]+\.[^\s@]+")


@part_check("hyperlinks", explain_hidden=True, exactly_one=("url", "to_slide", "host", "one_of"))
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
    """Measure the share of letters that lead where they should; a linked shape counts whole.

    Args:
        to_slide: Position in the original.
        host: Any page of a site such as `en.wikipedia.org`, or of a part of it.
        one_of: Any of these addresses.
        hover: Whether by resting the pointer on the shape.
        area: Whether a click anywhere on the shape has to lead there; its words alone earn 0.8.
    """
    wanted, name = _target(part, url, to_slide, host, one_of)
    shapes = part.visible
    if part.shape is None:
        shapes = tuple(shape for shape in shapes if part.on.counts(shape))
    own = [shape.hover_link if hover else shape.link for shape in shapes]
    if text is None and any(map(wanted, own)):
        return CheckResult(1.0, f"{part.label} leads to {name}")
    runs = matching_runs(shapes, text)
    right = letters_of(run for run in runs if wanted(run.link))
    # Without a text, anywhere on the slide will do.
    total = right if text is None and part.shape is None else letters_of(runs)
    leads = (_WORDS_ALONE if area else 1.0) * right / total if total else 0.0
    what = part.label if text is None else f"{clip(text)} in {part.label}"
    return CheckResult(leads, f"{leads:.0%} of {what} leads to {name}")


@shape_check("hyperlinks")
def hyperlink_tooltip_is(
    pair: ShapePair, tooltip: str, text: str | None = None, match_case: bool = False
) -> CheckResult:
    """Measure whether what a link says of itself reads as it should; the best of several counts."""
    tips = [run.tooltip for run in matching_runs([pair.visible], text) if run.link]
    if text is None and pair.after.link:
        tips.append(pair.after.tooltip)
    where = f"the tooltip of {pair.label}"
    needed(tips, f"{pair.label} has no such link")
    return best_of(same_words(tip, tooltip, match_case, where) for tip in tips)


@slide_check("hyperlinks", shape="optional", more=require_old)
def hyperlink_none(pair: SlidePair) -> CheckResult:
    """Measure the share of the original's links that are gone while their words are still there."""
    selector = pair.address.selector
    if selector is not None and pair.follow(selector) is None:
        return CheckResult(0.0, f"{selector} is gone, and not only its links")
    before, now = _chosen(pair, pair.before), _chosen(pair, pair.after)
    # Words that went with their link were not asked for.
    lost = sum(bool(words) and words not in pair.after.text for words, _ in before)
    return none_left(len(now) + lost, len(before), f"links of {pair.label}")


@slides_check("hyperlinks")
def links_valid(slides: Slides) -> CheckResult:
    """Measure the share of links that are a full address, or lead to a slide that is there."""
    links = [link for slide in slides.current for _, link in _links(slide.shapes)]
    count = len(slides.view.current.slides)
    results = []
    for link in links:
        valid = _is_valid(link, count)
        results.append(CheckResult(float(valid), f"{link} is {'valid' if valid else 'broken'}"))
    return mean_of(results, "links")


def _links(shapes: tuple[Shape, ...]) -> Iterator[tuple[str, Link]]:
    """Yield the words of each link, empty for a whole shape, and where it leads."""
    for shape in shapes:
        if shape.link:
            yield "", shape.link
        for run in matching_runs([shape], None):
            if run.link:
                yield run.text.strip(), run.link


def _chosen(pair: SlidePair, slide: Slide | None) -> list[tuple[str, Link]]:
    """Return the links of a slide, before or now, or those of the shape that the address names."""
    if slide is None:
        return []
    if pair.address.selector is None:
        return list(_links(slide.shapes))
    shape = pair.follow(pair.address.selector)
    if shape is not None and slide is pair.before:
        shape = pair.original_of(shape)
    return [] if shape is None else list(_links((shape,)))


def _is_valid(link: Link, slides: int) -> bool:
    if link.slide is not None:
        return 1 <= link.slide <= slides
    return bool(_WEB.fullmatch(link.address))


def _plain_url(url: str) -> str:
    return url.strip().rstrip("/").casefold()


def _target(
    part: Part,
    url: str | None,
    to_slide: int | None,
    host: str | None,
    one_of: tuple[str, ...] | None,
) -> tuple[Callable[[Link | None], bool], str]:
    """Return what tells whether a link leads where it should, and what that is called."""
    if to_slide is not None:
        target = part.on.view.current_of(part.on.view.original_slide(to_slide))
        number = None if target is None else target.index + 1
        name = "the slide" if number is None else f"slide:{number}"
        return lambda link: link is not None and number is not None and link.slide == number, name
    if host is not None:
        site = host.casefold()
        return lambda link: link is not None and _is_on(link.address, site), f"a page of {host}"
    pages = [_plain_url(each) for each in one_of or (url or "",)]
    return lambda link: link is not None and _is_page(link, pages), " or ".join(pages)


def _is_page(link: Link, pages: list[str]) -> bool:
    return link.slide is None and bool(link.address) and _plain_url(link.address) in pages


def _is_on(address: str, site: str) -> bool:
    """Return whether an address is a page below a site's start, not its start alone."""
    try:
        parts = urlsplit(address.strip())
        found = (parts.hostname or "").casefold()
    except ValueError:
        return False
    deep = bool(parts.path.strip("/") or parts.query)
    return (
        parts.scheme in ("http", "https") and deep and (found == site or found.endswith(f".{site}"))
    )
