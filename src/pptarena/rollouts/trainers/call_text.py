"""Execute replies given as text, for trainers that pass nothing else."""

from collections.abc import Sequence

from pptarena.agents.model.document_calls import calls_in
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError
from pptarena.rollouts.trainers.doc_session import DocSession

__all__ = ["carry_out"]


def carry_out(session: DocSession, answer: str) -> tuple[str, float]:
    """Execute the calls of a reply, up to the first that is refused.

    A reply without a call is a refused step.

    Returns:
        The next text for the model, and the reward of the entire reply.

    Raises:
        MachineError: If the infrastructure failed: this episode has no score.
    """
    before = len(session.steps)
    results: list[str] = []
    try:
        for call in _read(answer):
            results.append(session.act(call))
            if session.over:
                break
    except ActionError as error:
        results.append(f"refused: {error}")
    return "\n".join(results), sum(step.reward for step in session.steps[before:])


def _read(answer: str) -> Sequence[ToolCall | ActionError]:
    try:
        return calls_in(answer)
    except ActionError as error:
        return [error]
