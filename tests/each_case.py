"""Many cases of one check in one test."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def each_case(
    names: str, cases: Iterable[Any], ids: Iterable[Any] | Callable[[Any], Any] | None = None
) -> Callable[[Test], Test]:
    """Run a test on every case, within one test, and name all cases that fail.

    Use it for cases that are data of one check, and `pytest.mark.parametrize` for cases that need
    their own fixtures, are skipped individually, or take long.

    Args:
        names: Parameters of the test, separated by commas, that a case fills.
        cases: The cases: a value each, or a tuple of values if there are several names.
        ids: Names of the cases in messages, or a function of a case's values.

    Raises:
        BaseExceptionGroup: If a case fails; it holds the failures of all cases, each with its case.
    """
    parameters = [name.strip() for name in names.split(",")]
    rows = [(case,) if len(parameters) == 1 else tuple(case) for case in cases]
    assert rows, "no cases"
    if ids is None:
        labels = [f"{row!r:.300}" for row in rows]
    elif callable(ids):
        labels = ["-".join(str(ids(value)) for value in row) for row in rows]
    else:
        labels = [str(each) for each in ids]
    assert len(labels) == len(rows), "as many ids as cases"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run_all(**fixtures: Any) -> None:
            failures = []
            for row, name in zip(rows, labels, strict=True):
                try:
                    test(**dict(zip(parameters, row, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001, raised below
                    error.add_note(f"case: {name}")
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} cases failed", failures)

        signature = inspect.signature(test)
        fixtures = [each for name, each in signature.parameters.items() if name not in parameters]
        # pytest passes fixtures for the other parameters.
        run_all.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run_all

    return decorate
