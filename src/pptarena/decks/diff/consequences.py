"""Attach side effects to the change that causes them.

A change is never a side effect by its aspect alone. The expected effect of the cause is computed
(what the new layout provides, how the new theme changes a color, ...), and only a change that
matches it is a side effect; a deliberate edit remains a change of its own.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.inherited import Heritage, ThemeChange, is_passed_on
from pptarena.decks.diff.same_shape import (
    ShapePair,
    is_banding,
    is_by_type,
    is_fitted,
    is_growth,
    is_of_line,
    is_of_link,
    is_scaled,
)
from pptarena.decks.match.decks import DeckMatch

__all__ = ["every_change", "with_consequences"]

_ROWS = ("row", "column")
_PROMPTS = ("'Click to add Notes'", "'Click to add Text'", "'Click to add Title'")


def every_change(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield changes, each followed by its consequences."""
    for change in changes:
        yield replace(change, consequences=()) if change.consequences else change
        yield from every_change(change.consequences)


def with_consequences(match: DeckMatch, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the independent changes, each with its consequences."""
    if len(changes) < 2:
        return tuple(changes)
    finder = _Causes(match, changes)
    causes = [finder.of(change) for change in changes]
    brought: dict[int, list[Change]] = defaultdict(list)
    for at, cause in enumerate(causes):
        if cause is not None:
            brought[_first(causes, cause)].append(changes[at])
    return tuple(
        replace(change, consequences=tuple(brought[at])) if at in brought else change
        for at, change in enumerate(changes)
        if causes[at] is None
    )


def _first(causes: Sequence[int | None], at: int) -> int:
    """Return the index of the root cause."""
    seen = {at}
    while (cause := causes[at]) is not None and cause not in seen:
        at = cause
        seen.add(at)
    return at


class _Causes:
    """Finds the change that causes another one."""

    def __init__(self, match: DeckMatch, changes: Sequence[Change]) -> None:
        self._match = match
        self._changes = changes
        self._of_shape: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._levels: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._causes: dict[tuple[int, int], Sequence[Sequence[int]]] = {}
        self._layouts: dict[int, int] = {}
        self._backgrounds: dict[int, int] = {}
        self._masters: list[int] = []
        self._themes: list[int] = []
        for at, change in enumerate(changes):
            if change.slide is not None and change.shape_index is not None:
                self._of_shape[change.slide, change.shape_index].append(at)
                if change.what == "level":
                    self._levels[change.slide, change.shape_index].append(at)
            elif change.slide is not None and change.kind == "layout_changed":
                self._layouts.setdefault(change.slide, at)
            elif change.slide is not None and change.aspect == "background":
                self._backgrounds.setdefault(change.slide, at)
            elif change.kind in ("theme_colors_changed", "theme_fonts_changed"):
                self._themes.append(at)
            elif change.kind in ("master_changed", "master_background_changed"):
                self._masters.append(at)
        self._theme = ThemeChange(match) if self._themes else None
        self._heritage = Heritage(match)

    def of(self, change: Change) -> int | None:
        """Return the index of the change that causes this one; None for an independent change."""
        if change.kind.startswith("theme_"):
            return None
        found = None
        if change.slide is not None and change.shape_index is not None:
            found = self._same_shape(change)
        if found is None and change.slide is not None and change.aspect == "geometry":
            found = self._glued(change)
        if found is None and change.slide is not None:
            found = self._above(change)
        if found is None and change.shape_index is not None:
            found = self._behind(change)
        found = self._theming(change) if found is None else found
        if found is None and change.kind == "master_changed" and change.slide is None:
            found = self._of_master(change)
        return found

    def _same_shape(self, change: Change) -> int | None:
        others = self._of_shape[change.slide or 0, change.shape_index or 0]
        if len(others) < 2:
            return None
        pair = ShapePair.of(self._match, change)
        if pair is None:
            return None
        causes = self._causes_on(change.slide or 0, change.shape_index or 0)
        for (_, is_brought), found in zip(_OF_ONE_SHAPE, causes, strict=True):
            at = next((at for at in found if self._changes[at] is not change), None)
            if at is not None and is_brought(change, self._changes[at], pair):
                return at
        return None

    def _glued(self, change: Change) -> int | None:
        """Return the position or size change of a shape that a connector is attached to.

        The application moves the ends of the connector with the shape.
        """
        if change.shape_index is None:
            return None
        pair = ShapePair.of(self._match, change)
        if pair is None or pair.old.kind != "line":
            return None
        for end, index in enumerate(pair.old.connects):
            if index is None or pair.new.connects[end] is None:
                continue
            for at in self._of_shape[change.slide or 0, index]:
                if self._changes[at].aspect == "geometry":
                    return at
        return None

    def _causes_on(self, slide: int, shape_index: int) -> Sequence[Sequence[int]]:
        """Return the first two causes of each type on a shape; one may be the change in question.

        All causes of one type on a shape have the same effects, so two are sufficient. Otherwise a
        table that grew by ten thousand rows would be searched for each of its changes.
        """
        key = slide, shape_index
        if key not in self._causes:
            of_shape = self._of_shape[key]
            self._causes[key] = [
                list(islice((at for at in of_shape if is_cause(self._changes[at])), 2))
                for is_cause, _ in _OF_ONE_SHAPE
            ]
        return self._causes[key]

    def _above(self, change: Change) -> int | None:
        """Return the change of level, layout or master that a value is inherited from."""
        index, shape = (change.slide or 0) - 1, change.shape_index
        of_shape = self._levels[change.slide or 0, -1 if shape is None else shape]
        levels = [at for at in of_shape if self._changes[at] is not change]
        layout = self._layouts.get(change.slide or 0)
        causes = levels + ([] if layout is None else [layout]) + self._masters
        if not causes or change.kind == "layout_changed":
            return None
        if not self._heritage.gives(change, index, is_new_layout=layout is not None):
            return None
        return causes[0]

    def _behind(self, change: Change) -> int | None:
        """Return the change of a background or theme that made the application refit a shape.

        The background may be that of any slide: LibreOffice also refits shapes on other slides.
        """
        painted = [*self._backgrounds.values(), *self._themes]
        at = self._backgrounds.get(change.slide or 0, next(iter(painted), None))
        pair = None if at is None else ShapePair.of(self._match, change)
        if at is None or pair is None or not is_fitted(change, self._changes[at], pair):
            return None
        return at

    def _of_master(self, change: Change) -> int | None:
        """Return the master change that a layout, or a placeholder on it, inherits."""
        for at in self._masters:
            if self._changes[at] is not change and is_passed_on(self._changes[at], change):
                return at
        return None

    def _theming(self, change: Change) -> int | None:
        if self._theme is None:
            return None
        # LibreOffice rewrites the prompts of empty placeholders with a new theme.
        texts = change.aspect in ("notes", "text") and change.before == "''"
        prompted = texts and change.after in _PROMPTS
        return self._themes[0] if prompted or self._theme.explains(change) else None


def _is_row(change: Change) -> bool:
    words = change.what.split()
    return change.aspect == "tables" and len(words) == 2 and words[0] in _ROWS


_OF_ONE_SHAPE: Sequence[
    tuple[Callable[[Change], bool], Callable[[Change, Change, ShapePair], bool]]
] = (
    (lambda change: change.aspect == "hyperlinks", is_of_link),
    (lambda change: change.aspect == "formatting" and change.what == "size", is_scaled),
    (_is_row, is_banding),
    (lambda change: change.aspect == "charts" and change.what == "type", is_by_type),
    (lambda change: change.aspect in ("text", "formatting", "tables"), is_growth),
    (lambda change: change.aspect == "style" and change.what.startswith("line"), is_of_line),
    (lambda change: change.aspect != "geometry", is_fitted),
)
