"""Python leaves of a rubric, run while an episode is scored."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from pptarena.errors import UnscoredError
from pptarena.rewards import Rubric
from pptarena.rewards.judges import SlideRenderer
from pptarena.rewards.judges.protocol import LeafRunner, TextModel

__all__ = ["MakeLeafRunner", "has_programs", "running"]

_log = logging.getLogger(__name__)


class MakeLeafRunner(Protocol):
    """Creates the runner of Python leaves for a pair of decks."""

    def __call__(
        self,
        original: bytes,
        current: bytes,
        *,
        model: TextModel | None = None,
        renderer: SlideRenderer | None = None,
    ) -> AbstractContextManager[LeafRunner]:
        """Return the runner for these two .pptx files, to be used in a ``with`` statement."""
        ...


def has_programs(rubric: Rubric) -> bool:
    """Return whether the rubric has Python leaves."""
    return rubric.root.uses("python")


@contextmanager
def running(
    make: MakeLeafRunner,
    rubric: Rubric,
    original: Callable[[], bytes],
    current: bytes | None,
    model: TextModel | None = None,
    renderer: SlideRenderer | None = None,
) -> Iterator[LeafRunner | None]:
    """Yield the runner of a rubric's Python leaves; None if it has none, or they cannot be run.

    Args:
        make: Creates the runner.
        rubric: The rubric.
        original: Returns the .pptx file as the application saves it unchanged.
        current: The current .pptx file; None for the original.
        model: Answers questions of leaves.
        renderer: Renders slides for leaves.
    """
    if not has_programs(rubric):
        yield None
        return
    try:
        before = original()
    except UnscoredError as error:
        _log.warning("no Python leaf is run: %s", error)
        yield None
        return
    with make(
        before, before if current is None else current, model=model, renderer=renderer
    ) as runner:
        yield runner
