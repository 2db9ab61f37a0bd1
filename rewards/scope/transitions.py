"""Whether one slide comes in as another one does."""

from dataclasses import replace
from typing import Final

from pptarena.decks import Transition
from pptarena.decks.diff.motion import same_transition

__all__ = ["alike_transition"]

_SLACK_SEC: Final = 0.5


def alike_transition(model: Transition, found: Transition) -> bool:
    """Return whether all that transitions say is the same; a viewer tells no half seconds apart."""
    both = model.duration_sec, found.duration_sec
    if None not in both and abs((both[0] or 0) - (both[1] or 0)) <= _SLACK_SEC:
        found = replace(found, duration_sec=model.duration_sec)
    return same_transition(model, found)
