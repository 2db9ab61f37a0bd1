"""Loss by a restricted slide show: skipped slides are lost like hidden ones."""

from collections.abc import Iterable, Iterator

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.read.deck_facts import CUSTOM_SHOW

__all__ = ["is_harmless_show_change", "show_loss"]

_SKIPPED = 0.9  # equals the loss of a hidden slide
_CURTAILED = 0.5
_RANGE = "slides"


def show_loss(match: DeckMatch, outside: Iterable[Change]) -> float:
    """Return the share of a deck lost to a restricted show, in [0, 1].

    A show restricted to a range loses at least half of the deck. LibreOffice rewrites the end of
    the range when saving, so the number of shown slides cannot be read from its files.
    """
    if not any(each.kind == "show_changed" and each.what == _RANGE for each in outside):
        return 0.0
    deck = match.current
    if _RANGE not in dict(deck.show):
        return 0.0  # the entire deck is shown now
    count = len(deck.slides)
    left = set(range(1, count + 1)) - _shown(deck)
    return max(_CURTAILED, _SKIPPED * len(left) / max(1, count))


def is_harmless_show_change(change: Change, match: DeckMatch) -> bool:
    """Return whether a show only gained looping and all its slides advance automatically."""
    if change.kind != "show_changed" or change.what != "loop":
        return False
    shown = [slide for slide in match.current.slides if not slide.hidden]
    return bool(shown) and all(each.transition.advance_after_sec is not None for each in shown)


def _shown(deck: Deck) -> set[int]:
    """Return the 1-based positions of the slides that the show may contain."""
    show = dict(deck.show)
    first, _, last = show[_RANGE].partition("-")
    if first.isdecimal() and last.isdecimal():
        return set(range(int(first), min(int(last), len(deck.slides)) + 1))
    return {number for name, text in show.items() for number in _numbers(name, text)}


def _numbers(name: str, text: str) -> Iterator[int]:
    if name.startswith(CUSTOM_SHOW):
        yield from (int(each) for each in text.split() if each.isdecimal())
