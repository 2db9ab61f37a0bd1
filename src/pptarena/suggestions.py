"""Messages for unknown names: similar names first, then a few others."""

import difflib
from collections.abc import Iterable

__all__ = ["MAX_LISTED", "not_found", "similar_names"]

MAX_LISTED = 5
"""Maximum number of names in a message; more would hide the suggestion."""

_MAX_SIMILAR = 3
_CUTOFF = 0.55
_SHORTEST_PART = 3


def similar_names(name: str, candidates: Iterable[str]) -> list[str]:
    """Return up to three similar names, ignoring case, most similar first.

    Args:
        name: The unknown name.
        candidates: The known names.
    """
    names = {each.casefold(): each for each in candidates}
    target = name.strip().casefold()
    # A short fragment such as "uitars" is too dissimilar to long names for `difflib`.
    close = [each for each in names if target in each] if len(target) >= _SHORTEST_PART else []
    close.sort(key=len)
    close += difflib.get_close_matches(target, names, n=_MAX_SIMILAR, cutoff=_CUTOFF)
    return [names[each] for each in dict.fromkeys(close)][:_MAX_SIMILAR]


def not_found(kind: str, name: object, candidates: Iterable[str], hint: str = "") -> str:
    """Return the message for an unknown name.

    Args:
        kind: Type of the named object, such as ``"suite"``.
        name: The unknown name.
        candidates: The known names, in listing order.
        hint: A further sentence, such as other accepted values or a command that lists all names.

    Example:
        >>> not_found("suite", "benchh", ["bench", "starter"])
        "suite 'benchh' not found. Did you mean 'bench'? Others: starter."
    """
    names = list(dict.fromkeys(candidates))
    similar = similar_names(str(name), names)
    others = [other for other in names if other not in similar]
    listed = others[: MAX_LISTED - len(similar)]
    remainder = f" and {len(others) - len(listed)} more" if len(others) > len(listed) else ""
    parts = [f"{kind} {name!r} not found."]
    if similar:
        parts.append(f"Did you mean {' or '.join(map(repr, similar))}?")
    if listed:
        parts.append(f"{'Others' if similar else 'Available'}: {', '.join(listed)}{remainder}.")
    return " ".join([*parts, *([hint] if hint else [])])
