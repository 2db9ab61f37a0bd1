"""Compare transitions by their visible effect, across dialects."""

from typing import Final

from pptarena.decks.facts.motion import Transition

__all__ = ["same_entrance"]

_SLACK_SEC: Final = 0.5
_SYNONYMS: Final = {"uncover": "pull"}
# PowerPoint offers both as one effect, so both satisfy a request by name.
_FREE: Final = frozenset(("thruBlk=1", "thruBlk=0"))


def same_entrance(first: Transition, second: Transition) -> bool:
    """Return whether two transitions look alike; durations may differ by half a second."""
    if first == second:
        return True
    kinds = [_SYNONYMS.get(each.type.casefold(), each.type.casefold()) for each in (first, second)]
    variants = [frozenset(each.variant.split()) - _FREE for each in (first, second)]
    rest = [(each.on_click, each.advance_after_sec, each.sound) for each in (first, second)]
    if kinds[0] != kinds[1] or variants[0] != variants[1] or rest[0] != rest[1]:
        return False
    times = first.duration_sec, second.duration_sec
    return None in times or abs((times[0] or 0) - (times[1] or 0)) <= _SLACK_SEC
