"""Differences of a deck as a whole: size, sections, properties, show, what is not read."""

from collections.abc import Iterator

from pptarena.decks import Deck, Section
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.fingerprint import fingerprint_differences
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU, clip, near

__all__ = ["deck_changes", "section_changes"]


def deck_changes(before: Deck, after: Deck) -> Iterator[Change]:
    """Yield what changed about a deck as a whole, its masters and slides left out."""
    sizes = (before.width_emu, before.height_emu), (after.width_emu, after.height_emu)
    if not near(*sizes, LENGTH_TOLERANCE_EMU):
        yield Change.of(Difference.of("master", "", *sizes, _inches), "slide_size_changed")
    names, names_now = ([section.name for section in deck.sections] for deck in (before, after))
    if names != names_now:
        yield Change.of(Difference.of("sections", "", before.sections, after.sections, _names))
    for each in field_differences(before.properties, after.properties, "properties"):
        yield Change.of(each)
    old, new = dict(before.show), dict(after.show)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            each = Difference.of("other", name, old.get(name, ""), new.get(name, ""))
            yield Change.of(each, "show_changed")
    for each in field_differences(before, after, "other"):
        if each.what != "properties":
            yield Change.of(each)
    for each in fingerprint_differences(before.fingerprint, after.fingerprint):
        yield Change.of(each)


def section_changes(match: DeckMatch, moved: set[int]) -> dict[int, Change]:
    """Return the slides that are in another section now, by index in the original.

    Args:
        match: Which slide is which.
        moved: Slides of the original that moved; going elsewhere brings another section along.
    """
    decks = match.original, match.current
    known = [{section.name for section in deck.sections} | {""} for deck in decks]
    found = {}
    for i, j in match.pairs:
        was, now = match.original.slides[i].section, match.current.slides[j].section
        # A section that is new, gone or renamed is one change of the deck.
        if was != now and i not in moved and was in known[1] and now in known[0]:
            found[i] = Change(
                "sections_changed", "sections", i + 1, j + 1, "", None, clip(was), clip(now)
            )
    return found


def _inches(size: tuple[int, int]) -> str:
    return f"{size[0] / 914_400:.2f} x {size[1] / 914_400:.2f} in"


def _names(sections: tuple[Section, ...]) -> str:
    return ", ".join(clip(section.name) for section in sections)
