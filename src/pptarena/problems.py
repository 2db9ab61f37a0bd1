"""Collect all problems of a file, to report them together."""

from collections.abc import Callable, Iterable
from typing import TypeVar, cast

from pptarena.errors import RubricError, TaskError

__all__ = ["Problems"]

T = TypeVar("T")
V = TypeVar("V")


class Problems:
    """Problems found while reading a file.

    Args:
        kind: The exception that readers raise for a problem, and `finish` for all of them.

    Example:
        >>> problems = Problems(TaskError)
        >>> steps = problems.read(lambda: int_of(value))
        >>> problems.finish()  # raises; below this line, `steps` is an int
    """

    def __init__(self, kind: type[RubricError] | type[TaskError]) -> None:
        self._kind = kind
        self._found: list[str] = []

    def read(self, reader: Callable[[], T]) -> T:
        """Return the result of a reader, or None if it raises; `finish` raises then.

        The value may be used without a test after `finish`, but not before.
        """
        try:
            return reader()
        except self._kind as error:
            self._found += error.problems
            return cast("T", None)

    def read_each(
        self, values: Iterable[V], reader: Callable[[int, V], T], *, all_alike: bool = False
    ) -> tuple[T, ...]:
        """Return the results of a reader for each value and its 0-based position.

        Args:
            values: The values.
            reader: As for `read`.
            all_alike: Whether the values come from one text, so that the first problem is enough.
        """
        found: list[T] = []
        for index, value in enumerate(values):
            before = len(self._found)
            found.append(self.read(lambda: reader(index, value)))  # noqa: B023 - called now
            if all_alike and len(self._found) > before:
                break
        return tuple(found)

    @property
    def any(self) -> bool:
        """Whether any problem was found so far."""
        return bool(self._found)

    def finish(self) -> None:
        """Raise one exception with all distinct problems.

        Raises:
            RubricError: If there are problems and `kind` is RubricError.
            TaskError: If there are problems and `kind` is TaskError.
        """
        if self._found:
            raise self._kind(*dict.fromkeys(self._found))
