"""What pictures of slides are asked of."""

from typing import Protocol

__all__ = ["PictureMaker"]


class PictureMaker(Protocol):
    """Draws slides; `pptarena.vm_images.warm_renderer.WarmRenderer` is one."""

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, in the order of the show.

        Raises:
            DeckError: If the deck is refused.
            MachineError: If it cannot be drawn for another reason.
        """
        ...
