"""How a document is saved before it is scored."""

from dataclasses import dataclass
from importlib.metadata import version

from pptarena.decks.package.files import DeckFile, file_bytes
from pptarena.errors import DeckError, HostError, ImageError, MachineError
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office import shared_office

__all__ = ["Saver"]


@dataclass(frozen=True, slots=True)
class Saver:
    """Saves a document unchanged, or with the office application of the machine image.

    Attributes:
        office: Whether the application saves.
        version: Name of the program that saves.
    """

    office: bool
    version: str

    @classmethod
    def of(cls, baseline: str) -> "Saver":
        """Return the saver for a setting, ``"document"`` or ``"application"``.

        Raises:
            ImageError: If the application is requested without a machine image.
        """
        if baseline == "application":
            return cls(True, f"saved by the application of image {require_image().hash}")
        return cls(False, f"document of python-pptx {version('python-pptx')}")

    def save(self, deck: DeckFile) -> DeckFile:
        """Return the saved deck.

        Raises:
            DeckError: If the application refuses the deck.
            MachineError: If the application fails.
        """
        if not self.office:
            return deck
        try:
            return shared_office().save(file_bytes(deck))
        except DeckError:
            raise
        except (HostError, ImageError) as error:
            raise MachineError(f"the deck cannot be saved: {error}") from error
