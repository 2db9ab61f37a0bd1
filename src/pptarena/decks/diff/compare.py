"""Compute the changes between two decks, ignoring changes that saving alone causes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from pptarena.decks import Deck, Link, Section, Slide
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.consequences import attach_consequences
from pptarena.decks.diff.fields import field_differences, fingerprint_differences
from pptarena.decks.diff.masters import is_same_layout, master_changes, match_masters
from pptarena.decks.diff.shapes import inches
from pptarena.decks.diff.slides import DeckContext, slide_changes
from pptarena.decks.diff.text import LinkMap, clip, keep_link
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.match.sequences import longest_increasing
from pptarena.decks.match.values import near
from pptarena.decks.read.deck_facts import CUSTOM_SHOW
from pptarena.decks.saving import DEFAULT_SAVING, Saving
from pptarena.decks.tolerances import LENGTH_TOLERANCE_EMU
from pptarena.errors import ConfigError

__all__ = ["SlideSummary", "diff_decks", "diff_matched", "diff_slide"]

_NO_FREE_SHAPES: Mapping[int, Collection[int]] = {}


@dataclass(frozen=True, slots=True)
class SlideSummary:
    """Summary of an added or removed slide.

    Attributes:
        title: Text of its title.
        layout: Name of its layout.
        text: All text on the slide.
    """

    title: str
    layout: str
    text: str


def diff_decks(before: Deck, after: Deck, *, saving: Saving = DEFAULT_SAVING) -> tuple[Change, ...]:
    """Return the changes from one deck to another.

    Args:
        before: The original deck, as the application saves it unchanged.
        after: The current deck.
        saving: The application that saved both decks.

    Returns:
        Changes of the deck as a whole, then of each slide in original order, then added slides;
        each change includes its consequences. Empty if only saving changed something.

    Raises:
        ConfigError: If an argument is not a `Deck`, for example the path of one.
    """
    for deck in (before, after):
        if not isinstance(deck, Deck):
            raise ConfigError(
                f"cannot compare a {type(deck).__name__}: read both files with `read_deck` first"
            )
    match = match_decks(before, after, saving)
    return attach_consequences(match, diff_matched(match))


def diff_matched(
    match: DeckMatch,
    free_slides: Collection[int] = (),
    free_shapes: Mapping[int, Collection[int]] = _NO_FREE_SHAPES,
) -> tuple[Change, ...]:
    """Return the changes between two decks with matched slides; consequences are separate items.

    Args:
        match: Pairs of corresponding slides.
        free_slides: Indexes of original slides (from 0) to prefer as the moved ones if several
            explanations of the new order are possible.
        free_shapes: Indexes of original shapes to prefer as the restacked ones, by original slide.
    """
    if match.original is match.current:
        return ()
    changes = [*_deck_changes(match), *master_changes(match)]
    for index in match.removed:
        summary = _summary(match.original.slides[index])
        title = clip(summary.title)
        changes.append(
            Change("slide_removed", "slides", index + 1, before=title, value_before=summary)
        )
    moved = _moved_slides(match, free_slides)
    for index, index_now in moved:
        positions = str(index + 1), str(index_now + 1)
        changes.append(
            Change("slide_moved", "order", index + 1, index_now + 1, "", None, *positions)
        )
    sections = _section_changes(match, {index for index, _ in moved})
    context = _context(match)
    for index, _ in match.pairs:
        if index in sections:
            changes.append(sections[index])
        changes.extend(_slide_changes(match, index, context, free_shapes.get(index, ())))
    for index in match.added:
        summary = _summary(match.current.slides[index])
        title = clip(summary.title)
        changes.append(
            Change("slide_added", "slides", None, index + 1, after=title, value_after=summary)
        )
    return tuple(changes)


def diff_slide(match: DeckMatch, index: int, free: Collection[int] = ()) -> list[Change]:
    """Return the changes of one slide.

    Args:
        match: Pairs of corresponding slides.
        index: Index of an original slide that still exists, from 0.
        free: Indexes of original shapes to prefer as the restacked ones if z-order changed.
    """
    return _slide_changes(match, index, _context(match), free)


def _slide_changes(
    match: DeckMatch, index: int, context: DeckContext, free: Collection[int]
) -> list[Change]:
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    changes = _master_change(match, before, after, context)
    if before is not after or context.map_link is not keep_link:
        changes += slide_changes(before, after, match.shapes(index), context, free)
    return [
        each
        for each in changes
        if not (match.saving.is_caused_by_moving(each) and _is_reordered(match, index))
    ]


def _context(match: DeckMatch) -> DeckContext:
    slides, slides_now = match.original.slides, match.current.slides
    pairs = [(slides[i], slides_now[j]) for i, j in match.pairs]
    restored = match.saving.restore_transitions(pairs)
    transitions = {i: each for (i, _), each in zip(match.pairs, restored, strict=True)}
    cache: dict[tuple[int, int], bool] = {}

    def has_renamed_layout(before: Slide, after: Slide) -> bool:
        old, new = match.original.layout_of(before), match.current.layout_of(after)
        if old is None or new is None:
            return False
        key = id(old), id(new)
        if key not in cache:
            cache[key] = is_same_layout(old, new, match.saving)
        return cache[key]

    masters, regrouped = dict(match_masters(match)), match.is_regrouped
    return DeckContext(
        _link_map(match), match.saving, transitions, has_renamed_layout, masters, regrouped
    )


def _master_change(
    match: DeckMatch, before: Slide, after: Slide, context: DeckContext
) -> list[Change]:
    """Return a change if a slide's layout now belongs to another master."""
    if before.layout.casefold() != after.layout.casefold() or before.master == after.master == 0:
        return []
    if context.masters.get(before.master, -1) in (after.master, -1):
        return []
    masters = match.original.master_of(before), match.current.master_of(after)
    themes = [master and master.theme for master in masters]
    if context.is_regrouped and None not in themes and themes[0] == themes[1]:
        return []
    old_name, new_name = (master.name if master else "" for master in masters)
    change = Change.of(Difference.of("layout", "master", old_name, new_name, clip))
    return [replace(change, slide=before.index + 1, slide_now=after.index + 1)]


