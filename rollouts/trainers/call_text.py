"""Carrying out answers of text, for trainers that pass nothing else."""

from collections.abc import Sequence

from pptarena.agents.model.document_calls import calls_in
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError
from pptarena.rollouts.trainers.doc_session import DocSession

__all__ = ["carry_out"]


def carry_out(session: DocSession, answer: str) -> tuple[str, float]:
    """Carry out the calls of an answer, up to the first that is refused.

    An answer without any call is a refused step.

    Returns:
        What the model reads next, and the reward of the whole answer.

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
