"""Consistency checks of decks defined as data, such as agenda against chapters, and totals."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from tools.decks.deck_text import Block, DeckText, SlideText

__all__ = ["contradictions"]


def contradictions(text: DeckText) -> list[str]:
    """Return the contradictions in a deck, one sentence each."""
    return [*_agenda(text), *_totals(text), *_titles(text), *_braces(text), *_sources(text)]


def _agenda(text: DeckText) -> Iterator[str]:
    chapters = [slide.title for slide in text.slides if slide.layout == "section"]
    agendas = [slide for slide in text.slides if slide.title == text.agenda]
    if not chapters:
        return
    if len(agendas) != 1:
        yield f"expected one slide {text.agenda!r}, got {len(agendas)}"
        return
    listed = [item for item in agendas[0].body[0] if not item.startswith(">")]
    if listed != chapters:
        yield f"the agenda names {listed}, the chapters are {chapters}"


def _totals(text: DeckText) -> Iterator[str]:
    """Check tables with `total`: the last row is the sum of the rows below the header."""
    for table in text.tables():
        if not table.fields.get("total"):
            continue
        header, *rows = table.fields["rows"]
        for column in range(1, len(header)):
            try:
                *parts, total = (Decimal(str(row[column]).replace(",", "")) for row in rows)
            except InvalidOperation:
                yield f"{table.name}: column {header[column]!r} has a cell that is not a number"
                continue
            if sum(parts) != total:
                name = header[column]
                yield f"{table.name}: column {name!r} adds up to {sum(parts)}, not {total}"


def _titles(text: DeckText) -> Iterator[str]:
    titles = [slide.title for slide in text.slides]
    for title in sorted({title for title in titles if titles.count(title) > 1}):
        yield f"two slides have the title {title!r}"


def _sources(text: DeckText) -> Iterator[str]:
    """Compare the numbers in brackets with those in the lists of sources."""
    listed = [
        int(match[1])
        for slide in text.slides
        if slide.title in text.sources
        for line in slide.body[0]
        if (match := re.match(r"\[(\d+)\]", line))
    ]
    if listed != list(range(1, len(listed) + 1)):
        yield f"the sources are numbered {listed}"
    cited = {
        int(number)
        for slide in text.slides
        if slide.title not in text.sources
        for line in _texts(slide)
        for numbers in re.findall(r"\[(\d+(?:, \d+)*)\]", line)
        for number in numbers.split(", ")
    }
    if text.sources and cited != set(listed):
        yield f"{sorted(cited.symmetric_difference(listed))}: cited or listed, but not both"


def _texts(slide: SlideText) -> list[str]:
    texts = [slide.title, slide.notes, *(item for body in slide.body for item in body)]
    return texts + [line for block in slide.blocks for line in _lines(block)]


def _braces(text: DeckText) -> Iterator[str]:
    """Find names in braces without a fact."""
    for number, slide in enumerate(text.slides, start=1):
        for line in _texts(slide):
            if "{" in line:
                yield f"slide {number}: no fact has the name in braces in {line!r}"


def _lines(block: Block) -> list[str]:
    fields = block.fields
    return [
        str(fields.get("text", "")),
        str(fields.get("caption", "")),
        *map(str, fields.get("texts", ())),
    ]
