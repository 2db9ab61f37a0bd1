"""Typefaces that count as the same."""

__all__ = ["font_key", "same_font"]

# LibreOffice has the first of each pair and writes the second, which has letters as wide.
_TWINS = {
    "carlito": "calibri",
    "caladea": "cambria",
    "liberation serif": "times new roman",
    "liberation sans": "arial",
    "liberation sans narrow": "arial narrow",
    "liberation mono": "courier new",
}


def font_key(name: str) -> str:
    """Return what typefaces of the same measures have in common: a name in small letters."""
    folded = " ".join(name.casefold().split())
    return _TWINS.get(folded, folded)


def same_font(first: str, second: str) -> bool:
    """Return whether two names mean one typeface, or two whose letters have the same measures."""
    return font_key(first) == font_key(second)
