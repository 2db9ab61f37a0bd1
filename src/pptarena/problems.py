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
        error_type: The exception that readers raise for a problem, and `finish` for all of them.

    Example:
        >>> problems = Problems(TaskError)
        >>> steps = problems.read(lambda: int_of(value))
        >>> problems.finish()  # raises; below this line, `steps` is an int
    """

    def __init__(self, error_type: type[RubricError] | type[TaskError]) -> None:
        self._error_type = error_type
        self._problems: list[str] = []

    def read(self, reader: Callable[[], T]) -> T:
        """Return the result of a reader, or None if it raises; `finish` raises then.

        The value may be used without a test after `finish`, but not before.
        """
        try:
            return reader()
        except self._error_type as error:
            self._problems += error.problems
            return cast("T", None)

    def read_each(
        self, values: Iterable[V], reader: Callable[[int, V], T], *, same_source: bool = False
    ) -> tuple[T, ...]:
        """Return the results of a reader for each value and its 0-based position.

        Args:
            values: The values.
            reader: As for `read`.
            same_source: Whether the values come from one text; then only the first problem counts.
        """
        results: list[T] = []
        for index, value in enumerate(values):
            before = len(self._problems)
            results.append(self.read(lambda: reader(index, value)))  # noqa: B023 - called now
            if same_source and len(self._problems) > before:
                break
        return tuple(results)

    @property
    def any(self) -> bool:
        """Whether any problem was found so far."""
        return bool(self._problems)

    def finish(self) -> None:
        """Raise one exception with all distinct problems.

        Raises:
            RubricError: If there are problems and `error_type` is RubricError.
            TaskError: If there are problems and `error_type` is TaskError.
        """
        if self._problems:
            raise self._error_type(*dict.fromkeys(self._problems))
