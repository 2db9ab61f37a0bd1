"""Differences in the shapes of a slide: existence, properties, z-order and groups."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pptarena.decks import Box, Shape
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.frames import Frames
from pptarena.decks.diff.shapes import shape_differences
from pptarena.decks.diff.text import LinkMap, keep_link
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.match.decks import ShapeMatch, group_leaves
from pptarena.decks.saving import Saving

__all__ = ["ShapeBrief", "ShapesDiff"]


@dataclass(frozen=True, slots=True)
class ShapeBrief:
    """Summary of an added or removed shape.

    Attributes:
        kind: Type of the shape.
        name: Name in the selection pane.
        text: Its text, including that of its table or its chart's title.
        geometry: Name of its outline.
        box: Position and size.
    """

    kind: str
    name: str
    text: str
    geometry: str
    box: Box


class ShapesDiff:
    """Compares two matched sequences of shapes.

    Args:
        before: All shapes of the original; members follow their group.
        after: All current shapes.
        match: Pairs of corresponding shapes.
        saving: The application that saved both decks.
        moved: Maps a link of the original to the same link in the current deck.
    """

    def __init__(
        self,
        before: Sequence[Shape],
        after: Sequence[Shape],
        match: ShapeMatch,
        saving: Saving,
        moved: LinkMap = keep_link,
    ) -> None:
        self._before = before
        self._after = after
        self._match = match
        self._saving = saving
        self._moved = moved
        self._frames = Frames(before, after, match)

    def changes(self, free: Collection[int] = ()) -> Iterator[Change]:
        """Yield the changes, without slide numbers.

        Args:
            free: Indexes of original shapes to prefer as the restacked ones if z-order changed.
        """
        yield from self._gone()
        yield from self._new()
        for i, j in self._match.pairs:
            old, new = self._before[i], self._after[j]
            for each in self._differences(old, new):
                yield replace(Change.of(each), shape=old.label, shape_index=i, shape_index_now=j)
            yield from self._regrouped(old, new)
        for i in self._restacked(free):
            yield self._change("z_order_changed", i, self._match.to_current[i])

    def _change(
        self, kind: str, index: int | None, index_now: int | None, before: str = "", after: str = ""
    ) -> Change:
        shape = self._after[index_now or 0] if index is None else self._before[index]
        return Change(kind, "shapes", None, None, shape.label, index, before, after, "", index_now)

    def _gone(self) -> Iterator[Change]:
        match = self._match
        whole, parted = _groups(self._before, match.removed, match.to_current)
        for i in match.removed:
            shape = self._before[i]
            if i in parted:
                yield self._change("ungrouped", i, None, before=parted[i])
            elif shape.group not in whole and not shape.shows_nothing:
                yield replace(self._change("shape_removed", i, None), value_before=_brief(shape))

    def _new(self) -> Iterator[Change]:
        match = self._match
        whole, joined = _groups(self._after, match.added, match.to_original)
        for j in match.added:
            shape = self._after[j]
            if j in joined:
                yield self._change("grouped", None, j, after=joined[j])
            elif shape.group not in whole and not shape.shows_nothing:
                yield replace(self._change("shape_added", None, j), value_after=_brief(shape))

    def _differences(self, old: Shape, new: Shape) -> Iterator[Difference]:
        if old is new or old == new:
            # A slide number in a link may now refer to another slide.
            if self._moved is not keep_link and _links_to_slide(old):
                yield from shape_differences(old, new, self._moved)
            return
        restored = self._saving.restored_shape(old, new)
        for each in shape_differences(old, restored, self._moved):
            if each.aspect != "geometry" or not self._frames.explain(old, new, each.what):
                yield each
        yield from self._connections(old, new)

    def _connections(self, old: Shape, new: Shape) -> Iterator[Difference]:
        for end, was, now in zip(("start", "end"), old.connects, new.connects, strict=True):
            expected = None if was is None else self._match.to_current.get(was)
            if expected == now or (was is not None and expected is None and now is None):
                continue
            said = _label(self._before, was), _label(self._after, now)
            yield Difference("geometry", f"{end} connection", *said, *said)

    def _regrouped(self, old: Shape, new: Shape) -> Iterator[Change]:
        if old.group is None and new.group is None:
            return
        was, now = self._container(old), self._container_now(new)
        if was != now:
            groups = None if was is None else self._match.to_original[was], now
            said = _label(self._before, groups[0]), _label(self._after, groups[1])
            yield self._change("grouping_changed", old.index, new.index, *said)

    def _container(self, shape: Shape) -> int | None:
        """Return the current index of the nearest enclosing group that still exists."""
        group = shape.group
        while group is not None and group not in self._match.to_current:
            group = self._before[group].group
        return None if group is None else self._match.to_current[group]

    def _container_now(self, shape: Shape) -> int | None:
        """Return the current index of the nearest enclosing group that existed before."""
        group = shape.group
        while group is not None and group not in self._match.to_original:
            group = self._after[group].group
        return group

    def _restacked(self, free: Collection[int]) -> list[int]:
        """Return the shapes that were brought forward or sent back within their group."""
        siblings: dict[int | None, list[tuple[int, int]]] = defaultdict(list)
        for i, j in self._match.pairs:
            container = self._container(self._before[i])
            if container == self._container_now(self._after[j]):
                siblings[container].append((i, j))
        found = []
        for pairs in siblings.values():
            weights = [0.5 if i in free else 1.0 for i, _ in pairs]
            kept = longest_increasing([j for _, j in pairs], weights)
            found += [i for at, (i, _) in enumerate(pairs) if at not in kept]
        return sorted(found)


def _groups(
    shapes: Sequence[Shape], unmatched: Sequence[int], matched: Mapping[int, int]
) -> tuple[set[int], dict[int, str]]:
    """Return groups added or removed with all members, and the other groups with their members."""
    whole: set[int] = set()
    others: dict[int, str] = {}
    leaves = group_leaves(shapes)
    for index in unmatched:
        if shapes[index].kind != "group":
            continue
        if leaves[index] and any(leaf in matched for leaf in leaves[index]):
            others[index] = ", ".join(shapes[leaf].label for leaf in sorted(leaves[index]))
        else:
            whole.add(index)
    return whole, others


def _links_to_slide(shape: Shape) -> bool:
    links = [shape.link, shape.hover_link]
    links += [run.link for paragraph in shape.paragraphs for run in paragraph.runs]
    return any(link is not None and link.slide is not None for link in links)


def _label(shapes: Sequence[Shape], index: int | None) -> str:
    return "none" if index is None else shapes[index].label


def _brief(shape: Shape) -> ShapeBrief:
    return ShapeBrief(shape.kind, shape.name, shape.all_text, shape.geometry, shape.box)
