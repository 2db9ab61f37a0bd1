"""Messages on names that are not known: the most similar ones first, then a few others."""

import difflib
from collections.abc import Iterable

__all__ = ["MAX_LISTED", "not_found", "similar_names"]

MAX_LISTED = 5
"""Most names that a message lists, so that the suggestion is not lost among them."""

_MAX_SIMILAR = 3
_CUTOFF = 0.55
_SHORTEST_PART = 3


def similar_names(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three names much like one, whatever their case, the most similar first.

    Args:
        name: The name that is not known.
        known: Those that are.
    """
    names = {each.casefold(): each for each in known}
    wanted = name.strip().casefold()
    # "uitars" is a part of longer names that differ from it by more than they share.
    close = [each for each in names if wanted in each] if len(wanted) >= _SHORTEST_PART else []
    close.sort(key=len)
    close += difflib.get_close_matches(wanted, names, n=_MAX_SIMILAR, cutoff=_CUTOFF)
    return [names[each] for each in dict.fromkeys(close)][:_MAX_SIMILAR]


def not_found(what: str, name: object, known: Iterable[str], more: str = "") -> str:
    """Return the message that a name is not known.

    Args:
        what: What it should be the name of, such as ``"suite"``.
        name: What was given.
        known: The names there are, in the order to list them.
        more: A sentence on what else may be given, or on where all names are listed.

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
