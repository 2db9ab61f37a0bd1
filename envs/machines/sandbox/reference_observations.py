"""How a fresh machine looks with a deck open, to compare one with that was used before."""

import hashlib
import threading

from pptarena.envs.machines.base import Observed

__all__ = ["ReferenceObservations"]

_MOST_LOOKS = 8


class ReferenceObservations:
    """Digests of first observations, by deck: every pixel, the whole tree, titles, clipboard.

    Machines of one image and one configuration may share them; all methods may be called from
    several threads. A computer short of processors may delay what an application draws last, so a
    deck may have several looks.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], dict[str, None]] = {}
        self._lock = threading.Lock()

    def keep(self, deck: bytes, name: str, observed: Observed) -> None:
        """Remember the first observation of a fresh machine."""
        digest = _digest(observed)
        with self._lock:
            looks = self._kept.setdefault(_key(deck, name), {})
            looks.pop(digest, None)
            looks[digest] = None
            if len(looks) > _MOST_LOOKS:
                del looks[next(iter(looks))]

    def knows(self, deck: bytes, name: str) -> bool:
        """Return whether the look of a deck is known."""
        return _key(deck, name) in self._kept

    def same(self, deck: bytes, name: str, observed: Observed) -> bool:
        """Return whether an observation is one that a fresh machine gave."""
        digest = _digest(observed)
        with self._lock:
            return digest in self._kept.get(_key(deck, name), {})


def _key(deck: bytes, name: str) -> tuple[str, str]:
    return hashlib.sha256(deck).hexdigest(), name


def _digest(observed: Observed) -> str:
    document = observed.document
    nodes = [
        (node.parent, node.role, node.name, node.text, node.box, sorted(node.states))
        for node in observed.tree.nodes
    ]
    # The revision counts on; what it counts is not to be seen.
    state = (document.open, document.editing, document.slide, document.slide_count)
    facts = (nodes, observed.tree.degraded, observed.window_titles, observed.clipboard, state)
    whole = hashlib.sha256(repr(facts).encode("utf-8", "replace"))
    whole.update(observed.screenshot.tobytes())
    return whole.hexdigest()
