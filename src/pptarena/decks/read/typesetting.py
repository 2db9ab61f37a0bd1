"""Split the texts of a paragraph by typeface."""

from collections.abc import Iterator, Sequence
from typing import cast

from pptarena.decks.read.text_values import RunValues
from pptarena.decks.read.theme import Theme
from pptarena.decks.typefaces import Script, script_spans

__all__ = ["typeset"]

_Piece = tuple[str, RunValues]


def typeset(pieces: Sequence[_Piece], theme: Theme) -> list[list[_Piece]]:
    """Return, for each text of a paragraph, its parts with one typeface each.

    Args:
        pieces: The texts in order, with their values.
        theme: Theme used to resolve typefaces.

    Returns:
        Lists in the order of `pieces`; in the values of each part, ``font`` is the typeface that
        its characters use.
    """
    joined = "".join([text for text, _ in pieces])
    spans = script_spans(joined)
    # Adjacent spans differ in script, so Latin text is a single span.
    if not spans or spans[0] == ("latin", 0, len(joined)):
        return [[piece] for piece in pieces]
    texts: dict[Script, str] = {}
    for script, start, end in spans:
        texts[script] = texts.get(script, "") + joined[start:end]
    found: list[list[_Piece]] = []
    at = 0
    for text, values in pieces:
        parts = []
        for script, start, end in _within(spans, at, at + len(text)):
            part = joined[start:end]
            parts.append((part, _with_font(values, script, texts[script], theme)))
        found.append(parts)
        at += len(text)
    return found


def _within(
    spans: Sequence[tuple[Script, int, int]], first: int, last: int
) -> Iterator[tuple[Script, int, int]]:
    for script, start, end in spans:
        if start < last and first < end:
            yield script, max(start, first), min(end, last)


def _with_font(values: RunValues, script: Script, text: str, theme: Theme) -> RunValues:
    if script == "latin":
        return values
    own = values.get("font_ea") if script == "ea" else values.get("font_cs")
    typeface = f"+mn-{script}" if own is None else own
    font = theme.font_of(typeface, text, values.get("language", ""))
    return cast(RunValues, {**values, "font": font})
