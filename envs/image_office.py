"""The office application of the machine image, for decks that come from elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pptarena.decks.saving.libreoffice import is_saved_by_libreoffice
from pptarena.errors import DeckError, MachineError
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office import Office, shared_saver

__all__ = ["ImageOffice", "image_office", "save_in_image", "saved_pair"]

_PACKAGE = "libreoffice-impress"


@dataclass(frozen=True, slots=True)
class ImageOffice:
    """An office application that saves decks. It stays open until the process ends.

    Attributes:
        image: Hash of the machine image.
        application: Version and image, as machines report them.
        save_all: Returns for each .pptx file the saved one, or why it could not be saved; see
            `Office.save_all`. A deck on which the application hangs costs a minute.
    """

    image: str
    application: str
    save_all: Callable[[Sequence[bytes]], Sequence[bytes | DeckError | MachineError]]


def image_office() -> ImageOffice:
    """Return the application of the image.

    Raises:
        ImageError: If there is no image.
    """
    image = require_image()
    version = image.versions.get(_PACKAGE, "")
    office = Office(timeout_sec=60.0, cached_results=0)
    return ImageOffice(image.hash, f"{version} image {image.hash}".strip(), office.save_all)


def save_in_image(file: bytes) -> bytes:
    """Return a .pptx file as the image's application saves it; results are cached on disk.

    Raises:
        DeckError: If the application refuses the file.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
        MachineError: If the application fails.
    """
    return shared_saver().save(file)


def saved_pair(original: bytes, current: bytes) -> tuple[bytes, bytes]:
    """Return two .pptx files as the image's application saves them; see `save_in_image`.

    Args:
        original: The deck before an edit.
        current: The deck after it; returned unchanged if LibreOffice saved it.
    """
    before = save_in_image(original)
    return before, current if is_saved_by_libreoffice(current) else save_in_image(current)
