"""What a curtailed show takes: slides that it skips are lost like hidden ones."""

from collections.abc import Iterable, Iterator

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.read.deck_facts import CUSTOM_SHOW

__all__ = ["is_harmless_show_change", "show_loss"]

_SKIPPED = 0.9  # as much as a hidden slide loses
_CURTAILED = 0.5
_RANGE = "slides"


def show_loss(match: DeckMatch, outside: Iterable[Change]) -> float:
    """Return the share of a deck that a curtailed show takes, in [0, 1].

    A show that was set to some slides loses at least half of the deck: LibreOffice writes the end
    of a range anew as it saves, so its file cannot tell how many slides are left.
    """
    if not any(each.kind == "show_changed" and each.what == _RANGE for each in outside):
        return 0.0
    deck = match.current
    if _RANGE not in dict(deck.show):
        return 0.0  # the whole deck is shown now
    count = len(deck.slides)
    left = set(range(1, count + 1)) - _shown(deck)
    return max(_CURTAILED, _SKIPPED * len(left) / max(1, count))


def is_harmless_show_change(change: Change, match: DeckMatch) -> bool:
    """Return whether a show merely begins again after its end, and its slides run by themselves."""
    if change.kind != "show_changed" or change.what != "loop":
        return False
    shown = [slide for slide in match.current.slides if not slide.hidden]
    return bool(shown) and all(each.transition.advance_after_sec is not None for each in shown)


def _shown(deck: Deck) -> set[int]:
    """Return the positions, from 1, of the slides that the show may consist of."""
    show = dict(deck.show)
    first, _, last = show[_RANGE].partition("-")
    if first.isdecimal() and last.isdecimal():
        return set(range(int(first), min(int(last), len(deck.slides)) + 1))
    return {number for name, text in show.items() for number in _numbers(name, text)}


def _numbers(name: str, text: str) -> Iterator[int]:
    if name.startswith(CUSTOM_SHOW):
        yield from (int(each) for each in text.split() if each.isdecimal())