def _moved_slides(match: DeckMatch, free: Collection[int]) -> list[tuple[int, int]]:
    weights = [0.5 if i in free else 1.0 for i, _ in match.pairs]
    unmoved = longest_increasing([j for _, j in match.pairs], weights)
    return [pair for position, pair in enumerate(match.pairs) if position not in unmoved]


def _is_reordered(match: DeckMatch, index: int) -> bool:
    """Return whether a slide's order relative to another slide changed."""
    index_now = match.to_current[index]
    return any((i < index) != (j < index_now) for i, j in match.pairs)


def _link_map(match: DeckMatch) -> LinkMap:
    if all(i == j for i, j in match.pairs):
        return keep_link

    def map_link(link: Link | None) -> Link | None:
        if link is None or link.slide is None:
            return link
        index_now = match.to_current.get(link.slide - 1)
        return link if index_now is None else Link(slide=index_now + 1)

    return map_link


def _summary(slide: Slide) -> SlideSummary:
    return SlideSummary(slide.title, slide.layout, slide.text)


def _deck_changes(match: DeckMatch) -> Iterator[Change]:
    """Yield the changes of the deck as a whole, except for masters and slides."""
    before, after = match.original, match.current
    sizes = (before.width_emu, before.height_emu), (after.width_emu, after.height_emu)
    if not near(*sizes, LENGTH_TOLERANCE_EMU):
        yield Change.of(Difference.of("master", "", *sizes, inches), "slide_size_changed")
    names, names_now = ([section.name for section in deck.sections] for deck in (before, after))
    if names != names_now:
        sections = before.sections, after.sections
        yield Change.of(Difference.of("sections", "", *sections, _section_names))
    for each in field_differences(before.properties, after.properties, "properties"):
        yield Change.of(each)
    old = _show_settings(before, match.to_current)
    new = _show_settings(after, {index: index for index in range(len(after.slides))})
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            each = Difference.of("other", name, old.get(name, ""), new.get(name, ""))
            yield Change.of(each, "show_changed")
    for each in field_differences(before, after, "other"):
        if each.what != "properties":
            yield Change.of(each)
    for each in fingerprint_differences(before.fingerprint, after.fingerprint):
        yield Change.of(each)


def _show_settings(deck: Deck, new_indexes: Mapping[int, int]) -> dict[str, str]:
    """Return the slide show settings, with current slide numbers in custom shows.

    Deleted slides leave custom shows; `new_indexes` maps the others to their current index.
    """
    settings = dict(deck.show)
    for name in settings:
        if name.startswith(CUSTOM_SHOW):
            slides = (int(each) - 1 for each in settings[name].split() if each.isdecimal())
            settings[name] = " ".join(
                str(new_indexes[each] + 1) for each in slides if each in new_indexes
            )
    return settings


def _section_changes(match: DeckMatch, moved: set[int]) -> dict[int, Change]:
    """Return the section changes of slides, by index in the original.

    A moved slide's section change is a side effect.
    """
    decks = match.original, match.current
    names = [{section.name for section in deck.sections} | {""} for deck in decks]
    changes = {}
    for i, j in match.pairs:
        old, new = match.original.slides[i].section, match.current.slides[j].section
        # Added, removed and renamed sections are changes of the deck.
        if old != new and i not in moved and old in names[1] and new in names[0]:
            changes[i] = Change(
                "sections_changed", "sections", i + 1, j + 1, "", None, clip(old), clip(new)
            )
    return changes


def _section_names(sections: tuple[Section, ...]) -> str:
    return ", ".join(clip(section.name) for section in sections)
