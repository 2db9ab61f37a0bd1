"""Edit decks in the image's office application, over its own interface."""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.errors import DeckError, MachineError
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office_program import run_office_program

__all__ = ["Job", "edit_in_office"]

_TIMEOUT_SEC = 120.0
Job = tuple[bytes, Sequence[Mapping[str, Any]]]
"""A .pptx file and its edits."""


def edit_in_office(jobs: Sequence[Job]) -> tuple[bytes | DeckError | MachineError, ...]:
    """Open decks in the application, edit them there, and save them.

    It runs without a desktop, in separate namespaces: no network, no access to files of the host.

    Args:
        jobs: Each a .pptx file and its edits, ``{"edit": name, "arguments": {...}}``, of
            `pptarena.vm_images.guest.deck_edits`.

    Returns:
        For each job the saved file, or why there is none: a `DeckError` if the application refuses
            the deck, a `MachineError` if an edit failed.

    Raises:
        HostError: If bubblewrap is missing or not allowed to create namespaces.
        ImageError: If there is no image.
        MachineError: If the application fails or takes too long.
    """
    if not jobs:
        return ()
    parts = [(deck, json.dumps(list(edits)).encode()) for deck, edits in jobs]
    data = b"".join(struct.pack(">I", len(part)) + part for job in parts for part in job)
    limit_sec = _TIMEOUT_SEC * len(jobs)
    stream = run_office_program(require_image(), "edit_decks", (), data, limit_sec, "edited")
    return tuple(_split(stream, len(jobs)))


def _split(stream: bytes, count: int) -> list[bytes | DeckError | MachineError]:
    answers: list[bytes | DeckError | MachineError] = []
    at = 0
    for _ in range(count):
        status, size = struct.unpack_from(">BI", stream[at : at + 5].ljust(5, b"\xff"))
        answer = stream[at + 5 : at + 5 + size]
        if len(answer) != size or not size:
            raise MachineError("the deck could not be edited: the answer broke off")
        words = answer.decode("utf-8", "replace") if status else ""
        answers.append((answer, DeckError(words), MachineError(words))[min(status, 2)])
        at += 5 + size
    return answers
