"""Facts of slides and masters, used again for every deck in which they must be the same.

Most of a deck does not change from one save to the next. While a slide is read, its `Package` notes
every question that it is asked (the content of a part, whether a part is there, the number of a
slide) with the answer. The facts are a function of those answers, so they are the facts of any
other deck that answers every one of these questions alike. Content is compared by its sha256.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pptarena.decks.package.dependencies import Seen
from pptarena.decks.package.package import Package
from pptarena.decks.read.recent import Recent

__all__ = ["forget", "reused"]

# In tags and attributes: eight decks of 40 slides with 2 MB of facts each, 200 MB at the worst.
_MAX_KEPT = 600_000
# What else weighs: notes about facts, and what shapes have though files leave it out.
_BASE_WEIGHT = 50
_SHAPE_WEIGHT = 20
# Of one part in one state, with other parts that it depends on in different states.
_MAX_VARIANTS = 4

_T = TypeVar("_T")
_Variants = tuple[tuple[Seen, Any, int], ...]

_kept: Recent[Hashable, _Variants] = Recent(_MAX_KEPT)


def reused(
    package: Package,
    key: Hashable,
    part: str,
    make: Callable[[], _T],
    shapes: Callable[[_T], int],
) -> _T:
    """Return what `make` returns, or what it returned for another deck that is alike in all of it.

    Args:
        package: The file; `make` learns of the deck by asking it and by nothing else.
        key: What else the result depends on.
        part: Name of the part that it depends on most.
        make: Reads the facts; they must never be changed.
        shapes: Returns how many shapes the facts are about, for how much room they take.
    """
    full_key = (key, part, package.markup_token(part))
    variants = _kept.get(full_key) or ()
    for seen, value, _ in variants:
        if package.answers_alike(seen):
            package.use_again(seen)
            return value  # type: ignore[no-any-return]
    with package.watch() as seen:
        made = make()
    # Parts may have been left out for lack of budget; the reader reports that at its end.
    package.check_budget()
    weight = seen.own_cost + _SHAPE_WEIGHT * shapes(made) + _BASE_WEIGHT
    kept = ((seen, made, weight), *variants)[:_MAX_VARIANTS]
    _kept.put(full_key, kept, sum(each for _, _, each in kept))
    return made


def forget() -> None:
    """Forget all facts that were kept, as if the process had just begun."""
    _kept.clear()
