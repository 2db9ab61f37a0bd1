"""Attach side effects to the change that causes them.

A change is never a side effect by its aspect alone. The expected effect of the cause is computed
(such as the values of the new layout or the colors of the new theme), and only a change that
matches it is a side effect; a deliberate edit remains a change of its own.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.inheritance import Inheritance, ThemeChange, is_inherited_change
from pptarena.decks.diff.same_shape import (
    ShapePair,
    is_banding,
    is_chart_type_effect,
    is_growth,
    is_line_inset,
    is_link_formatting,
    is_refitted,
    is_scaled_spacing,
)
from pptarena.decks.match.decks import DeckMatch

__all__ = ["attach_consequences", "flatten_changes"]

_ROWS = ("row", "column")
_PROMPTS = ("'Click to add Notes'", "'Click to add Text'", "'Click to add Title'")


def flatten_changes(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield changes, each followed by its consequences."""
    for change in changes:
        yield replace(change, consequences=()) if change.consequences else change
        yield from flatten_changes(change.consequences)


def attach_consequences(match: DeckMatch, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the independent changes, each with its consequences."""
    if len(changes) < 2:
        return tuple(changes)
    finder = _CauseFinder(match, changes)
    causes = [finder.cause_of(change) for change in changes]
    consequences: dict[int, list[Change]] = defaultdict(list)
    for index, cause in enumerate(causes):
        if cause is not None:
            consequences[_root_cause(causes, cause)].append(changes[index])
    return tuple(
        replace(change, consequences=tuple(consequences[index]))
        if index in consequences
        else change
        for index, change in enumerate(changes)
        if causes[index] is None
    )


def _root_cause(causes: Sequence[int | None], index: int) -> int:
    """Return the index of the root cause."""
    visited = {index}
    while (cause := causes[index]) is not None and cause not in visited:
        index = cause
        visited.add(index)
    return index


class _CauseFinder:
    """Finds the change that causes another one."""

    def __init__(self, match: DeckMatch, changes: Sequence[Change]) -> None:
        self._match = match
        self._changes = changes
        self._by_shape: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._level_changes: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._causes: dict[tuple[int, int], Sequence[Sequence[int]]] = {}
        self._layouts: dict[int, int] = {}
        self._backgrounds: dict[int, int] = {}
        self._masters: list[int] = []
        self._themes: list[int] = []
        for index, change in enumerate(changes):
            if change.slide is not None and change.shape_index is not None:
                self._by_shape[change.slide, change.shape_index].append(index)
                if change.what == "level":
                    self._level_changes[change.slide, change.shape_index].append(index)
            elif change.slide is not None and change.kind == "layout_changed":
                self._layouts.setdefault(change.slide, index)
            elif change.slide is not None and change.aspect == "background":
                self._backgrounds.setdefault(change.slide, index)
            elif change.kind in ("theme_colors_changed", "theme_fonts_changed"):
                self._themes.append(index)
            elif change.kind in ("master_changed", "master_background_changed"):
                self._masters.append(index)
        self._theme = ThemeChange(match) if self._themes else None
        self._inheritance = Inheritance(match)

    def cause_of(self, change: Change) -> int | None:
        """Return the index of the change that causes this one; None for an independent change."""
        if change.kind.startswith("theme_"):
            return None
        cause = None
        if change.slide is not None and change.shape_index is not None:
            cause = self._same_shape_cause(change)
        if cause is None and change.slide is not None and change.aspect == "geometry":
            cause = self._connector_cause(change)
        if cause is None and change.slide is not None:
            cause = self._inheritance_cause(change)
        if cause is None and change.shape_index is not None:
            cause = self._refit_cause(change)
        cause = self._theme_cause(change) if cause is None else cause
        if cause is None and change.kind == "master_changed" and change.slide is None:
            cause = self._master_cause(change)
        return cause

    def _same_shape_cause(self, change: Change) -> int | None:
        others = self._by_shape[change.slide or 0, change.shape_index or 0]
        if len(others) < 2:
            return None
        pair = ShapePair.of(self._match, change)
        if pair is None:
            return None
        causes = self._causes_on_shape(change.slide or 0, change.shape_index or 0)
        for (_, is_effect), candidates in zip(_SAME_SHAPE_RULES, causes, strict=True):
            index = next(
                (index for index in candidates if self._changes[index] is not change), None
            )
            if index is not None and is_effect(change, self._changes[index], pair):
                return index
        return None

    def _connector_cause(self, change: Change) -> int | None:
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
            for position in self._by_shape[change.slide or 0, index]:
                if self._changes[position].aspect == "geometry":
                    return position
        return None

    def _causes_on_shape(self, slide: int, shape_index: int) -> Sequence[Sequence[int]]:
        """Return the first two causes of each type on a shape; one may be the change in question.

        All causes of one type on a shape have the same effects, so two are sufficient. Otherwise a
        table that grew by ten thousand rows would be searched for each of its changes.
        """
        key = slide, shape_index
        if key not in self._causes:
            indexes = self._by_shape[key]
            self._causes[key] = [
                list(
                    islice(
                        (position for position in indexes if is_cause(self._changes[position])), 2
                    )
                )
                for is_cause, _ in _SAME_SHAPE_RULES
            ]
        return self._causes[key]

    def _inheritance_cause(self, change: Change) -> int | None:
        """Return the change of level, layout or master that a value is inherited from."""
        index, shape = (change.slide or 0) - 1, change.shape_index
        positions = self._level_changes[change.slide or 0, -1 if shape is None else shape]
        levels = [position for position in positions if self._changes[position] is not change]
        layout = self._layouts.get(change.slide or 0)
        causes = levels + ([] if layout is None else [layout]) + self._masters
        if not causes or change.kind == "layout_changed":
            return None
        if not self._inheritance.explains(change, index, is_new_layout=layout is not None):
            return None
        return causes[0]

    def _refit_cause(self, change: Change) -> int | None:
        """Return the change of a background or theme that made the application refit a shape.

        The background may be that of any slide: LibreOffice also refits shapes on other slides.
        """
        candidates = [*self._backgrounds.values(), *self._themes]
        position = self._backgrounds.get(change.slide or 0, next(iter(candidates), None))
        pair = None if position is None else ShapePair.of(self._match, change)
        if (
            position is None
            or pair is None
            or not is_refitted(change, self._changes[position], pair)
        ):
            return None
        return position

    def _master_cause(self, change: Change) -> int | None:
        """Return the master change that a layout, or a placeholder on it, inherits."""
        for position in self._masters:
            if self._changes[position] is not change and is_inherited_change(
                self._changes[position], change
            ):
                return position
        return None

    def _theme_cause(self, change: Change) -> int | None:
        if self._theme is None:
            return None
        # LibreOffice rewrites the prompts of empty placeholders with a new theme.
        is_text = change.aspect in ("notes", "text") and change.before == "''"
        is_prompt = is_text and change.after in _PROMPTS
        return self._themes[0] if is_prompt or self._theme.explains(change) else None


def _is_row(change: Change) -> bool:
    parts = change.what.split()
    return change.aspect == "tables" and len(parts) == 2 and parts[0] in _ROWS


_SAME_SHAPE_RULES: Sequence[
    tuple[Callable[[Change], bool], Callable[[Change, Change, ShapePair], bool]]
] = (
    (lambda change: change.aspect == "hyperlinks", is_link_formatting),
    (lambda change: change.aspect == "formatting" and change.what == "size", is_scaled_spacing),
    (_is_row, is_banding),
    (lambda change: change.aspect == "charts" and change.what == "type", is_chart_type_effect),
    (lambda change: change.aspect in ("text", "formatting", "tables"), is_growth),
    (lambda change: change.aspect == "style" and change.what.startswith("line"), is_line_inset),
    (lambda change: change.aspect != "geometry", is_refitted),
)
