"""The judge model of an environment, shared by its rubrics."""

import functools
from contextlib import AbstractContextManager, nullcontext

from pptarena.closeable import Closeable
from pptarena.plugins import EDIT_JUDGE, import_object
from pptarena.rewards.judges import Judge, JudgeClient, JudgeConfig, RubricJudge, SlideRenderer
from pptarena.rewards.judges.protocol import EditJudge

__all__ = ["Judging", "configured_judging", "office_renderer"]


@functools.cache
def office_renderer() -> SlideRenderer:
    """Return the office application of the image as a slide renderer; it starts on first use."""
    from pptarena.vm_images.office import Office

    return Office()


class Judging(Closeable):
    """A judge client and a slide renderer, shared by all rubrics of an environment.

    Args:
        config: Settings of the judge.
        renderer: Renders slides; None uses the office application of the image.

    Raises:
        ConfigError: If the ``openai`` package, the key or the file of records is missing.

    Example::

        with Judging(JudgeConfig.from_environment()) as judging:
            tree = score(rubric, read_deck(a), read_deck(b), scope, judging.judge(a, b))
    """

    def __init__(self, config: JudgeConfig, renderer: SlideRenderer | None = None) -> None:
        self.client = JudgeClient(config)
        self._renderer = renderer

    def judge(self, original: bytes, current: bytes) -> Judge:
        """Return the judge of one pair of decks; slides are rendered only if a leaf needs them.

        Args:
            original: The .pptx file as the application saves it unchanged.
            current: The current .pptx file.
        """
        self._renderer = self._renderer or office_renderer()
        edits = _edit_judge(self.client, self._renderer)
        return RubricJudge(self.client, original, current, self._renderer, edits=edits)

    def close(self) -> None:
        """Close all connections; a second call does nothing."""
        self.client.close()


def configured_judging(enabled: bool = True) -> AbstractContextManager[Judging | None]:
    """Return the judge that environment variables configure; None if there is none.

    Args:
        enabled: Whether to use a judge at all.

    Raises:
        ConfigError: If the variables contradict each other, or the judge cannot be created.
    """
    config = JudgeConfig.from_environment() if enabled else None
    return nullcontext() if config is None else Judging(config)


def _edit_judge(client: JudgeClient, renderer: SlideRenderer) -> EditJudge:
    judge: EditJudge = import_object(EDIT_JUDGE)(client, renderer)
    return judge
