"""Differences from a target deck that the target's own work does not explain."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pptarena.decks import Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import clip
from pptarena.rewards.scope.rivals import lines_with_rivals

__all__ = ["left_unexplained"]

# Properties that are set together: a request for one may change the others.
_TOGETHER: Sequence[frozenset[str]] = (
    frozenset(("level", "bullet", "margin", "indent", "space before", "space after")),
    frozenset(("underline", "underline color")),
    frozenset(("strike", "double strike")),
    frozenset(("align", "centered")),
    frozenset(("minimum", "maximum", "major unit", "minor unit")),
)
_LINE = re.compile(r"(row|column) (\d+)")
_AXIS = re.compile(r"(\w+ axis(?: ['\"].*['\"])?) (.+)")
_CELL = re.compile(r"row (\d+) column (\d+)\b ?(.*)")
_NEAR_EMU = 91_440  # a tenth of an inch, below which viewers notice no difference
_TURNED_EMU = 914_400  # one inch: how far a box may move when its text direction changes
_MOST_GROWTH = 2.0
_LONG_SEC = 5.0  # a longer transition keeps viewers waiting
_SMALL = ("the sldNum placeholder", "the ftr placeholder", "the dt placeholder")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_BREAK = re.compile(r"[\n\v]")


def left_unexplained(change: Change, asked: Sequence[Change]) -> Iterator[Change]:
    """Yield the parts of a change that the target's work does not explain.

    Args:
        change: A change from the target to the current deck.
        asked: The changes from the target to the original on the same shape, slide or deck, which
            is the requested work in reverse.
    """
    if change.aspect == "formatting":
        words = [each for each in asked if _is_text_beside(each, change)]
        kept = _of_kept_lines(change, words[0]) if words else change
        if kept is None:
            return  # new text has no prior formatting; the scope restricts it
        change = kept
    same = [each for each in asked if _is_same_value(change, each)]
    if same:
        yield from _rest(change, same)
    elif not any(_covers(each, change) for each in asked):
        yield change


def _is_text_beside(asked: Change, change: Change) -> bool:
    """Return whether the work edits the text of a formatting change: of a shape or of its cell."""
    if asked.aspect == "text":
        return True
    cell = _CELL.fullmatch(change.what)
    return asked.aspect == "tables" and cell is not None and asked.what == cell[0][: cell.end(2)]


def _of_kept_lines(change: Change, words: Change) -> Change | None:
    """Return the formatting change restricted to lines that the target keeps."""
    spans, target = _spans(change.value_after), words.value_before
    if not spans or not isinstance(target, str):
        return change
    lines = _kept_lines(target, str(words.value_after))
    return _picked(change, [i for i, (text, _) in enumerate(spans) if _is_in(text, lines)])


def _is_in(text: str, lines: Sequence[str]) -> bool:
    return any(text.strip() in line for line in lines)


def _kept_lines(target: str, original: str) -> list[str]:
    lines = _BREAK.split(target)
    return [
        line
        for tag, i1, i2, _, _ in opcodes(lines, _BREAK.split(original))
        if tag == "equal"
        for line in lines[i1:i2]
        if line.strip()
    ]


def _is_same_value(change: Change, asked: Change) -> bool:
    if change.aspect != asked.aspect:
        return False
    return change.what == asked.what and (bool(change.what) or change.kind == asked.kind)


def _covers(asked: Change, change: Change) -> bool:
    """Return whether the work on one value entails a change of another."""
    if asked.aspect != change.aspect:
        return _covers_beside(asked, change)
    if change.aspect == "geometry" and {asked.what, change.what} <= {"place", "size"}:
        return asked.what == "size"
    if change.aspect == "animation":
        return True
    if change.aspect == "master":
        return _is_of_new_shape(asked.what, change.what)
    if change.aspect == "charts":
        return _covers_of_chart(asked.what, change.what)
    cell = _CELL.fullmatch(change.what)
    if cell is None:
        return _go_together(asked.what, change.what)
    of_cell = _CELL.fullmatch(asked.what)
    is_same = of_cell is not None and cell.group(1, 2) == of_cell.group(1, 2)
    return _has_line(asked, cell) or (
        of_cell is not None and is_same and _go_together(of_cell[3], cell[3])
    )


def _covers_beside(asked: Change, change: Change) -> bool:
    """Return whether the work in one aspect entails a change in another."""
    if asked.aspect == "tables":
        # Added, removed and moved rows and columns change banding and sizes.
        if change.aspect == "geometry":
            return _LINE.fullmatch(asked.what) is not None
        cell = _CELL.fullmatch(change.what)
        if cell is None or change.aspect not in ("style", "formatting"):
            return False
        of_cell = _CELL.fullmatch(asked.what)
        return _has_line(asked, cell) or (of_cell is not None and of_cell[1] == cell[1])
    if asked.aspect == "pictures":
        return change.aspect == "alt_text" and asked.what == "picture"
    if (asked.aspect, asked.what, change.aspect) == ("formatting", "vertical", "geometry"):
        return _holds_turned_text(change)
    if asked.aspect == "layout":
        return change.kind == "shape_removed" and change.shape.startswith(_SMALL)
    if asked.aspect == "text":
        return change.what == "autofit" or _is_grown(change)
    return False


def _holds_turned_text(change: Change) -> bool:
    """Return whether a box did not grow, or moved by at most `_TURNED_EMU`."""
    old, new = change.value_before, change.value_after
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    if change.what == "size":
        return all(b <= a + _NEAR_EMU for a, b in zip(old, new, strict=True))
    near = all(abs(a - b) <= _TURNED_EMU for a, b in zip(old, new, strict=True))
    return change.what == "place" and near


def _is_grown(change: Change) -> bool:
    """Return whether a box grew in height with its text and kept its width."""
    if (change.aspect, change.what) != ("geometry", "size"):
        return False
    old, new = change.value_before, change.value_after
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    return _is_near(old[0], new[0]) and old[1] <= new[1] <= _MOST_GROWTH * old[1]


def _has_line(asked: Change, cell: re.Match[str]) -> bool:
    """Return whether a cell lies in an added or removed row or column."""
    line = _LINE.fullmatch(asked.what)
    return line is not None and cell[1 if line[1] == "row" else 2] == line[2]


def _is_of_new_shape(asked: str, now: str) -> bool:
    """Return whether a shape of a layout or master is one that the target added."""
    where, removed, label = asked.partition("shape removed ")
    return bool(removed) and now.startswith(where) and now.endswith(label.partition(" of ")[2])


def _covers_of_chart(asked: str, now: str) -> bool:
    if now == "fingerprint" and _AXIS.fullmatch(asked) and asked.endswith(" title"):
        return True  # the angle of a new axis title appears only in the fingerprint
    if re.fullmatch(r"series \d+", asked):
        # An added series may reset its data, and add a legend to identify it.
        own = now == asked or now.startswith(f"{asked} ") or now.endswith("number format")
        return own or now in ("order of series", "legend", "fingerprint")
    if asked == "type":
        return not now.endswith((" values", " name", " categories"))
    if now.endswith("number format"):
        return asked.endswith((" values", " categories"))
    axis, axis_now = _AXIS.fullmatch(asked), _AXIS.fullmatch(now)
    if axis is None or axis_now is None or axis[1] != axis_now[1]:
        return False
    has_new_title = axis[2] == "title" and axis_now[2].startswith("title ")
    return has_new_title or _go_together(axis[2], axis_now[2])


def _go_together(asked: str, now: str) -> bool:
    return any(asked in names and now in names for names in _TOGETHER)


def _rest(change: Change, asked: Sequence[Change]) -> Iterator[Change]:
    """Yield the part of a change that concerns values the target keeps."""
    merge = _merge_of(change)
    for each in asked:
        rest = merge(change, each)
        if rest is None:
            return
        change = rest
    yield change


_Merge = Callable[[Change, Change], Change | None]


def _merge_of(change: Change) -> _Merge:
    if change.aspect == "formatting":
        return _other_letters
    if change.aspect in ("text", "tables", "notes"):
        return _other_lines
    if change.aspect == "geometry":
        return _other_measures
    if change.aspect == "transition":
        return _other_timing
    return _other_items


def _other_letters(change: Change, asked: Change) -> Change | None:
    """Return the formatting change restricted to text that the target keeps."""
    new, work = _spans(change.value_after), _spans(asked.value_before)
    if not new or not work or not _spans(change.value_before):
        return None
    words = [text for text, _ in work]
    kept = [
        at
        for at, (text, _) in enumerate(new)
        if not any(text in word or word in text for word in words)
    ]
    return _picked(change, kept)


def _spans(value: object) -> list[tuple[str, object]]:
    """Return the (text, formatting) pairs of a formatting change; empty for other values."""
    if not isinstance(value, tuple):
        return []
    spans = [each for each in value if isinstance(each, tuple) and len(each) == 2]
    return [(text, look) for text, look in spans if isinstance(text, str)]


def _picked(change: Change, kept: Sequence[int]) -> Change | None:
    if not kept:
        return None
    values = []
    for value in (change.value_before, change.value_after):
        values.append(tuple(value[i] for i in kept) if isinstance(value, tuple) else value)
    return replace(change, value_before=values[0], value_after=values[1])


def _other_lines(change: Change, asked: Change) -> Change | None:
    """Return the text change restricted to removed lines that the target keeps."""
    target, now, original = change.value_before, change.value_after, asked.value_after
    if not all(isinstance(each, str) for each in (target, now, original)):
        return None
    lines = _BREAK.split(str(target))
    kept = _kept_lines(str(target), str(original))
    there = _BREAK.split(str(now))
    gone = [line for line in kept if line not in there]
    come = [line for line in there if line not in lines]
    if not gone:
        # Keeping the old figure next to the new one gives both answers.
        gone = _with_old_figures(str(target), str(now), str(original))
    gone = gone or lines_with_rivals(str(target), str(now), str(original))
    if not gone:
        return None
    values = "\n".join(gone), "\n".join(come)
    return replace(
        change,
        before=clip(gone[0]),
        after=clip(come[0]) if come else "",
        value_before=values[0],
        value_after=values[1],
    )


def _with_old_figures(target: str, now: str, original: str) -> list[str]:
    """Return the target lines whose new figures appear together with the replaced ones."""
    wanted, found, was = (Counter(_NUMBER.findall(each)) for each in (target, now, original))
    new, old = wanted - was, was - wanted
    if not new or new - found or not old & (found - wanted):
        return []
    return [line for line in _BREAK.split(target) if new & Counter(_NUMBER.findall(line))]


def _other_measures(change: Change, asked: Change) -> Change | None:
    """Return the change if it alters a coordinate that the target keeps."""
    target, now, original = map(
        _items, (change.value_before, change.value_after, asked.value_after)
    )
    if not len(target) == len(now) == len(original) == 2:
        return None
    for wanted, found, was in zip(target, now, original, strict=True):
        if _is_near(wanted, was) and not _is_near(wanted, found):
            return change
    return None


def _is_near(first: float, second: float) -> bool:
    return abs(first - second) <= _NEAR_EMU


def _other_items(change: Change, asked: Change) -> Change | None:
    """Return the change if it alters an item, such as a series value, that the target keeps."""
    target, now, original = map(
        _items, (change.value_before, change.value_after, asked.value_after)
    )
    if not len(target) == len(now) == len(original):
        return None
    for wanted, found, was in zip(target, now, original, strict=True):
        if wanted == was and wanted != found:
            return change
    return None


def _other_timing(change: Change, asked: Change) -> Change | None:
    """Return the change if it alters how a slide advances and the target keeps that."""
    target, now, original = change.value_before, change.value_after, asked.value_after
    if not all(isinstance(each, Transition) for each in (target, now, original)):
        return None
    for name in ("on_click", "advance_after_sec", "sound"):
        wanted, found, was = (getattr(each, name) for each in (target, now, original))
        if wanted == was != found:
            return change
    durations = (getattr(each, "duration_sec", None) or 0.0 for each in (target, now))
    longest, found = max(next(durations), _LONG_SEC), next(durations)
    return change if found > longest else None


def _items(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else ()
