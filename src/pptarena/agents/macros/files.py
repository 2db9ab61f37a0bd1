"""The file dialog."""

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.errors import MacroError

__all__ = ["DOCUMENTS", "choose_file"]

DOCUMENTS = "/home/agent/Documents"
"""Folder of the deck and of the task's attachments."""

_CHOOSER = "file chooser"


def choose_file(desk: Desk, file: str) -> Play[None]:
    """Choose a file next to the deck in the open dialog, and wait until the dialog closes.

    Args:
        desk: The desk.
        file: Its name.

    Raises:
        MacroError: If no file dialog is open, or it does not accept the file.
    """
    yield from desk.await_(_chooser, "the dialog in which a file is chosen")
    path = f"{DOCUMENTS}/{file}"
    yield from desk.type(path)  # typing a slash opens a path field
    field = desk.screen.first("text", within=_chooser(desk.screen))
    if field is None or field["text"] != path:
        raise MacroError(f"expected a field with {path!r} in the dialog in which a file is chosen")
    yield from desk.key("Return")
    yield from desk.await_(
        lambda screen: _chooser(screen) is None, f"the file {file!r} to be taken"
    )


def _chooser(screen: Screen) -> NodeJson | None:
    return screen.first(_CHOOSER, test=lambda node: node["parent"] == -1)
