"""Checks that what belongs together looks the same: typefaces, places, colours, transitions."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Annotated, Literal

from pydantic import Field

from pptarena.decks import Shape
from pptarena.decks.selectors import find_shape, means_new
from pptarena.rewards.checking.arguments import Count
from pptarena.rewards.checking.compare import share
from pptarena.rewards.checking.fonts import font_key
from pptarena.rewards.checking.pairs import Part, Slides
from pptarena.rewards.checking.registry import part_check, slides_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed
from pptarena.rewards.checking.values import TOLERANCE_EMU, color_matches, letters, matching_runs

Look = Literal["position", "size", "font", "font_size", "color", "bold", "align", "fill"]

_PALETTE_TOLERANCE = 12.0


@slides_check("text", "themes")
def fonts_consistent(slides: Slides, font: str | None = None, fonts_max: Count = 1) -> CheckResult:
    """Measure the share of letters in one typeface, or in the few that are used most.

    Args:
        fonts_max: How many of the most used typefaces.
    """
    counts: Counter[str] = Counter()
    for slide in slides.current:
        for run in matching_runs(slide.shapes, None):
            counts[font_key(run.style.font)] += letters(run.text)
    needed(counts, "there is no text")
    most = [name for name, _ in counts.most_common(fonts_max)]
    right = sum(counts[font_key(name)] for name in ([font] if font is not None else most))
    found = f"{right / counts.total():.0%} of the characters are in {font or ' or '.join(most)}"
    return CheckResult(right / counts.total(), f"{found} ({', '.join(sorted(counts)[:4])})")


@slides_check("layouts", "arrangement", "text", shape="required")
def same_look(
    slides: Slides, properties: Annotated[tuple[Look, ...], Field(min_length=1)]
) -> CheckResult:
    """Measure the share of slides where a shape looks as it does on most of them."""
    shapes = []
    missing = 0
    for pair in slides:
        if pair.now is None:
            missing += 1
        elif means_new(slides.selector):
            shape = pair.follow(slides.selector)
            missing += shape is None
            shapes += [] if shape is None else [shape]
        elif slides.address.shape_now is not None or pair.before is None:
            shape = find_shape(pair.now, slides.selector)
            shapes += [] if shape is None else [shape]
        elif find_shape(pair.before, slides.selector) is not None:
            shape = pair.follow(slides.selector)
            missing += shape is None
            shapes += [] if shape is None else [shape]
    needed(len(shapes) > 1, f"fewer than two slides have {slides.selector!r}")
    results = []
    for name in properties:
        same = _most_alike([_look(shape, name) for shape in shapes])
        # One slide is always like itself.
        score = same / (len(shapes) + missing) if same > 1 else 0.0
        reason = f"the {name.replace('_', ' ')} is the same on {same} of {len(shapes)} slides"
        results.append(CheckResult(score, reason))
    return mean_of(results, "properties")


@slides_check("transitions")
def transitions_consistent(slides: Slides) -> CheckResult:
    """Measure the share of slides with the transition that most slides have."""
    transitions = [slide.transition for slide in slides.current]
    counts = Counter((t.type, t.variant) for t in transitions if t.type != "none")
    (name, _), most = needed(counts.most_common(1), "no slide has a transition")[0]
    return share(most, len(slides.pairs), f"slides have the transition {name}")


@part_check("themes")
def theme_colors_used(part: Part, fills: bool = True) -> CheckResult:
    """Measure the share of letters and filled shapes whose colour is one of the theme's."""
    masters, at = part.deck.masters, part.slide.master
    palette = masters[at].colors.values() if at < len(masters) else ()
    runs = matching_runs(part.shapes, None)
    colors = [(run.style.color, letters(run.text)) for run in runs if run.style.color is not None]
    if fills:
        weight = max(1, sum(count for _, count in colors) // max(1, len(part.shapes)))
        solid = (shape.fill.color for shape in part.shapes if shape.fill.color is not None)
        colors += [(color, weight) for color in solid]
    right = sum(
        count
        for color, count in colors
        if any(color_matches(color, each, _PALETTE_TOLERANCE) for each in palette)
    )
    total = sum(count for _, count in colors)
    of_theme = right / needed(total, f"{part.label} has nothing with a color")
    return CheckResult(of_theme, f"{of_theme:.0%} of {part.label} has theme colors")


def _look(shape: Shape, name: Look) -> Hashable:
    if name == "position":
        return shape.box.left, shape.box.top
    if name == "size":
        return shape.box.width, shape.box.height
    if name == "fill":
        return shape.fill
    if name == "align":
        return next((p.align for p in shape.paragraphs if p.text.strip()), None)
    style = next((run.style for run in matching_runs([shape], None)), None)
    if style is None:
        return None
    names = {"font": font_key(style.font), "font_size": style.size_pt, "color": style.color}
    return names.get(name, style.bold)


def _most_alike(looks: Sequence[Hashable]) -> int:
    """Return how many looks are like the one that most others are like."""
    return max(sum(_alike(first, second) for second in looks) for first in looks)


def _alike(first: Hashable, second: Hashable) -> bool:
    if isinstance(first, tuple) and isinstance(second, tuple):
        return all(abs(a - b) <= TOLERANCE_EMU for a, b in zip(first, second, strict=True))
    return first == second
