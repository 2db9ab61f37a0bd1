"""Reference observations of fresh machines, to compare reused ones with."""

import hashlib
import logging

from pptarena.envs.machines.base import Observed

__all__ = ["ReferenceObservations"]

_log = logging.getLogger(__name__)


class ReferenceObservations:
    """Digests of first observations by deck: every pixel, the whole tree, titles, clipboard.

    Machines with the same image and configuration can share them; all methods are thread-safe.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], str] = {}

    def keep(self, deck: bytes, name: str, observed: Observed) -> None:
        """Store the first observation of a fresh machine, replacing an earlier one."""
        key, digest = _key(deck, name), _digest(observed)
        if self._kept.get(key, digest) != digest:
            _log.warning("two fresh machines do not look alike with the deck %s", name)
        self._kept[key] = digest

    def knows(self, deck: bytes, name: str) -> bool:
        """Return whether there is a reference for a deck."""
        return _key(deck, name) in self._kept

    def same(self, deck: bytes, name: str, observed: Observed) -> bool:
        """Return whether an observation equals that of a fresh machine."""
        return self._kept.get(_key(deck, name)) == _digest(observed)


def _key(deck: bytes, name: str) -> tuple[str, str]:
    return hashlib.sha256(deck).hexdigest(), name


def _digest(observed: Observed) -> str:
    document = observed.document
    nodes = [
        (node.parent, node.role, node.name, node.text, node.box, sorted(node.states))
        for node in observed.tree.nodes
    ]
    # Without the revision, which keeps counting and is not visible.
    state = (document.open, document.editing, document.slide, document.slide_count)
    facts = (nodes, observed.tree.degraded, observed.window_titles, observed.clipboard, state)
    whole = hashlib.sha256(repr(facts).encode("utf-8", "replace"))
    whole.update(observed.screenshot.tobytes())
    return whole.hexdigest()
