"""Save decks with an office application that stays open between decks."""

from collections.abc import Sequence

from pptarena.errors import DeckError, HostError, MachineError
from pptarena.vm_images.warm_office import WarmOffice

__all__ = ["WarmSaver"]


class WarmSaver(WarmOffice):
    """Opens decks in the image's office application, which is started only once, and saves them.

    It replaces `OfficeSaver` where many different decks are saved: nothing is stored on the disk.

    Args:
        timeout_sec: Timeout for one deck, without the start.
        start_sec: Timeout for the start.
        decks_per_start: Number of decks after which the application is restarted.

    Raises:
        ConfigError: If a number is not positive.
    """

    def __init__(
        self, *, timeout_sec: float = 60.0, start_sec: float = 60.0, decks_per_start: int = 400
    ) -> None:
        super().__init__(
            "save_decks",
            (),
            "saved",
            timeout_sec=timeout_sec,
            start_sec=start_sec,
            decks_per_start=decks_per_start,
        )

    def save_all(self, decks: Sequence[bytes]) -> tuple[bytes | DeckError | MachineError, ...]:
        """Save decks, one after the other.

        Returns:
            For each deck the saved one, or why there is none.

        Raises:
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
        """
        return tuple(self._saved(deck) for deck in decks)

    def _saved(self, deck: bytes) -> bytes | DeckError | MachineError:
        try:
            return self.answer(deck)
        except HostError:
            raise
        except (DeckError, MachineError) as error:
            return error
