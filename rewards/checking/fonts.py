"""Fonts that count as equal."""

__all__ = ["font_key", "same_font"]

# LibreOffice has the first font of each pair and writes the metric-compatible second one.
_TWINS = {
    "carlito": "calibri",
    "caladea": "cambria",
    "liberation serif": "times new roman",
    "liberation sans": "arial",
    "liberation sans narrow": "arial narrow",
    "liberation mono": "courier new",
}


def font_key(name: str) -> str:
    """Return a key that is equal for metric-compatible fonts."""
    folded = " ".join(name.casefold().split())
    return _TWINS.get(folded, folded)


def same_font(first: str, second: str) -> bool:
    """Return whether two names denote the same font or metric-compatible fonts."""
    return font_key(first) == font_key(second)
