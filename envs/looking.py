"""Looking at an episode's end: pictures of its slides, drawn on the host."""

import logging
from collections.abc import Callable

from pptarena.errors import HostError, ImageError, MachineError, UnscoredError
from pptarena.rewards.looks import Looks
from pptarena.vm_images.image import find_image
from pptarena.vm_images.warm_renderer import shared_renderer

__all__ = ["can_look", "looks_of", "make_ready"]

_log = logging.getLogger(__name__)


def can_look() -> bool:
    """Return whether slides can be drawn here; a warning says why not."""
    try:
        found = find_image() is not None
    except ImageError as error:
        _log.warning("final scores rest on facts alone: %s", error)
        return False
    if not found:
        _log.warning("final scores rest on facts alone: no image; build it: pptarena image build")
    return found


def make_ready() -> None:
    """Let what draws start while the episode is played; if it cannot, the look will say so."""
    try:
        shared_renderer().start()
    except (HostError, ImageError) as error:
        _log.warning("slides cannot be drawn: %s", error)


def looks_of(original: Callable[[], bytes], current: bytes) -> Looks:
    """Return what looks at a pair of decks.

    Args:
        original: Returns the .pptx file as the application saves it unchanged.
        current: The .pptx file now.

    Raises:
        MachineError: If the original's file is gone.
    """
    try:
        return Looks(shared_renderer(), original(), current)
    except UnscoredError as error:
        raise MachineError(f"the slides cannot be looked at: {error}") from error
