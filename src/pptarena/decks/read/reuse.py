"""Reuse facts of slides and masters between decks.

Most of a deck does not change from one save to the next. While a slide is read, its `Package`
records every lookup (content of a part, existence of a part, number of a slide) and the answer. The
facts are a function of these answers, so they are valid for any other deck with the same answers.
Content is compared by SHA-256.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pptarena.decks.package.dependencies import Seen
from pptarena.decks.package.package import Package
from pptarena.decks.read.recent import Recent

__all__ = ["forget", "reused"]

# In tags and attributes: eight decks of 40 slides with 2 MB of facts each, at most 200 MB.
_MAX_KEPT = 600_000
# Weight of lookup records, and of shape fields that have no markup in the file.
_BASE_WEIGHT = 50
_SHAPE_WEIGHT = 20
# Cached results for one part content with different contents of other parts.
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
    """Return the result of `make`, cached between decks with equal answers to its lookups.

    Args:
        package: The file; `make` must get all its information from it.
        key: Everything else that the result depends on.
        part: Name of the main part.
        make: Reads the facts; callers must not modify them.
        shapes: Returns the number of shapes in the facts, used to estimate their size.
    """
    full_key = (key, part, package.markup_token(part))
    variants = _kept.get(full_key) or ()
    for seen, value, _ in variants:
        if package.answers_alike(seen):
            package.use_again(seen)
            return value  # type: ignore[no-any-return]
    with package.watch() as seen:
        made = make()
    # Raises if parts were skipped for lack of budget, so incomplete facts are not cached.
    package.check_budget()
    weight = seen.own_cost + _SHAPE_WEIGHT * shapes(made) + _BASE_WEIGHT
    kept = ((seen, made, weight), *variants)[:_MAX_VARIANTS]
    _kept.put(full_key, kept, sum(each for _, _, each in kept))
    return made


def forget() -> None:
    """Remove all cached facts."""
    _kept.clear()
