"""The sandbox in which programs of agents run."""

from collections.abc import Mapping
from typing import Protocol

from pptarena.envs.programs.programs import Programs

__all__ = ["Jail", "Ran", "new_jail"]


class Ran(Protocol):
    """What came of a program."""

    @property
    def deck(self) -> bytes | None:
        """The deck as the program left it; None if it failed."""
        ...

    @property
    def output(self) -> str:
        """What it printed, and why it failed."""
        ...


class Jail(Protocol):
    """Runs programs on decks, without network, files or other processes."""

    def run(self, deck: bytes, code: str, files: Mapping[str, bytes]) -> Ran:
        """Run a program on a deck, with files beside it that it can read.

        Raises:
            LeafError: If no sandbox could be had.
        """
        ...

    def close(self) -> None:
        """End the sandbox; the next program starts another."""
        ...


def new_jail() -> Jail:
    """Return a jail; nothing starts before the first program."""
    return Programs()
