"""What changed between two decks, blind to what saving alone changes."""

from collections.abc import Collection, Iterator, Mapping

from pptarena.rewards.assignment import longest_increasing
from pptarena.rewards.change import Change
from pptarena.rewards.deck import Deck, Slide, Transition
from pptarena.rewards.diff_content import describe_paint, same_paint
from pptarena.rewards.diff_motion import animation_differences, same_transition
from pptarena.rewards.diff_shapes import diff_shapes
from pptarena.rewards.diff_text import LinkMap, clip
from pptarena.rewards.matching import DeckMatch, match_decks

__all__ = ["diff_decks", "diff_matched", "diff_slide"]

_NOTHING_FREE: Mapping[int, Collection[int]] = {}


def diff_decks(before: Deck, after: Deck) -> tuple[Change, ...]:
    """Return what changed from one deck to another.

    Args:
        before: The original, as the application saves it unchanged.
        after: The deck now.

    Returns:
        Changes of the deck as a whole, then of each slide in the order of the original, then new
        slides. Empty if nothing changed but what saving changes.
    """
    return diff_matched(match_decks(before, after))


def diff_matched(
    match: DeckMatch,
    free_slides: Collection[int] = (),
    free_shapes: Mapping[int, Collection[int]] = _NOTHING_FREE,
) -> tuple[Change, ...]:
    """Return what changed between two decks whose slides are matched already.

    Args:
        match: Which slide is which.
        free_slides: Slides of the original (from 0) that may move: where an order can be explained
            by moving different slides, it is explained by moving these.
        free_shapes: The same for z-order: indexes of shapes by slide of the original.
    """
    if match.original is match.current:
        return ()
    changes = list(_deck_changes(match.original, match.current))
    for index in match.removed:
        shown = clip(match.original.slides[index].title)
        changes.append(Change("slide_removed", "slides", index + 1, before=shown))
    for index, now in _moved(match, free_slides):
        changes.append(
            Change(
                "slide_moved", "order", index + 1, now + 1, "", None, str(index + 1), str(now + 1)
            )
        )
    for index, _ in match.pairs:
        changes.extend(diff_slide(match, index, free_shapes.get(index, ())))
    for index in match.added:
        shown = clip(match.current.slides[index].title)
        changes.append(Change("slide_added", "slides", None, index + 1, after=shown))
    return tuple(changes)


def diff_slide(match: DeckMatch, index: int, free: Collection[int] = ()) -> list[Change]:
    """Return what changed on one slide.

    Args:
        match: Which slide is which.
        index: Of a slide of the original that is still there, from 0.
        free: Indexes of original shapes that are named first where z-order changed.
    """
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    changes = list(_slide_changes(before, after))
    moved = _link_map(match)
    if before.shapes is not after.shapes:
        shapes = match.shapes(index)
        changes += diff_shapes(before, after, shapes, moved, free)
        place = before.index + 1, after.index + 1
        for kind, was, now in animation_differences(before, after, shapes):
            changes.append(Change(kind, "animation", *place, before=was, after=now))
    return changes


def _deck_changes(before: Deck, after: Deck) -> Iterator[Change]:
    sizes = [(deck.width_emu, deck.height_emu) for deck in (before, after)]
    if max(abs(a - b) for a, b in zip(*sizes, strict=True)) > 18_288:
        yield Change("slide_size_changed", "master", before=str(sizes[0]), after=str(sizes[1]))
    if len(before.masters) != len(after.masters):
        return
    for old, new in zip(before.masters, after.masters, strict=True):
        if old.palette != new.palette:
            yield Change("theme_colors_changed", "master")
        if old.fonts != new.fonts:
            yield Change(
                "theme_fonts_changed",
                "master",
                None,
                None,
                "",
                None,
                *map(str, (old.fonts, new.fonts)),
            )
        if not same_paint(old.background, new.background):
            was, now = describe_paint(old.background), describe_paint(new.background)
            yield Change("master_background_changed", "master", before=was, after=now)


def _slide_changes(before: Slide, after: Slide) -> Iterator[Change]:
    place = before.index + 1, after.index + 1
    if _blank_free(before.notes) != _blank_free(after.notes):
        yield Change(
            "notes_changed", "notes", *place, "", None, clip(before.notes), clip(after.notes)
        )
    if before.layout.casefold() != after.layout.casefold():
        yield Change(
            "layout_changed", "layout", *place, "", None, clip(before.layout), clip(after.layout)
        )
    if before.hidden != after.hidden:
        shown = [("hidden" if slide.hidden else "shown") for slide in (before, after)]
        yield Change("visibility_changed", "visibility", *place, "", None, *shown)
    if not same_paint(before.background, after.background):
        paints = [describe_paint(slide.background) for slide in (before, after)]
        yield Change("background_changed", "background", *place, "", None, *paints)
    if not same_transition(before.transition, after.transition):
        shown = [_transition(slide.transition) for slide in (before, after)]
        yield Change("transition_changed", "transition", *place, "", None, *shown)


def _moved(match: DeckMatch, free: Collection[int]) -> list[tuple[int, int]]:
    weights = [0.5 if i in free else 1.0 for i, _ in match.pairs]
    kept = longest_increasing([j for _, j in match.pairs], weights)
    return [pair for at, pair in enumerate(match.pairs) if at not in kept]


def _link_map(match: DeckMatch) -> LinkMap:
    def moved(link: str) -> str:
        number = link.removeprefix("slide:")
        if number == link or not number.isdecimal():
            return link
        now = match.to_current.get(int(number) - 1)
        return link if now is None else f"slide:{now + 1}"

    return moved


def _blank_free(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _transition(transition: Transition) -> str:
    parts = [transition.type, transition.variant]
    if transition.duration_sec is not None and transition.type != "none":
        parts.append(f"{transition.duration_sec:g} s")
    if transition.advance_after_sec is not None:
        parts.append(f"next after {transition.advance_after_sec:g} s")
    if not transition.on_click:
        parts.append("not on click")
    return " ".join(part for part in parts if part)
