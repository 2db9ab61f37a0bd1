"""Messages for unknown names: similar names first, then a few others."""

import difflib
from collections.abc import Iterable

__all__ = ["MAX_LISTED", "not_found", "similar_names"]

MAX_LISTED = 5
"""Maximum number of names in a message; more would hide the suggestion."""

_MAX_SIMILAR = 3
_CUTOFF = 0.55
_SHORTEST_PART = 3


def similar_names(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three similar names, ignoring case, most similar first.

    Args:
        name: The unknown name.
        known: The known names.
    """
    names = {each.casefold(): each for each in known}
    wanted = name.strip().casefold()
    # A short fragment such as "uitars" is too dissimilar to long names for `difflib`.
    close = [each for each in names if wanted in each] if len(wanted) >= _SHORTEST_PART else []
    close.sort(key=len)
    close += difflib.get_close_matches(wanted, names, n=_MAX_SIMILAR, cutoff=_CUTOFF)
    return [names[each] for each in dict.fromkeys(close)][:_MAX_SIMILAR]


def not_found(what: str, name: object, known: Iterable[str], more: str = "") -> str:
    """Return the message for an unknown name.

    Args:
        what: Type of the named object, such as ``"suite"``.
        name: The unknown name.
        known: The known names, in listing order.
        more: A further sentence, such as other accepted values or a command that lists all names.

    Example:
        >>> not_found("suite", "benchh", ["bench", "starter"])
        "suite 'benchh' not found. Did you mean 'bench'? Others: starter."
    """
    names = list(dict.fromkeys(known))
    similar = similar_names(str(name), names)
    others = [each for each in names if each not in similar]
    shown = others[: MAX_LISTED - len(similar)]
    left = f" and {len(others) - len(shown)} more" if len(others) > len(shown) else ""
    parts = [f"{what} {name!r} not found."]
    if similar:
        parts.append(f"Did you mean {' or '.join(map(repr, similar))}?")
    if shown:
        parts.append(f"{'Others' if similar else 'Available'}: {', '.join(shown)}{left}.")
    return " ".join([*parts, *([more] if more else [])])
