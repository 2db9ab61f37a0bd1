"""The arguments of a vector environment's reset."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["reset_mask", "seeds_of", "without_mask"]

_KEY = "reset_mask"


def seeds_of(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Return one seed for each of `count` sub-environments.

    Raises:
        ValueError: If a list has another length.
    """
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        return [int(seed) + number for number in range(count)]
    if len(seed) != count:
        raise ValueError(f"expected {count} seeds, one for each sub-environment, got {len(seed)}")
    return list(seed)


def reset_mask(options: dict[str, Any] | None, count: int) -> NDArray[np.bool_]:
    """Return which sub-environments to reset: those of ``options["reset_mask"]``, else all.

    Raises:
        TypeError: If it is no bool array.
        ValueError: If it has another shape than ``(count,)``, or holds no True.
    """
    if options is None or _KEY not in options:
        return np.ones(count, np.bool_)
    mask = options[_KEY]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(
            f"expected options['{_KEY}'] to be a numpy array of bool, got {type(mask).__name__} "
            f"{getattr(mask, 'dtype', '')}"
        )
    if mask.shape != (count,):
        raise ValueError(f"expected options['{_KEY}'] of shape ({count},), got {mask.shape}")
    if not mask.any():
        raise ValueError(f"expected options['{_KEY}'] to hold a True, got {mask}")
    return mask.copy()


def without_mask(options: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the options that the sub-environments get."""
    if options is None:
        return None
    return {name: value for name, value in options.items() if name != _KEY}
