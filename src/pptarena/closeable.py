"""Base class of objects that are closed after use."""

from abc import abstractmethod
from typing import Self

__all__ = ["Closeable"]


class Closeable:
    """A context manager that closes itself on exit."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Release all resources; further calls do nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
