"""Resource limits of Python leaves."""

from dataclasses import dataclass

from pptarena.errors import ConfigError

__all__ = ["LeafLimits"]


@dataclass(frozen=True, slots=True)
class LeafLimits:
    """Limits of one Python leaf.

    Attributes:
        wall_sec: Wall-clock seconds, without waiting for a model.
        cpu_sec: CPU seconds.
        memory_bytes: Address space; the libraries use about 250 MB of it.
        file_bytes: Size of the largest file, and of all files together, under ``/tmp``.
        max_calls: Questions to a model.
        start_sec: Seconds for the sandbox to start.
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
