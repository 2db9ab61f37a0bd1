"""What saves a document before it is scored."""

from dataclasses import dataclass
from importlib.metadata import version

from pptarena.decks.package.parts import DeckFile, file_bytes
from pptarena.errors import DeckError, HostError, ImageError, MachineError
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office_saver import OfficeSaver

__all__ = ["Saver"]


@dataclass(frozen=True, slots=True)
class Saver:
    """Saves as it is, or as the office application of the machine image does.

    Attributes:
        office: Whether the application saves.
        version: Name of what saves.
    """

    office: bool
    version: str

    @classmethod
    def of(cls, baseline: str) -> "Saver":
        """Return what saves for a setting, ``"document"`` or ``"application"``.

        Raises:
            ImageError: If the application is asked for and there is no image.
        """
        if baseline == "application":
            return cls(True, f"saved by the application of image {require_image().hash}")
        return cls(False, f"document of python-pptx {version('python-pptx')}")

    def save(self, deck: DeckFile) -> DeckFile:
        """Return a deck as it is saved.

        Raises:
            DeckError: If the application refuses it.
            MachineError: If the application fails.
        """
        if not self.office:
            return deck
        try:
            return OfficeSaver().save(file_bytes(deck))
        except DeckError:
            raise
        except (HostError, ImageError) as error:
            raise MachineError(f"the deck cannot be saved: {error}") from error
