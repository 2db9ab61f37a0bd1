"""What a desktop is made of, whatever the system: each system brings parts of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pptarena.vm_images.guest.protocol import DocumentState
from pptarena.vm_images.guest.tree_shape import TreeLimits

__all__ = ["Office", "Parts", "Rest", "Tree"]


class Office(Protocol):
    """The office application with at most one task document."""

    @property
    def version(self) -> str:
        """Name and version, such as ``"LibreOffice 25.2.3.2"``."""

    def require_alive(self) -> None:
        """Raise `OfficeLostError` if the application was killed or crashed."""

    def load(self, path: Path, timeout_sec: float) -> None:
        """Open a deck; raise `DeckUnreadableError` if the application refuses it."""

    def state(self, timeout_sec: float) -> DocumentState:
        """Return what is known of the document."""

    @property
    def path(self) -> Path:
        """The file that the task's document was opened from or saved to last."""

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        """Save a copy as .pptx; return False if the user has closed the document.

        It is never saved with an open text edit unless `commit` ends it.
        """

    def reopen(self, deadline: float) -> None:
        """Bring the task's deck back after the user closed it.

        It raises `DeckUnreadableError` if the file is gone, or is no deck any more.
        """

    def new_workbook(self, deadline: float) -> None:
        """Open an empty workbook beside it; raise `CommandError` where nothing can."""


class Screen(Protocol):
    """The pixels."""

    width_px: int
    height_px: int

    def rgb(self) -> bytes:
        """Return the pixels row by row, three bytes each."""

    def crop(self, left: int, top: int, width: int, height: int) -> Any:
        """Return a part of the screen as a picture for `Clipboard.put_image`."""


class Rest(Protocol):
    """Tells when application and screen have come to rest; "quiet" or "cap" is what ended it."""

    def settle(self) -> str:
        """Wait for rest after an action."""

    def settle_new(self, *, fresh: bool) -> str:
        """The same after a start or after a deck was opened; `fresh` for the first one."""

    def wait(self, seconds: float) -> str:
        """Let so many seconds pass by the desktop's clock, then wait for rest."""

    def recover(self) -> None:
        """Wait for what a question to the application has given it to do."""

    def follow(self, span_sec: float) -> None:
        """Let time pass as it has outside, where the desktop's time does not run by itself."""

    def catch_up(self) -> None:
        """Wait until the input so far has been handled."""

    def after_input(self, span_sec: float = 0.0) -> None:
        """The same between two pieces of one action, where that takes no guess; let time pass."""


class Pointer(Protocol):
    """The mouse."""

    def stir(self) -> None:
        """Move by a pixel and back, so that the application looks at what lies below."""

    def act(self, op: str, x: int, y: int, end_x: int, end_y: int, amount: int) -> None:
        """Carry out one pointer operation of the protocol."""

    def release(self) -> None:
        """Let go of a button still held."""


class Keyboard(Protocol):
    """Keys by X keysym name, whatever the system calls them."""

    def combination(self, names: tuple[str, ...], repeats: int = 1) -> None:
        """Press keys in order and release them in reverse, `repeats` times."""

    def hold(self, names: tuple[str, ...]) -> Callable[[], None]:
        """Press keys and return what releases them."""

    def type(self, text: str) -> None:
        """Type text; newline is Return, tab is Tab."""


class Windows(Protocol):
    """Top-level windows by title."""

    def titles(self) -> list[str]:
        """Return the titles, topmost window first."""

    def activate(self, title: str) -> bool:
        """Bring a window to the front; return whether there is such a one."""


class Clipboard(Protocol):
    """Text and pictures to copy and paste."""

    def text(self) -> str:
        """Return the text on the clipboard, "" for none or for another kind of content."""

    def put_text(self, text: str) -> None:
        """Put text on the clipboard."""

    def put_image(self, image: Any) -> None:
        """Put a picture of `Screen.crop` on the clipboard."""


class Tree(Protocol):
    """The accessibility tree."""

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        """Return the nodes, parents first, and why the reading was cut ("" if it was not)."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one desktop.

    Attributes:
        home: Folder that the deck and the copies are written to.
        refresh: Restores a clean desktop before a deck is opened, for desktops that serve more than
            one episode.
    """

    office: Office
    screen: Screen
    rest: Rest
    pointer: Pointer
    keyboard: Keyboard
    windows: Windows
    clipboard: Clipboard
    tree: Tree
    home: Path
    refresh: Callable[[], None] = lambda: None
