"""`MachineCheckpoint`: the state of a machine, kept to go back to or to multiply."""

import os
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from pptarena.closing import Closing
from pptarena.errors import ConfigError

__all__ = ["MachineCheckpoint"]


class MachineCheckpoint(Closing):
    """The kept state of a machine at one moment.

    It belongs to no machine: it stays usable when the one that made it goes on, is lost or is
    closed, as often as one likes and from several threads at once. What it holds is freed by
    `close`, when nothing refers to it any more, and when the interpreter ends. Machines restored
    or forked from it live on after that. It exists only in the process that made it.

    Args:
        kind: Kind of the machines that can restore it.
        free: Frees what the checkpoint holds besides; called once. It must not refer to the
            checkpoint, which would then never be collected.
        state: What machines of that kind go on from.

    Attributes:
        kind: Kind of the machines that can restore it.
    """

    def __init__(self, kind: str, free: Callable[[], Any] = list, state: Any = None) -> None:
        self.kind = kind
        self._kept = [state]
        self._free = weakref.finalize(self, _free_at_home, os.getpid(), self._kept, free)

    def state(self) -> Any:
        """Return what machines go on from.

        Raises:
            ConfigError: If the checkpoint was closed meanwhile.
        """
        for state in self._kept.copy():
            return state
        raise ConfigError("the checkpoint was closed while a machine took it on")

    @property
    def closed(self) -> bool:
        """Whether what it held is gone."""
        return not self._free.alive

    def close(self) -> None:
        """Free what it holds. A second call does nothing."""
        self._free()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a machine checkpoint holds a machine's state in this process and cannot be pickled "
            "or copied"
        )


def _free_at_home(pid: int, kept: list[Any], free: Callable[[], Any]) -> None:
    # A process forked meanwhile has a copy of the object, but the files are not its own.
    if os.getpid() == pid:
        kept.clear()
        free()
