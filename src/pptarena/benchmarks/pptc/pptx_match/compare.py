"""Compare the content of two decks, attribute by attribute."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pptarena.benchmarks.pptc.pptx_match.content import ObjectContent, read_content
from pptarena.decks import Deck

__all__ = ["Mismatch", "compare_content", "compare_geometry"]

_MAX_VALUE_CHARS = 80


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
        location = "the deck" if self.slide is None else f"slide {self.slide}"
        subject = f"{location}, {self.object}" if self.object else location
        if self.attribute in ("missing", "extra"):
            return f"{subject}: {self.attribute}"
        values = f"expected {_short(self.expected)}, found {_short(self.found)}"
        return f"{subject}: {self.attribute}: {values}"


Pair = tuple[ObjectContent, ObjectContent]


def compare_content(prediction: Deck, label: Deck, *, quirks: bool = False) -> tuple[Mismatch, ...]:
    """Return the content mismatches of a prediction.

    Objects of one type are paired with equal ones first and then in order, so the insertion order
    does not matter, unless `quirks` is set.
    """
    predicted, expected = (
        read_content(prediction, quirks=quirks),
        read_content(label, quirks=quirks),
    )
    mismatches = list(_deck_mismatches(prediction, label))
    for index, (actual, target) in enumerate(zip(predicted, expected, strict=False)):
        mismatches += _differences(index, "", target.attributes, actual.attributes)
        if quirks:
            orders = [
                " ".join(content.kind for content in side.objects) for side in (target, actual)
            ]
            mismatches += _differences(index, "", [("order", orders[0])], [("order", orders[1])])
        pairs, missing, extra = _pair(target.objects, actual.objects)
        for one, other in pairs:
            mismatches += _differences(index, one.label, one.attributes, other.attributes)
        mismatches += [
            Mismatch(index, content.label, "missing", content.label, "") for content in missing
        ]
        mismatches += [
            Mismatch(index, content.label, "extra", "", content.label) for content in extra
        ]
    return tuple(mismatches)


def compare_geometry(prediction: Deck, label: Deck, tolerance_emu: int) -> tuple[Mismatch, ...]:
    """Return objects whose position, size or picture file differs from the label.

    Args:
        prediction: The deck to judge.
        label: The deck to compare with.
        tolerance_emu: Largest ignored difference in EMU of left, top, width and height each.
    """
    mismatches: list[Mismatch] = []
    predicted, expected = read_content(prediction), read_content(label)
    for index, (actual, target) in enumerate(zip(predicted, expected, strict=False)):
        pairs, _, _ = _pair(target.objects, actual.objects)
        for one, other in pairs:
            mismatches += _geometry(index, one, other, tolerance_emu)
    return tuple(mismatches)


def _deck_mismatches(prediction: Deck, label: Deck) -> Iterator[Mismatch]:
    counts = len(label.slides), len(prediction.slides)
    if counts[0] != counts[1]:
        yield Mismatch(None, "", "number of slides", str(counts[0]), str(counts[1]))
    sizes = [f"{deck.width_emu} x {deck.height_emu} EMU" for deck in (label, prediction)]
    if sizes[0] != sizes[1]:
        yield Mismatch(None, "", "slide size", sizes[0], sizes[1])


def _differences(
    slide: int, label: str, expected: Sequence[tuple[str, str]], actual: Iterable[tuple[str, str]]
) -> list[Mismatch]:
    values = dict(actual)
    return [
        Mismatch(slide, label, name, value, values.get(name, ""))
        for name, value in expected
        if values.get(name, "") != value
    ]


def _pair(
    expected: Sequence[ObjectContent], actual: Sequence[ObjectContent]
) -> tuple[list[Pair], list[ObjectContent], list[ObjectContent]]:
    """Return pairs of the same type and the unpaired objects of both sides; equal ones first."""
    equal, expected, actual = _pair_by(
        lambda content: (content.kind, content.attributes), expected, actual
    )
    similar, expected, actual = _pair_by(lambda content: content.kind, expected, actual)
    return equal + similar, list(expected), list(actual)


def _pair_by(
    key: Callable[[ObjectContent], object],
    expected: Sequence[ObjectContent],
    actual: Sequence[ObjectContent],
) -> tuple[list[Pair], Sequence[ObjectContent], Sequence[ObjectContent]]:
    unpaired: defaultdict[object, deque[ObjectContent]] = defaultdict(deque)
    for content in actual:
        unpaired[key(content)].append(content)
    pairs = [
        (content, unpaired[key(content)].popleft())
        for content in expected
        if unpaired[key(content)]
    ]
    paired_ids = {id(content) for pair in pairs for content in pair}
    missing = [content for content in expected if id(content) not in paired_ids]
    return pairs, missing, [content for content in actual if id(content) not in paired_ids]


def _geometry(
    slide: int, expected: ObjectContent, actual: ObjectContent, tolerance_emu: int
) -> Iterator[Mismatch]:
    target, current = expected.shape, actual.shape
    for side in ("left", "top", "width", "height"):
        expected_value, actual_value = getattr(target.box, side), getattr(current.box, side)
        if abs(expected_value - actual_value) > tolerance_emu:
            yield Mismatch(
                slide, expected.label, side, f"{expected_value} EMU", f"{actual_value} EMU"
            )
    flips = [f"{box.flip_h} {box.flip_v}" for box in (target.box, current.box)]
    if flips[0] != flips[1]:
        yield Mismatch(slide, expected.label, "flip", flips[0], flips[1])
    if target.picture and current.picture and target.picture.sha256 != current.picture.sha256:
        expected_value, actual_value = target.picture.sha256[:12], current.picture.sha256[:12]
        yield Mismatch(slide, expected.label, "picture", expected_value, actual_value)


def _short(text: str) -> str:
    return repr(text if len(text) <= _MAX_VALUE_CHARS else text[: _MAX_VALUE_CHARS - 3] + "...")
