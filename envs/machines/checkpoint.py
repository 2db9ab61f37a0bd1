"""`MachineCheckpoint`: a saved state of a machine, to restore or fork."""

import os
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from pptarena.closeable import Closeable
from pptarena.errors import ConfigError

__all__ = ["MachineCheckpoint"]


class MachineCheckpoint(Closeable):
    """The saved state of a machine at one moment.

    It is independent of the machine that created it and can be used any number of times, from
    several threads concurrently. `close`, garbage collection or interpreter exit frees its
    resources; machines restored or forked from it are unaffected. It is valid only in the process
    that created it.

    Args:
        kind: Type of the machines that can restore it.
        free: Frees further resources; called once. It must not refer to the checkpoint, which would
            then never be collected.
        state: The state that machines of this type restore.

    Attributes:
        kind: Type of the machines that can restore it.
    """

    def __init__(self, kind: str, free: Callable[[], Any] = list, state: Any = None) -> None:
        self.kind = kind
        self._states = [state]
        self._free = weakref.finalize(self, _free_in_owner, os.getpid(), self._states, free)

    def state(self) -> Any:
        """Return the state that machines restore.

        Raises:
            ConfigError: If the checkpoint is closed.
        """
        for state in self._states.copy():
            return state
        raise ConfigError("the checkpoint was closed while a machine restored it")

    @property
    def closed(self) -> bool:
        """Whether its resources are freed."""
        return not self._free.alive

    def close(self) -> None:
        """Free its resources. Later calls do nothing."""
        self._free()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a machine checkpoint holds a machine's state in this process and cannot be pickled "
            "or copied"
        )


def _free_in_owner(pid: int, states: list[Any], free: Callable[[], Any]) -> None:
    # A forked process has a copy of the object but does not own the files.
    if os.getpid() == pid:
        states.clear()
        free()
