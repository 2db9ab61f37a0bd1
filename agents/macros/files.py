"""The dialog in which a file is chosen."""

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.errors import MacroError

__all__ = ["DOCUMENTS", "choose_file"]

DOCUMENTS = "/home/agent/Documents"
"""Where the deck is, with the files that come with a task."""

_CHOOSER = "file chooser"


def choose_file(desk: Desk, file: str) -> Play[None]:
    """Choose a file beside the deck in the dialog that is open, and see it close.

    Args:
        desk: Where it happens.
        file: Its name.

    Raises:
        MacroError: If there is no such dialog, or it does not take the file.
    """
    yield from desk.await_(_chooser, "the dialog in which a file is chosen")
    path = f"{DOCUMENTS}/{file}"
    yield from desk.type(path)  # its first letter, a slash, opens a field for a path
    field = desk.screen.first("text", within=_chooser(desk.screen))
    if field is None or field["text"] != path:
        raise MacroError(f"expected a field with {path!r} in the dialog in which a file is chosen")
    yield from desk.key("Return")
    yield from desk.await_(
        lambda screen: _chooser(screen) is None, f"the file {file!r} to be taken"
    )


def _chooser(screen: Screen) -> NodeJson | None:
    return screen.first(_CHOOSER, test=lambda node: node["parent"] == -1)
