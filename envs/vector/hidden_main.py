"""Start processes without a main guard in the user's script."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

__all__ = ["hidden_main"]


@contextmanager
def hidden_main() -> Iterator[None]:
    """Start processes that do not import the user's script, which needs no main guard then."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
