"""Explain moves of shapes by a move of their group, or by moves of their members."""

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from pptarena.decks import Box, Shape
from pptarena.decks.diff.shapes import box_differences, same_box
from pptarena.decks.match.decks import ShapeMatch
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU
from pptarena.decks.read.geometry import carried, within

__all__ = ["Frames"]

_BOUNDS = frozenset(("place", "size"))
_EXPLAINED = _BOUNDS | {"rotation", "flip"}


class Frames:
    """Distinguishes moved groups from moved members.

    A group that was moved, scaled, rotated or flipped takes its members along: only the group is
    reported. A group whose members moved has new bounds: only the members are reported.

    Args:
        before: All shapes of the original.
        after: All current shapes.
        match: Pairs of corresponding shapes.
    """

    def __init__(self, before: Sequence[Shape], after: Sequence[Shape], match: ShapeMatch) -> None:
        self._before = before
        self._after = after
        self._match = match

    def explain(self, old: Shape, new: Shape, what: str) -> bool:
        """Return whether another shape's change explains this one.

        Args:
            old: The original shape.
            new: The corresponding current shape.
            what: The geometry property that differs.
        """
        if what not in _EXPLAINED:
            return False
        if old.kind == "group" and old.index in self._by_members and what in _BOUNDS:
            return True
        group = old.group
        if group is None or self._match.to_current.get(group) != new.group:
            return False
        whats = _BOUNDS if what in _BOUNDS else frozenset((what,))
        return group not in self._by_members and self._follows(old, new, whats)

    @cached_property
    def _by_members(self) -> set[int]:
        """Original groups whose bounds changed because their members did."""
        members, members_now = _members(self._before), _members(self._after)
        found = set()
        for group, inside in members.items():
            now = self._match.to_current.get(group)
            if now is None or same_box(self._before[group].box, self._after[now].box):
                continue
            there = set(members_now[now])
            pairs = [(i, self._match.to_current.get(i, -1)) for i in inside]
            stayed = [(self._before[i], self._after[j]) for i, j in pairs if j in there]
            if (
                stayed
                and len(stayed) == len(inside)
                and all(self._follows(*each) for each in stayed)
            ):
                continue
            if _bounds_are(self._before[group], [self._before[i] for i in inside]) and _bounds_are(
                self._after[now], [self._after[j] for j in members_now[now]]
            ):
                found.add(group)
        return found

    def _follows(self, old: Shape, new: Shape, whats: frozenset[str] = _BOUNDS) -> bool:
        """Return whether a member kept its relative position in a group that moved."""
        if old.group is None or new.group is None:
            return False
        was, now = self._before[old.group].box, self._after[new.group].box
        if same_box(was, now) or not was.width or not was.height:
            return False
        differences = box_differences(carried(old.box, was, now), new.box)
        return whats.isdisjoint(each.what for each in differences)


def _members(shapes: Sequence[Shape]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for shape in shapes:
        if shape.group is not None:
            found[shape.group].append(shape.index)
    return found


def _bounds_are(group: Shape, members: Sequence[Shape]) -> bool:
    """Return whether a group's box equals the bounds of its members."""
    if not members:
        return False
    edges = [_turned(within(member.box, group.box)) for member in members]
    bounds = (
        *(min(each[side] for each in edges) for side in (0, 1)),
        *(max(each[side] for each in edges) for side in (2, 3)),
    )
    box = group.box
    pairs = zip(bounds, (box.left, box.top, box.right, box.bottom), strict=True)
    return all(abs(a - b) <= LENGTH_TOLERANCE_EMU for a, b in pairs)


def _turned(box: Box) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the bounds of a rotated box."""
    angle = math.radians(box.rotation_deg)
    sine, cosine = abs(math.sin(angle)), abs(math.cos(angle))
    half_width = (box.width * cosine + box.height * sine) / 2
    half_height = (box.width * sine + box.height * cosine) / 2
    x, y = box.left + box.width / 2, box.top + box.height / 2
    return x - half_width, y - half_height, x + half_width, y + half_height
