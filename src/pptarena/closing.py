"""What is to be closed when it is done with."""

from abc import abstractmethod
from typing import Self

__all__ = ["Closing"]


class Closing:
    """Something to be used in a ``with`` statement, which closes it at the end."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Free what it holds; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
