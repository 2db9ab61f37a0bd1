"""Differences in the shapes of a slide: existence, properties, z-order and groups."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pptarena.decks import Box, Shape
from pptarena.decks.diff.change import Change, Difference
from pptarena.decks.diff.shapes import box_differences, same_box, shape_differences
from pptarena.decks.diff.text import LinkMap, keep_link
from pptarena.decks.match.decks import ShapeMatch, group_leaves
from pptarena.decks.match.sequences import longest_increasing
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU
from pptarena.decks.read.geometry import moved_with_group, relative_to_group
from pptarena.decks.saving import Saving

__all__ = ["GroupMoves", "ShapeSummary", "ShapesDiff"]

_BOUNDS = frozenset(("place", "size"))
_GROUP_PROPERTIES = _BOUNDS | {"rotation", "flip"}


class GroupMoves:
    """Distinguishes moved groups from moved members.

    A group that was moved, scaled, rotated or flipped takes its members along: only the group is
    reported. A group whose members moved has new bounds: only the members are reported.
    """

    def __init__(self, before: Sequence[Shape], after: Sequence[Shape], match: ShapeMatch) -> None:
        self._before = before
        self._after = after
        self._match = match

    def explains(self, old: Shape, new: Shape, what: str) -> bool:
        """Return whether another shape's change explains this one."""
        if what not in _GROUP_PROPERTIES:
            return False
        if old.kind == "group" and old.index in self._resized_by_members and what in _BOUNDS:
            return True
        group = old.group
        if group is None or self._match.to_current.get(group) != new.group:
            return False
        properties = _BOUNDS if what in _BOUNDS else frozenset((what,))
        return group not in self._resized_by_members and self._follows(old, new, properties)

    @cached_property
    def _resized_by_members(self) -> set[int]:
        """Original groups whose bounds changed because their members did."""
        members, members_now = _members(self._before), _members(self._after)
        groups = set()
        for group, indexes in members.items():
            group_now = self._match.to_current.get(group)
            if group_now is None or same_box(self._before[group].box, self._after[group_now].box):
                continue
            current_members = set(members_now[group_now])
            pairs = [(i, self._match.to_current.get(i, -1)) for i in indexes]
            common = [(self._before[i], self._after[j]) for i, j in pairs if j in current_members]
            if (
                common
                and len(common) == len(indexes)
                and all(self._follows(*each) for each in common)
            ):
                continue
            if _has_bounds_of(
                self._before[group], [self._before[i] for i in indexes]
            ) and _has_bounds_of(
                self._after[group_now], [self._after[j] for j in members_now[group_now]]
            ):
                groups.add(group)
        return groups

    def _follows(self, old: Shape, new: Shape, properties: frozenset[str] = _BOUNDS) -> bool:
        """Return whether a member kept its relative position in a group that moved."""
        if old.group is None or new.group is None:
            return False
        old_box, new_box = self._before[old.group].box, self._after[new.group].box
        if same_box(old_box, new_box) or not old_box.width or not old_box.height:
            return False
        differences = box_differences(moved_with_group(old.box, old_box, new_box), new.box)
        return properties.isdisjoint(each.what for each in differences)


def _members(shapes: Sequence[Shape]) -> dict[int, list[int]]:
    members: dict[int, list[int]] = defaultdict(list)
    for shape in shapes:
        if shape.group is not None:
            members[shape.group].append(shape.index)
    return members


def _has_bounds_of(group: Shape, members: Sequence[Shape]) -> bool:
    """Return whether a group's box equals the bounds of its members."""
    if not members:
        return False
    boxes = [relative_to_group(member.box, group.box).bounds for member in members]
    bounds = (
        *(min(each[side] for each in boxes) for side in (0, 1)),
        *(max(each[side] for each in boxes) for side in (2, 3)),
    )
    box = group.box
    pairs = zip(bounds, (box.left, box.top, box.right, box.bottom), strict=True)
    return all(abs(a - b) <= LENGTH_TOLERANCE_EMU for a, b in pairs)


