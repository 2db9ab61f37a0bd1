"""Checks of hyperlinks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pptarena.decks import Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import letters, matching_runs
from pptarena.rewards.checks.view import (
    OptionalShapeArgs,
    ShapeArgs,
    ShapeView,
    SlideArgs,
    SlideView,
    View,
)

_WEB = re.compile(r"https?://[^\s/.]+(\.[^\s/.]+)+\S*|mailto:[^\s@]+@[^\s@]+\.[^\s@]+")
_SLIDE = re.compile(r"slide:(\d+)")


@dataclass(frozen=True, kw_only=True)
class Hyperlink(OptionalShapeArgs):
    """Where a text, or a shape, should lead by a click, or by resting the pointer on it."""

    text: str | None = None
    url: str | None = None
    to_slide: int | None = None
    hover: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.url is None) == (self.to_slide is None):
            raise ValueError("expected exactly one of url, to_slide")


@dataclass(frozen=True, kw_only=True)
class Tooltip(ShapeArgs):
    """What the link of a shape, or of a text in it, should say of itself."""

    tooltip: str
    text: str | None = None
    match_case: bool = False


@dataclass(frozen=True, kw_only=True)
class LinkNone(OptionalShapeArgs):
    """A slide, or a shape, that should lead nowhere."""


@dataclass(frozen=True, kw_only=True)
class LinksValid(SlideArgs):
    """Slides whose links should all lead somewhere."""


@check("hyperlink_is", "hyperlinks")
def hyperlink_is(view: View, args: Hyperlink) -> CheckResult:
    """Measure the share of letters that lead where they should; a linked shape counts whole."""
    if args.to_slide is not None:
        target = view.current_of(view.original_slide(args.to_slide))
        wanted = "" if target is None else f"slide:{target.index + 1}"
    else:
        wanted = _plain_url(args.url or "")

    def judge(shapes: tuple[Shape, ...], where: str) -> CheckResult:
        if args.text is None and any(_leads(_own_link(shape, args), wanted) for shape in shapes):
            return CheckResult(1.0, f"{where} leads to {wanted}")
        runs = matching_runs(shapes, args.text)
        total = sum(letters(run.text) for run in runs)
        right = sum(letters(run.text) for run in runs if _leads(run.link, wanted))
        if args.text is None and args.shape is None and args.shape_now is None:
            # Anywhere on the slide will do.
            total = right
        share = right / total if total else 0.0
        what = where if args.text is None else f"{clip(args.text)} in {where}"
        return CheckResult(share, f"{share:.0%} of {what} leads to {wanted or 'the slide'}")

    if args.shape is None and args.shape_now is None:
        return view.on_seen_slides(
            args,
            lambda slide: judge(
                tuple(s for s in slide.shapes if not args.visible or view.is_seen(slide, s)),
                f"slide {slide.index + 1}",
            ),
        )
    return view.on_shapes(args, lambda seen: judge((seen.seen,), seen.label))


@check("hyperlink_tooltip_is", "hyperlinks")
def hyperlink_tooltip_is(view: View, args: Tooltip) -> CheckResult:
    """Measure whether what a link says of itself reads as it should; the best of several counts."""

    def judge(seen: ShapeView) -> CheckResult:
        runs = matching_runs([seen.seen], args.text)
        tips = [run.tooltip for run in runs if run.link]
        if args.text is None and seen.current.link:
            tips.append(seen.current.tooltip)
        where = f"the tooltip of {seen.label}"
        results = [same_words(tip, args.tooltip, args.match_case, where) for tip in tips]
        empty = CheckResult(0.0, f"{seen.label} has no such link")
        return max(results, key=lambda result: result.score, default=empty)

    return view.on_shapes(args, judge)


@check("hyperlink_none", "hyperlinks")
def hyperlink_none(view: View, args: LinkNone) -> CheckResult:
    """Measure the share of the original's links that are gone while their words are still there."""
    spec = args.shape if args.shape is not None else args.shape_now

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        before = _chosen(view, seen, spec, now=False)
        now = _chosen(view, seen, spec, now=True)
        # Words that went with their link were not asked for.
        text = seen.current.text
        lost = sum(bool(words) and words not in text for words, _ in before)
        total, left = len(before), len(now) + lost
        value = 1.0 if not left else max(0.0, 1 - left / max(total, left))
        return CheckResult(value, f"{seen.label}: {len(now)} links are left")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("links_valid", "hyperlinks")
def links_valid(view: View, args: LinksValid) -> CheckResult:
    """Measure the share of links that are a full address, or lead to a slide that is there."""
    links = [
        link
        for seen in view.slides(args)
        if seen.current is not None
        for _, link in _links(seen.current.shapes)
    ]
    if not links:
        return CheckResult(0.0, "there are no links")
    results = [
        verdict(_is_valid(link, len(view.current.slides)), f"{link} is valid", f"{link} is broken")
        for link in links
    ]
    return mean_of(results, "links")


def _links(shapes: tuple[Shape, ...]) -> Iterator[tuple[str, str]]:
    """Yield the words of each link, empty for a whole shape, and where it leads."""
    for shape in shapes:
        if shape.link:
            yield "", shape.link
        for run in matching_runs([shape], None):
            if run.link:
                yield run.text.strip(), run.link


def _chosen(view: View, seen: SlideView, spec: str | None, now: bool) -> list[tuple[str, str]]:
    slide: Slide | None = seen.current if now else seen.original
    if slide is None:
        return []
    if spec is None:
        return list(_links(slide.shapes))
    shape = view.follow(seen, spec)
    if shape is not None and not now and seen.original is not None:
        index = view.match.shapes(seen.original.index).to_original.get(shape.index)
        shape = None if index is None else slide.shapes[index]
    return [] if shape is None else list(_links((shape,)))


def _own_link(shape: Shape, args: Hyperlink) -> str:
    return shape.hover_link if args.hover else shape.link


def _is_valid(link: str, slides: int) -> bool:
    inside = _SLIDE.fullmatch(link)
    if inside is not None:
        return 1 <= int(inside[1]) <= slides
    return bool(_WEB.fullmatch(link))


def _plain_url(url: str) -> str:
    return url.strip().rstrip("/").casefold()


def _leads(link: str, wanted: str) -> bool:
    return bool(wanted) and _plain_url(link) == wanted
