"""Interfaces of a desktop's components; each operating system has its own implementations."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pptarena.vm_images.guest.protocol import DocumentState
from pptarena.vm_images.guest.tree_shape import TreeLimits

__all__ = ["Components", "IdleWaiter", "Office", "Tree"]


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
        """Return the state of the document."""

    @property
    def path(self) -> Path:
        """The file that the task's document was last opened from or saved to."""

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        """Save a copy as .pptx; return False if the user has closed the document.

        A document with an open text edit is saved only if `commit` is set, which ends the edit.
        """

    def reopen(self, deadline: float) -> None:
        """Reopen the task's deck after the user has closed it.

        Raises `DeckUnreadableError` if the file is missing, or no longer a deck.
        """

    def new_workbook(self, deadline: float) -> None:
        """Open an empty workbook next to it; raise `CommandError` if that is not supported."""


class Screen(Protocol):
    """The pixels."""

    width_px: int
    height_px: int

    def rgb(self) -> bytes:
        """Return the RGB pixels row by row, three bytes each."""

    def crop(self, left: int, top: int, width: int, height: int) -> Any:
        """Return a region of the screen as an image for `Clipboard.put_image`."""


class IdleWaiter(Protocol):
    """Waits until application and screen are idle; returns "quiet", or "cap" at the time limit."""

    def settle(self) -> str:
        """Wait until idle after an action."""

    def settle_after_load(self, *, fresh: bool) -> str:
        """Wait until idle after a start or after opening a deck; `fresh` for the first one."""

    def wait(self, seconds: float) -> str:
        """Let `seconds` pass by the desktop's clock, then wait until idle."""

    def recover(self) -> None:
        """Wait for work caused by a query to the application."""

    def follow(self, span_sec: float) -> None:
        """Let elapsed wall-clock time pass, on desktops with virtual time."""

    def park(self) -> None:
        """Close files of the kernel until the next wait."""

    def catch_up(self) -> None:
        """Wait until the input so far has been handled."""

    def after_input(self, span_sec: float = 0.0) -> None:
        """Wait between two inputs of one action, where that is deterministic; let time pass."""


class Pointer(Protocol):
    """The mouse."""

    def act(self, op: str, x: int, y: int, end_x: int, end_y: int, amount: int) -> None:
        """Carry out one pointer operation of the protocol."""

    def release(self) -> None:
        """Release a button that is still pressed."""


class Keyboard(Protocol):
    """Keys by X keysym name on every operating system."""

    def combination(self, names: tuple[str, ...], repeats: int = 1) -> None:
        """Press keys in order and release them in reverse, `repeats` times."""

    def hold(self, names: tuple[str, ...]) -> Callable[[], None]:
        """Press keys and return a function that releases them."""

    def type(self, text: str) -> None:
        """Type text; newline is Return, tab is Tab."""


class Windows(Protocol):
    """Top-level windows by title."""

    def titles(self) -> list[str]:
        """Return the titles, topmost window first."""

    def activate(self, title: str) -> bool:
        """Bring a window to the front; return whether it exists."""


class Clipboard(Protocol):
    """Text and images on the clipboard."""

    def text(self) -> str:
        """Return the text on the clipboard; "" if it is empty or not text."""

    def put_text(self, text: str) -> None:
        """Put text on the clipboard."""

    def put_image(self, image: Any) -> None:
        """Put an image returned by `Screen.crop` on the clipboard."""


class Tree(Protocol):
    """The accessibility tree."""

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        """Return the nodes, parents first, and why the tree was truncated ("" if it was not)."""


@dataclass(frozen=True, slots=True)
class Components:
    """The components of one desktop.

    Attributes:
        home: Folder for the deck and the saved copies.
        refresh: Restores a clean desktop before a deck is opened, for desktops that serve several
            episodes.
    """

    office: Office
    screen: Screen
    waiter: IdleWaiter
    pointer: Pointer
    keyboard: Keyboard
    windows: Windows
    clipboard: Clipboard
    tree: Tree
    home: Path
    refresh: Callable[[], None] = lambda: None
