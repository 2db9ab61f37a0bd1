"""Differences of masters, their themes and their layouts; all of them concern the aspect master."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pptarena.decks import Deck, Layout, Master, Shape, Slide
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.fingerprint import fingerprint_differences
from pptarena.decks.diff.groups import ShapesDiff
from pptarena.decks.diff.text import format_differences
from pptarena.decks.match.assignment import assign
from pptarena.decks.match.decks import DeckMatch, match_shapes
from pptarena.decks.match.likeness import multiset_likeness
from pptarena.decks.match.pairing import pair_equal, rest
from pptarena.decks.match.values import same_color
from pptarena.decks.saving import SAME_SIZE, Saving, Scale

__all__ = ["is_same_layout", "master_changes", "match_masters"]

_LAYOUT_THRESHOLD = 0.5
_NO_LAYOUT = Layout("")
_CAME_OR_WENT = re.compile(r"\bshape (?:added|removed) ")


def master_changes(match: DeckMatch) -> Iterator[Change]:
    """Yield what changed about the masters that slides had before and have now.

    A master that came or went with its slides makes no change of its own.
    """
    if match.is_regrouped:
        yield from _backdrop_changes(match)
        return
    changes = list(_changes_one_by_one(match))
    if not match.saving.moves_master_shapes:
        yield from changes
        return
    gone, come = ({c.what.startswith("layout '") for c in changes if f"shape {how} " in c.what}
                  for how in ("removed", "added"))  # fmt: skip
    went_down_or_up = (True in gone and False in come) or (False in gone and True in come)
    # Shapes that went from a master to its layouts, or back, are behind the slides as before.
    if went_down_or_up and not any(True for _ in _backdrop_changes(match)):
        changes = [change for change in changes if not _CAME_OR_WENT.search(change.what)]
    yield from changes


def _changes_one_by_one(match: DeckMatch) -> Iterator[Change]:
    before, after = match.original.masters, match.current.masters
    several = len(before) > 1
    for i, j in match_masters(match):
        name = f"master {before[i].name or i + 1} " if several else ""
        for change in _master_changes(before[i], after[j], match.saving):
            yield replace(change, what=name + change.what) if name else change
        for change in _layout_changes(match, i, j):
            yield replace(change, what=name + change.what) if name else change


def _backdrop_changes(match: DeckMatch) -> Iterator[Change]:
    """Yield what changed behind slides, where masters cannot be compared one with one."""
    for index, before, after in _backdrops(match):
        where = f"behind slide {index + 1}: "
        for each in field_differences(before, after, "master", where):
            if each.what == f"{where}background":
                yield Change.of(each, "master_background_changed", each.what)
        yield from _inner_changes(before, after, where, match.saving)


def is_same_layout(before: Layout, after: Layout, saving: Saving) -> bool:
    """Return whether two layouts are the same but for a name that saving alone gives."""
    if before.name.casefold() == after.name.casefold():
        return True
    if not saving.is_renamed(before, after):
        return False
    differ = (each.what != "name" for each in field_differences(before, after, "master"))
    return not any(differ) and not any(True for _ in _inner_changes(before, after, "", saving))


def match_masters(match: DeckMatch) -> list[tuple[int, int]]:
    """Return which master is which: those that most of the same slides have."""
    before, after = match.original.masters, match.current.masters
    votes: Counter[tuple[int, int]] = Counter()
    for i, j in match.pairs:
        votes[match.original.slides[i].master, match.current.slides[j].master] += 1
    pairs: list[tuple[int, int]] = []
    for (i, j), _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0])):
        free = all(i != row and j != column for row, column in pairs)
        if free and i < len(before) and j < len(after):
            pairs.append((i, j))
    names, names_now = ([master.name or None for master in side] for side in (before, after))
    pairs = pair_equal(names, names_now, pairs)
    rows = rest(len(before), (i for i, _ in pairs))
    columns = rest(len(after), (j for _, j in pairs))
    if len(before) == len(after):
        pairs += zip(rows, columns, strict=True)
    return sorted(pairs)


def _master_changes(before: Master, after: Master, saving: Saving) -> Iterator[Change]:
    if before is after or before == after:
        return
    yield from _palette_changes(before, after)
    for each in field_differences(before, after, "master"):
        if each.what == "fonts":
            yield Change.of(each, "theme_fonts_changed", "")
        elif each.what == "background":
            yield Change.of(each, "master_background_changed", "")
        elif each.what != "palette":
            yield Change.of(each)
    old, new = dict(before.text_styles), dict(after.text_styles)
    for name in {**old, **new}:
        if name not in old or name not in new:
            each = Difference.of("master", f"text style {name}", old.get(name), new.get(name), _set)
            yield Change.of(each)
            continue
        for each in format_differences([old[name]], [new[name]], f"text style {name} "):
            yield _change(each)
    yield from _inner_changes(before, after, "", saving)


def _palette_changes(before: Master, after: Master) -> Iterator[Change]:
    old, new = before.colors, after.colors
    names = sorted(old.keys() | new.keys())
    differ = [name for name in names if not same_color(old.get(name), new.get(name))]
    if differ:
        was, now = (tuple((n, side.get(n, "")) for n in differ) for side in (old, new))
        yield Change.of(Difference.of("master", "", was, now, _colors), "theme_colors_changed")


def _inner_changes(
    before: Master | Layout,
    after: Master | Layout,
    where: str,
    saving: Saving,
    scale: Scale = SAME_SIZE,
) -> Iterator[Change]:
    for each in fingerprint_differences(before.fingerprint, after.fingerprint):
        yield _change(each, where)
    if before.shapes == after.shapes:
        return
    match = match_shapes(before.shapes, after.shapes)
    holders = {shape.index for shape in before.shapes if shape.placeholder}
    for change in ShapesDiff(before.shapes, after.shapes, match, saving).changes(holders):
        if saving.is_rewritten(change, before, after, scale):
            continue
        said = change.kind.replace("_", " ") if not change.kind.endswith("_changed") else ""
        what = " ".join(filter(None, (said, change.what or change.aspect, "of", change.shape)))
        yield replace(
            change,
            kind="master_changed",
            aspect="master",
            shape="",
            shape_index=None,
            shape_index_now=None,
            what=where + what,
        )


def _layout_changes(match: DeckMatch, master: int, master_now: int) -> Iterator[Change]:
    before = match.original.masters[master].layouts
    after = match.current.masters[master_now].layouts
    if before == after:
        return
    pairs = pair_equal([(o.name, o.type) for o in before], [(o.name, o.type) for o in after])
    pairs = pair_equal([o.name for o in before], [o.name for o in after], pairs)
    rows = rest(len(before), (i for i, _ in pairs))
    columns = rest(len(after), (j for _, j in pairs))
    table = [[_layout_likeness(before[i], after[j]) for j in columns] for i in rows]
    found = assign(table, _LAYOUT_THRESHOLD)
    pairs += [(rows[i], columns[j]) for i, j in found]
    saving, scale = match.saving, _scale(match)
    for i, j in sorted(pairs):
        where = f"layout '{before[i].name}': "
        inner = list(_inner_changes(before[i], after[j], where, saving, scale))
        for each in field_differences(before[i], after[j], "master", where):
            if inner or each.what != f"{where}name" or not saving.is_renamed(before[i], after[j]):
                yield Change.of(each)
        yield from inner
    used, used_now = (
        {(slide.master, slide.layout_index) for slide in deck.slides}
        for deck in (match.original, match.current)
    )
    for i in rest(len(before), (i for i, _ in pairs)):
        if not saving.comes_and_goes(before[i], is_used=(master, i) in used):
            yield Change("layout_removed", "master", before=f"'{before[i].name}'")
    for j in rest(len(after), (j for _, j in pairs)):
        if not saving.comes_and_goes(after[j], is_used=(master_now, j) in used_now):
            yield Change("layout_added", "master", after=f"'{after[j].name}'")


def _scale(match: DeckMatch) -> Scale:
    """Return how many times as wide and as high slides are now."""
    before, after = match.original, match.current
    if before.width_emu == after.width_emu and before.height_emu == after.height_emu:
        return SAME_SIZE
    return after.width_emu / (before.width_emu or 1), after.height_emu / (before.height_emu or 1)


def _layout_likeness(before: Layout, after: Layout) -> float:
    keys = ([(s.kind, s.placeholder, s.text) for s in side.shapes] for side in (before, after))
    return 0.3 * (before.type == after.type) + 0.7 * multiset_likeness(*keys)


def _change(difference: Difference, where: str = "") -> Change:
    what = where + difference.what
    return replace(Change.of(difference, "master_changed", what), aspect="master")


def _set(value: object) -> str:
    return "none" if value is None else "set"


def _colors(palette: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {color}" for name, color in palette)


def _backdrops(match: DeckMatch) -> Iterator[tuple[int, Layout, Layout]]:
    """Yield what is behind slides before and now, as layouts without placeholders.

    Each pair of a layout before and one now comes once, with the first slide that has it, from 0.
    """
    seen = set()
    for i, j in match.pairs:
        before, after = match.original.slides[i], match.current.slides[j]
        key = (
            *(before.master, before.layout_index, before.show_master_shapes),
            *(after.master, after.layout_index, after.show_master_shapes),
        )
        if key not in seen:
            seen.add(key)
            yield i, _backdrop(match.original, before), _backdrop(match.current, after)


def _backdrop(deck: Deck, slide: Slide) -> Layout:
    master, known = deck.master_of(slide), deck.layout_of(slide)
    if master is None:
        return _NO_LAYOUT
    layout = known or _NO_LAYOUT
    shown = slide.show_master_shapes and layout.show_master_shapes
    shapes = _joined([master.shapes if shown else (), layout.shapes])
    background = layout.background if known else master.background
    return Layout(layout.name, layout.type, background, shapes)


def _joined(parts: Iterable[tuple[Shape, ...]]) -> tuple[Shape, ...]:
    """Return the shapes of several parts behind one another, without placeholders."""
    found: list[Shape] = []
    for shapes in parts:
        places: dict[int, int] = {}
        for shape in shapes:
            if shape.placeholder:
                continue
            places[shape.index] = len(found)
            group = None if shape.group is None else places.get(shape.group)
            found.append(replace(shape, index=len(found), group=group, connects=(None, None)))
    return tuple(found)