@dataclass(frozen=True, slots=True)
class ShapeSummary:
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
    """Compares two matched sequences of shapes."""

    def __init__(
        self,
        before: Sequence[Shape],
        after: Sequence[Shape],
        match: ShapeMatch,
        saving: Saving,
        map_link: LinkMap = keep_link,
    ) -> None:
        self._before = before
        self._after = after
        self._match = match
        self._saving = saving
        self._map_link = map_link
        self._group_moves = GroupMoves(before, after, match)

    def changes(self, free: Collection[int] = ()) -> Iterator[Change]:
        """Yield the changes, without slide numbers.

        Shapes in `free` are preferred as the restacked ones if z-order changed.
        """
        yield from self._removed()
        yield from self._added()
        for i, j in self._match.pairs:
            old, new = self._before[i], self._after[j]
            for each in self._differences(old, new):
                yield replace(Change.of(each), shape=old.label, shape_index=i, shape_index_now=j)
            yield from self._grouping_changes(old, new)
        for i in self._restacked_shapes(free):
            yield self._change("z_order_changed", i, self._match.to_current[i])

    def _change(
        self, kind: str, index: int | None, index_now: int | None, before: str = "", after: str = ""
    ) -> Change:
        shape = self._after[index_now or 0] if index is None else self._before[index]
        return Change(kind, "shapes", None, None, shape.label, index, before, after, "", index_now)

    def _removed(self) -> Iterator[Change]:
        match = self._match
        removed_groups, ungrouped = _groups(self._before, match.removed, match.to_current)
        for i in match.removed:
            shape = self._before[i]
            if i in ungrouped:
                yield self._change("ungrouped", i, None, before=ungrouped[i])
            elif shape.group not in removed_groups and not shape.shows_nothing:
                yield replace(self._change("shape_removed", i, None), value_before=_summary(shape))

    def _added(self) -> Iterator[Change]:
        match = self._match
        added_groups, grouped = _groups(self._after, match.added, match.to_original)
        for j in match.added:
            shape = self._after[j]
            if j in grouped:
                yield self._change("grouped", None, j, after=grouped[j])
            elif shape.group not in added_groups and not shape.shows_nothing:
                yield replace(self._change("shape_added", None, j), value_after=_summary(shape))

    def _differences(self, old: Shape, new: Shape) -> Iterator[Difference]:
        if old is new or old == new:
            # A slide number in a link may now refer to another slide.
            if self._map_link is not keep_link and _links_to_slide(old):
                yield from shape_differences(old, new, self._map_link)
            return
        restored = self._saving.restore_shape(old, new)
        for each in shape_differences(old, restored, self._map_link):
            if each.aspect != "geometry" or not self._group_moves.explains(old, new, each.what):
                yield each
        yield from self._connections(old, new)

    def _connections(self, old: Shape, new: Shape) -> Iterator[Difference]:
        for end, old_target, new_target in zip(
            ("start", "end"), old.connects, new.connects, strict=True
        ):
            expected = None if old_target is None else self._match.to_current.get(old_target)
            if expected == new_target or (
                old_target is not None and expected is None and new_target is None
            ):
                continue
            labels = _label(self._before, old_target), _label(self._after, new_target)
            yield Difference("geometry", f"{end} connection", *labels, *labels)

    def _grouping_changes(self, old: Shape, new: Shape) -> Iterator[Change]:
        if old.group is None and new.group is None:
            return
        old_container, new_container = self._containers(old, new)
        if old_container != new_container:
            before = None if old_container is None else self._match.to_original[old_container]
            labels = _label(self._before, before), _label(self._after, new_container)
            yield self._change("grouping_changed", old.index, new.index, *labels)

    def _containers(self, old: Shape, new: Shape) -> tuple[int | None, int | None]:
        """Return the current indexes of the nearest groups in both decks, before and after."""
        old_group = _nearest_group(old, self._before, self._match.to_current)
        new_group = _nearest_group(new, self._after, self._match.to_original)
        return None if old_group is None else self._match.to_current[old_group], new_group

    def _restacked_shapes(self, free: Collection[int]) -> list[int]:
        """Return the shapes that were brought forward or sent back within their group."""
        siblings: dict[int | None, list[tuple[int, int]]] = defaultdict(list)
        for i, j in self._match.pairs:
            old_group, new_group = self._containers(self._before[i], self._after[j])
            if old_group == new_group:
                siblings[new_group].append((i, j))
        restacked = []
        for pairs in siblings.values():
            weights = [0.5 if i in free else 1.0 for i, _ in pairs]
            in_order = longest_increasing([j for _, j in pairs], weights)
            restacked += [i for position, (i, _) in enumerate(pairs) if position not in in_order]
        return sorted(restacked)


def _groups(
    shapes: Sequence[Shape], unmatched: Sequence[int], matched: Mapping[int, int]
) -> tuple[set[int], dict[int, str]]:
    """Return groups added or removed with all members, and the other groups with their members."""
    complete: set[int] = set()
    partial: dict[int, str] = {}
    leaves = group_leaves(shapes)
    for index in unmatched:
        if shapes[index].kind != "group":
            continue
        if leaves[index] and any(leaf in matched for leaf in leaves[index]):
            partial[index] = ", ".join(shapes[leaf].label for leaf in sorted(leaves[index]))
        else:
            complete.add(index)
    return complete, partial


def _nearest_group(shape: Shape, shapes: Sequence[Shape], matched: Mapping[int, int]) -> int | None:
    group = shape.group
    while group is not None and group not in matched:
        group = shapes[group].group
    return group


def _links_to_slide(shape: Shape) -> bool:
    links = [shape.link, shape.hover_link]
    links += [run.link for paragraph in shape.paragraphs for run in paragraph.runs]
    return any(link is not None and link.slide is not None for link in links)


def _label(shapes: Sequence[Shape], index: int | None) -> str:
    return "none" if index is None else shapes[index].label


def _summary(shape: Shape) -> ShapeSummary:
    return ShapeSummary(shape.kind, shape.name, shape.all_text, shape.geometry, shape.box)
