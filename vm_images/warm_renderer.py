"""Render slides with an office application that stays open between decks."""

import functools

from pptarena.errors import ConfigError
from pptarena.vm_images.office_renderer import split_pictures
from pptarena.vm_images.warm_office import WarmOffice

__all__ = ["WarmRenderer", "shared_renderer"]


@functools.cache
def shared_renderer() -> "WarmRenderer":
    """Return the renderer that the process shares; it starts on first use."""
    return WarmRenderer()


class WarmRenderer(WarmOffice):
    """Renders slides as PNG in the image's office application, which is started only once.

    Args:
        width_px: Width of the pictures; their height follows from the slides.
        timeout_sec: Timeout for one deck, without the start.
        start_sec: Timeout for the start.
        max_slides: Decks with more slides are refused.
        decks_per_start: Number of decks after which the application is restarted.

    Raises:
        ConfigError: If a number is not positive.
    """

    def __init__(
        self,
        width_px: int = 640,
        *,
        timeout_sec: float = 30.0,
        start_sec: float = 60.0,
        max_slides: int = 600,
        decks_per_start: int = 200,
    ) -> None:
        if min(width_px, timeout_sec, start_sec, max_slides, decks_per_start) <= 0:
            raise ConfigError(
                "expected width_px, timeout_sec, start_sec, max_slides, decks_per_start above 0"
            )
        super().__init__(
            "picture_decks",
            (str(width_px), str(max_slides)),
            "rendered",
            timeout_sec=timeout_sec,
            start_sec=start_sec,
            decks_per_start=decks_per_start,
        )

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, hidden ones included, in the order of the show.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        return split_pictures(self.answer(deck))
