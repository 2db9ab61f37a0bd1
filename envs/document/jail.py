"""The sandbox that runs agents' programs."""

from collections.abc import Mapping
from typing import Protocol

from pptarena.envs.programs.programs import Programs

__all__ = ["Jail", "Ran", "new_jail"]


class Ran(Protocol):
    """The result of a program."""

    @property
    def deck(self) -> bytes | None:
        """The deck after the program; None if it failed."""
        ...

    @property
    def output(self) -> str:
        """The program's output and, if it failed, the reason."""
        ...


class Jail(Protocol):
    """Runs programs on decks without access to network, files or other processes."""

    def run(self, deck: bytes, code: str, files: Mapping[str, bytes]) -> Ran:
        """Run a program on a deck, with files next to it that it can read.

        Raises:
            LeafError: If no sandbox could be started.
        """
        ...

    def close(self) -> None:
        """Stop the sandbox; the next program starts another."""
        ...


def new_jail() -> Jail:
    """Return a sandbox; it starts with the first program."""
    return Programs()
