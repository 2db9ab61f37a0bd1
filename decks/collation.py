"""The order of words: natural and without accents, and as other languages sort them."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from natsort import natsort_keygen

from pptarena.decks.text_match import folded

__all__ = ["word_orders"]

_LAST = "\uffff"  # sorts after every letter, and means nothing to natsort
# Letters that are sorted after Z, and their order there.
_SWEDISH = {"å": "a", "ä": "b", "æ": "b", "ö": "c", "ø": "c"}
_DANISH = {"æ": "a", "ä": "a", "ø": "b", "ö": "b", "å": "c"}
_NORDIC = frozenset("åæø")
# Letters of languages that sort accented letters after their plain ones.
_TELLING = frozenset("ñąęćśźżńłčřšžěůďťňőűğşı")
_PLAIN = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}

_natural = natsort_keygen()


def word_orders(texts: Iterable[str]) -> Iterator[Callable[[str], Any]]:
    """Yield functions that return what a text sorts by.

    The first one is for most languages: numbers within words count by their values, and accents
    make no difference. Others follow for languages that have letters of the texts: for
    Swedish, Finnish, Danish and Norwegian, where some letters come after Z, and for Spanish,
    Polish, Czech and others, where an accented letter comes after the plain one.

    Args:
        texts: All texts to find the language by.
    """
    accented = (text.casefold() for text in texts if not text.isascii())
    letters = {letter for text in accented for letter in unicodedata.normalize("NFC", text)}
    yield partial(_key, places={}, own=False)
    if letters & _NORDIC:
        yield partial(_key, places=_SWEDISH, own=False)
        yield partial(_key, places=_DANISH, own=False)
    if letters & _TELLING:
        yield partial(_key, places={}, own=True)


def _key(text: str, places: Mapping[str, str], own: bool) -> Any:
    plain = unicodedata.normalize("NFKC", folded(text))
    return _natural("".join(_sorting(letter, places, own) for letter in plain))


def _sorting(letter: str, places: Mapping[str, str], own: bool) -> str:
    if letter in places:
        return f"z{_LAST}{places[letter]}"
    base, *marks = tuple(unicodedata.normalize("NFD", letter))
    # Marks of class 0 are vowels of Indian scripts, not accents.
    marks = [mark for mark in marks if not unicodedata.combining(mark)]
    plain = "".join([_PLAIN.get(base, base), *marks])
    return f"{plain}{_LAST}" if own and plain != unicodedata.normalize("NFD", letter) else plain
