"""What changed between two decks, blind to what their application changes by merely saving."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from pptarena.decks import Deck, Link, Section, Slide
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.consequences import with_consequences
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.fingerprint import fingerprint_differences
from pptarena.decks.diff.masters import is_same_layout, master_changes, match_masters
from pptarena.decks.diff.shapes import inches
from pptarena.decks.diff.slides import DeckContext, slide_changes
from pptarena.decks.diff.text import LinkMap, clip, keep_link
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.match.values import near
from pptarena.decks.read.deck_facts import CUSTOM_SHOW
from pptarena.decks.saving import USUAL, Saving
from pptarena.decks.tolerances import LENGTH_TOLERANCE_EMU

__all__ = ["SlideBrief", "diff_decks", "diff_matched", "diff_slide"]

_NOTHING_FREE: Mapping[int, Collection[int]] = {}


@dataclass(frozen=True, slots=True)
class SlideBrief:
    """What a change says of a slide that came or went.

    Attributes:
        title: Text of its title.
        layout: Name of its layout.
        text: All text on it.
    """

    title: str
    layout: str
    text: str


def diff_decks(before: Deck, after: Deck, *, saving: Saving = USUAL) -> tuple[Change, ...]:
    """Return what changed from one deck to another.

    Args:
        before: The original, as the application saves it unchanged.
        after: The deck now.
        saving: That application.

    Returns:
        Changes of the deck as a whole, then of each slide in the order of the original, then new
        slides; each with its consequences. Empty if nothing changed but what saving changes.
    """
    match = match_decks(before, after, saving)
    return with_consequences(match, diff_matched(match))


def diff_matched(
    match: DeckMatch,
    free_slides: Collection[int] = (),
    free_shapes: Mapping[int, Collection[int]] = _NOTHING_FREE,
) -> tuple[Change, ...]:
    """Return what changed between two decks whose slides are matched already, all in one row.

    Args:
        match: Which slide is which.
        free_slides: Slides of the original (from 0) that may move: where an order can be explained
            by moving different slides, it is explained by moving these.
        free_shapes: The same for z-order: indexes of shapes by slide of the original.
    """
    if match.original is match.current:
        return ()
    changes = [*_deck_changes(match), *master_changes(match)]
    for index in match.removed:
        brief = _brief(match.original.slides[index])
        said = clip(brief.title)
        change = Change("slide_removed", "slides", index + 1, before=said, value_before=brief)
        changes.append(change)
    moved = _moved(match, free_slides)
    for index, now in moved:
        places = str(index + 1), str(now + 1)
        changes.append(Change("slide_moved", "order", index + 1, now + 1, "", None, *places))
    sections = _section_changes(match, {index for index, _ in moved})
    context = _context(match)
    for index, _ in match.pairs:
        if index in sections:
            changes.append(sections[index])
        changes.extend(_slide_changes(match, index, context, free_shapes.get(index, ())))
    for index in match.added:
        brief = _brief(match.current.slides[index])
        said = clip(brief.title)
        change = Change("slide_added", "slides", None, index + 1, after=said, value_after=brief)
        changes.append(change)
    return tuple(changes)


def diff_slide(match: DeckMatch, index: int, free: Collection[int] = ()) -> list[Change]:
    """Return what changed on one slide.

    Args:
        match: Which slide is which.
        index: Of a slide of the original that is still there, from 0.
        free: Indexes of original shapes that are named first where z-order changed.
    """
    return _slide_changes(match, index, _context(match), free)


def _slide_changes(
    match: DeckMatch, index: int, context: DeckContext, free: Collection[int]
) -> list[Change]:
    before = match.original.slides[index]
    after = match.current.slides[match.to_current[index]]
    changes = _master_change(match, before, after, context)
    if before is not after or context.moved is not keep_link:
        changes += slide_changes(before, after, match.shapes(index), context, free)
    return changes


def _context(match: DeckMatch) -> DeckContext:
    slides, slides_now = match.original.slides, match.current.slides
    pairs = [(slides[i], slides_now[j]) for i, j in match.pairs]
    restored = match.saving.restored_transitions(pairs)
    transitions = {i: each for (i, _), each in zip(match.pairs, restored, strict=True)}
    known: dict[tuple[int, int], bool] = {}

    def renamed(before: Slide, after: Slide) -> bool:
        old, new = match.original.layout_of(before), match.current.layout_of(after)
        if old is None or new is None:
            return False
        key = id(old), id(new)
        if key not in known:
            known[key] = is_same_layout(old, new, match.saving)
        return known[key]

    masters, regrouped = dict(match_masters(match)), match.is_regrouped
    return DeckContext(_link_map(match), match.saving, transitions, renamed, masters, regrouped)


def _master_change(
    match: DeckMatch, before: Slide, after: Slide, context: DeckContext
) -> list[Change]:
    """Return that a slide has the layout of another master now."""
    if before.layout.casefold() != after.layout.casefold() or before.master == after.master == 0:
        return []
    if context.masters.get(before.master, -1) in (after.master, -1):
        return []
    masters = match.original.master_of(before), match.current.master_of(after)
    themes = [master and master.theme for master in masters]
    if context.regrouped and None not in themes and themes[0] == themes[1]:
        return []
    was, now = (master.name if master else "" for master in masters)
    change = Change.of(Difference.of("layout", "master", was, now, clip))
    return [replace(change, slide=before.index + 1, slide_now=after.index + 1)]


def _moved(match: DeckMatch, free: Collection[int]) -> list[tuple[int, int]]:
    weights = [0.5 if i in free else 1.0 for i, _ in match.pairs]
    kept = longest_increasing([j for _, j in match.pairs], weights)
    return [pair for at, pair in enumerate(match.pairs) if at not in kept]


def _link_map(match: DeckMatch) -> LinkMap:
    if all(i == j for i, j in match.pairs):
        return keep_link

    def moved(link: Link | None) -> Link | None:
        if link is None or link.slide is None:
            return link
        now = match.to_current.get(link.slide - 1)
        return link if now is None else Link(slide=now + 1)

    return moved


def _brief(slide: Slide) -> SlideBrief:
    return SlideBrief(slide.title, slide.layout, slide.text)


def _deck_changes(match: DeckMatch) -> Iterator[Change]:
    """Yield what changed about a deck as a whole, its masters and slides left out."""
    before, after = match.original, match.current
    sizes = (before.width_emu, before.height_emu), (after.width_emu, after.height_emu)
    if not near(*sizes, LENGTH_TOLERANCE_EMU):
        yield Change.of(Difference.of("master", "", *sizes, inches), "slide_size_changed")
    names, names_now = ([section.name for section in deck.sections] for deck in (before, after))
    if names != names_now:
        yield Change.of(
            Difference.of("sections", "", before.sections, after.sections, _section_names)
        )
    for each in field_differences(before.properties, after.properties, "properties"):
        yield Change.of(each)
    old = _show(before, match.to_current)
    new = _show(after, {index: index for index in range(len(after.slides))})
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            each = Difference.of("other", name, old.get(name, ""), new.get(name, ""))
            yield Change.of(each, "show_changed")
    for each in field_differences(before, after, "other"):
        if each.what != "properties":
            yield Change.of(each)
    for each in fingerprint_differences(before.fingerprint, after.fingerprint):
        yield Change.of(each)


def _show(deck: Deck, numbers: Mapping[int, int]) -> dict[str, str]:
    """Return the settings of the show; custom shows with the current numbers of their slides.

    Args:
        deck: The deck.
        numbers: Current index of each slide that still exists; deleted slides leave custom shows.
    """
    found = dict(deck.show)
    for name in found:
        if name.startswith(CUSTOM_SHOW):
            slides = (int(each) - 1 for each in found[name].split() if each.isdecimal())
            found[name] = " ".join(str(numbers[each] + 1) for each in slides if each in numbers)
    return found


def _section_changes(match: DeckMatch, moved: set[int]) -> dict[int, Change]:
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


def _section_names(sections: tuple[Section, ...]) -> str:
    return ", ".join(clip(section.name) for section in sections)
