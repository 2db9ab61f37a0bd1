"""Messages of ``run`` and ``collect`` at the end of a run, also one that ends early."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pptarena.rollouts.episode import StoredEpisode

__all__ = ["FAKE_LIMITS", "explained", "next_look", "require_continued"]

FAKE_LIMITS = (
    "The machine 'fake' has no dialogs, side bars, table cells or notes, so it cannot play every "
    "demonstration; use --machine sandbox."
)


@contextmanager
def explained(
    results: "Sequence[tuple[Any, tuple[StoredEpisode, ...]]]", how_to_continue: str
) -> Iterator[None]:
    """Add the number of scored episodes to the error that ends a run.

    Args:
        results: Jobs and their attempts so far.
        how_to_continue: What the user does to continue the run.

    Raises:
        EndpointClosedError: If one was raised.
    """
    from pptarena.errors import EndpointClosedError

    try:
        yield
    except EndpointClosedError as error:
        scored = sum(attempts[-1].meta.score is not None for _, attempts in results)
        outcome = (
            f"Episodes scored: {scored}; {how_to_continue}" if scored else "No episode was scored"
        )
        raise EndpointClosedError(f"{error}. {outcome}.") from error


def require_continued(episodes: "Sequence[StoredEpisode]") -> None:
    """Check that every recorded demonstration could be played to its end.

    Raises:
        AgentError: If one gave up because the screen differs from the recorded one.
    """
    from pptarena.errors import AgentError

    played = [each.meta for each in episodes if each.meta.agent == "demonstration"]
    stopped = [meta for meta in played if meta.agent_error is not None]
    if stopped:
        count = f"{len(stopped)} of {len(played)} demonstrations could not be continued"
        hint = FAKE_LIMITS if stopped[0].machine == "fake" else f"First: {stopped[0].agent_error}"
        raise AgentError(f"{count}. {hint}")


def next_look(episodes: "Sequence[StoredEpisode]", *, on_document: bool) -> str:
    """Return a hint that names the first scored episode, or the reason why none was scored."""
    scored = next((each.folder for each in episodes if each.meta.score is not None), None)
    if scored is None:
        failed = (each.meta.infra_error for each in episodes)
        return f"No episode was scored: {next(filter(None, failed), 'nothing could be judged')}"
    if on_document:
        return f"Look at {scored}/traj.jsonl and final.pptx"
    return f"Look at {scored}/step_000.png and final.pptx, then try: pptarena replay {scored}"
