"""Runs one program in its own process: isolate it, run it on a deck, send the result."""

import base64
import io
import os
import sys
import traceback
from typing import Any

from pptarena.envs.programs.inside import channel, confine

__all__ = ["run"]

_MAX_OUTPUT = 8_000
_NAME = "<program>"


class _Output(io.TextIOBase):
    """Captures the beginning of the output."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        remaining = _MAX_OUTPUT - len(self.text)
        if remaining > 0:
            self.text += text[:remaining]
        return len(text)


def run(file: int, code: str, deck: str, files: dict[str, str], limits: dict[str, int]) -> None:
    """Run a program; send its deck, unless it failed, and one `RESULT`. Never returns.

    Args:
        file: Socket to the worker.
        code: Python source; ``presentation`` is the deck as a python-pptx presentation.
        deck: The .pptx file in base64.
        files: Further files in base64, by name.
        limits: Arguments of `confine.limit`.
    """
    try:
        confine.limit(**limits)
        confine.lock()
        output = _Output()
        sys.stdout = sys.stderr = output
        attachments = {name: base64.b64decode(text) for name, text in files.items()}
        changed, error = _outcome(code, base64.b64decode(deck), attachments)
        if changed is not None:
            channel.send_raw(file, channel.DECK, changed)
        channel.send(file, channel.RESULT, {"output": output.text[:_MAX_OUTPUT], "error": error})
    finally:
        os._exit(0)


def _outcome(code: str, deck: bytes, files: dict[str, bytes]) -> tuple[bytes | None, str]:
    """Return the deck after a program, or None and the reason of the failure."""
    try:
        from pptx import Presentation

        from pptarena.decks.part_names import make_part_names_unique

        presentation: Any = Presentation(io.BytesIO(deck))
        names = {"__name__": "__main__", "presentation": presentation, "files": files}
        exec(compile(code, _NAME, "exec"), names)
        make_part_names_unique(presentation)
        stream = io.BytesIO()
        presentation.save(stream)
        return stream.getvalue(), ""
    except BaseException as error:  # noqa: BLE001 - exit and interrupts of the program too
        return None, _describe(error)


def _describe(error: BaseException) -> str:
    """Return an error message with the line of the program that raised it."""
    try:
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == _NAME
        ]
        location = f"line {lines[-1]}: " if lines else ""
        return f"{location}{type(error).__name__}: {error}"[:_MAX_OUTPUT]
    except BaseException:  # noqa: BLE001 - a class of the program may fail at that
        return "an error whose text cannot be read"
