"""What looks at pictures of slides, for commands that score decks without an environment."""

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pptarena.rewards.looks import Looker

__all__ = ["office_looker"]


def office_looker() -> "Looker":
    """Return what makes the look at an original and the deck now, drawn by the image's application.

    Raises:
        ImageError: If there is no image.
    """
    from pptarena.rewards.looks import Looks
    from pptarena.vm_images.image import require_image
    from pptarena.vm_images.warm_renderer import shared_renderer

    require_image()
    return partial(Looks, shared_renderer())
