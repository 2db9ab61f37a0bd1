"""Compare the content of two decks, attribute by attribute."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pptarena.benchmarks.pptc.pptx_match.content import ObjectContent, content_of
from pptarena.decks import Deck

__all__ = ["Mismatch", "compare_content", "compare_geometry"]

_MAX_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One attribute that differs from the label.

    Attributes:
        slide: Position of the slide, from 0; None for the entire deck.
        object: Name of the object on the slide, such as ``Title 0``; empty for the slide itself.
        attribute: The attribute, such as ``text`` or ``font color``; ``missing`` or ``extra`` if
            the object has no counterpart.
        expected: Value in the label.
        found: Value in the prediction.
    """

    slide: int | None
    object: str
    attribute: str
    expected: str
    found: str

    @property
    def reason(self) -> str:
        """Description in one sentence."""
        place = "the deck" if self.slide is None else f"slide {self.slide}"
        where = f"{place}, {self.object}" if self.object else place
        if self.attribute in ("missing", "extra"):
            return f"{where}: {self.attribute}"
        values = f"expected {_short(self.expected)}, found {_short(self.found)}"
        return f"{where}: {self.attribute}: {values}"


Pair = tuple[ObjectContent, ObjectContent]


def compare_content(prediction: Deck, label: Deck, *, quirks: bool = False) -> tuple[Mismatch, ...]:
    """Return the content mismatches of a prediction.

    Objects of one type are paired with equal ones first and then in order, so the insertion order
    does not matter, unless `quirks` is set.
    """
    found, wanted = content_of(prediction, quirks=quirks), content_of(label, quirks=quirks)
    mismatches = list(_deck(prediction, label))
    for index, (now, then) in enumerate(zip(found, wanted, strict=False)):
        mismatches += _differences(index, "", then.attributes, now.attributes)
        if quirks:
            kinds = [" ".join(each.kind for each in side.objects) for side in (then, now)]
            mismatches += _differences(index, "", [("order", kinds[0])], [("order", kinds[1])])
        pairs, missing, extra = _pair(then.objects, now.objects)
        for one, other in pairs:
            mismatches += _differences(index, one.label, one.attributes, other.attributes)
        mismatches += [Mismatch(index, each.label, "missing", each.label, "") for each in missing]
        mismatches += [Mismatch(index, each.label, "extra", "", each.label) for each in extra]
    return tuple(mismatches)


def compare_geometry(prediction: Deck, label: Deck, tolerance_emu: int) -> tuple[Mismatch, ...]:
    """Return objects whose position, size or picture file differs from the label.

    Args:
        prediction: The deck to judge.
        label: The deck to compare with.
        tolerance_emu: Largest ignored difference in EMU of left, top, width and height each.
    """
    mismatches: list[Mismatch] = []
    found, wanted = content_of(prediction), content_of(label)
    for index, (now, then) in enumerate(zip(found, wanted, strict=False)):
        pairs, _, _ = _pair(then.objects, now.objects)
        for one, other in pairs:
            mismatches += _geometry(index, one, other, tolerance_emu)
    return tuple(mismatches)


def _deck(prediction: Deck, label: Deck) -> Iterator[Mismatch]:
    counts = len(label.slides), len(prediction.slides)
    if counts[0] != counts[1]:
        yield Mismatch(None, "", "number of slides", str(counts[0]), str(counts[1]))
    sizes = [f"{deck.width_emu} x {deck.height_emu} EMU" for deck in (label, prediction)]
    if sizes[0] != sizes[1]:
        yield Mismatch(None, "", "slide size", sizes[0], sizes[1])


def _differences(
    slide: int, label: str, wanted: Sequence[tuple[str, str]], found: Iterable[tuple[str, str]]
) -> list[Mismatch]:
    values = dict(found)
    return [
        Mismatch(slide, label, name, value, values.get(name, ""))
        for name, value in wanted
        if values.get(name, "") != value
    ]


def _pair(
    wanted: Sequence[ObjectContent], found: Sequence[ObjectContent]
) -> tuple[list[Pair], list[ObjectContent], list[ObjectContent]]:
    """Return pairs of the same type and the unpaired objects of both sides; equal ones first."""
    equal, wanted, found = _pair_by(lambda each: (each.kind, each.attributes), wanted, found)
    alike, wanted, found = _pair_by(lambda each: each.kind, wanted, found)
    return equal + alike, list(wanted), list(found)


def _pair_by(
    key: Callable[[ObjectContent], object],
    wanted: Sequence[ObjectContent],
    found: Sequence[ObjectContent],
) -> tuple[list[Pair], Sequence[ObjectContent], Sequence[ObjectContent]]:
    free: defaultdict[object, deque[ObjectContent]] = defaultdict(deque)
    for each in found:
        free[key(each)].append(each)
    pairs = [(each, free[key(each)].popleft()) for each in wanted if free[key(each)]]
    taken = {id(each) for pair in pairs for each in pair}
    rest_wanted = [each for each in wanted if id(each) not in taken]
    return pairs, rest_wanted, [each for each in found if id(each) not in taken]


def _geometry(
    slide: int, wanted: ObjectContent, found: ObjectContent, tolerance_emu: int
) -> Iterator[Mismatch]:
    one, other = wanted.shape, found.shape
    for side in ("left", "top", "width", "height"):
        then, now = getattr(one.box, side), getattr(other.box, side)
        if abs(then - now) > tolerance_emu:
            yield Mismatch(slide, wanted.label, side, f"{then} EMU", f"{now} EMU")
    flips = [f"{box.flip_h} {box.flip_v}" for box in (one.box, other.box)]
    if flips[0] != flips[1]:
        yield Mismatch(slide, wanted.label, "flip", flips[0], flips[1])
    if one.picture and other.picture and one.picture.sha256 != other.picture.sha256:
        then, now = one.picture.sha256[:12], other.picture.sha256[:12]
        yield Mismatch(slide, wanted.label, "picture", then, now)


def _short(text: str) -> str:
    return repr(text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "...")
