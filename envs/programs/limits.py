"""What a Python leaf may use."""

from dataclasses import dataclass

from pptarena.errors import ConfigError

__all__ = ["LeafLimits"]


@dataclass(frozen=True, slots=True)
class LeafLimits:
    """Limits of one Python leaf.

    Attributes:
        wall_sec: Longest time, without the waits for a model.
        cpu_sec: Longest CPU time.
        memory_bytes: Largest address space; the libraries take some 250 MB of it.
        file_bytes: Largest file, and all files together, that it may write under ``/tmp``.
        max_calls: Most questions to a model.
        start_sec: Longest time for the sandbox to start.
    """

    wall_sec: float = 30.0
    cpu_sec: int = 30
    memory_bytes: int = 2**30
    file_bytes: int = 64 * 2**20
    max_calls: int = 50
    start_sec: float = 30.0

    def __post_init__(self) -> None:
        for name in ("wall_sec", "cpu_sec", "memory_bytes", "file_bytes", "start_sec"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name}: expected more than 0, got {getattr(self, name)}")
        if self.max_calls < 0:
            raise ConfigError(f"max_calls: expected 0 or more, got {self.max_calls}")
