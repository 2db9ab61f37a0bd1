"""Differences in content that is compared by location and digest only."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from pptarena.decks.diff.change import Difference

__all__ = ["fingerprint_differences"]

_Fingerprint = Sequence[tuple[str, str]]


def fingerprint_differences(before: _Fingerprint, after: _Fingerprint) -> Iterator[Difference]:
    """Yield one difference per location whose digests differ.

    Args:
        before: Pairs of location and digest; a location may occur several times.
        after: The same pairs of the current deck.
    """
    if before == after:
        return
    old, new = _by_place(before), _by_place(after)
    for place in sorted({*old, *new}):
        was, now = old.get(place, ()), new.get(place, ())
        if was != now:
            yield Difference.of("other", place, was, now, _short)


def _by_place(fingerprint: _Fingerprint) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for place, digest in fingerprint:
        found[place].append(digest)
    return {place: tuple(sorted(digests)) for place, digests in found.items()}


def _short(digests: tuple[str, ...]) -> str:
    return ", ".join(digest[:8] for digest in digests)
