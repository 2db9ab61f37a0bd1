"""Execute replies that are plain text, for trainers without structured tool calls."""

from collections.abc import Sequence

from pptarena.agents.model.document_calls import parse_calls
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError
from pptarena.rollouts.trainers.doc_session import DocSession

__all__ = ["execute_reply"]


def execute_reply(session: DocSession, reply: str) -> tuple[str, float]:
    """Execute the calls of a reply, up to the first that is refused.

    A reply without a call is a refused step.

    Returns:
        The next text for the model, and the reward of the entire reply.

    Raises:
        MachineError: If the infrastructure failed: this episode has no score.
    """
    count_before = len(session.steps)
    results: list[str] = []
    try:
        for call in _parse_calls(reply):
            results.append(session.act(call))
            if session.over:
                break
    except ActionError as error:
        results.append(f"refused: {error}")
    return "\n".join(results), sum(step.reward for step in session.steps[count_before:])


def _parse_calls(reply: str) -> Sequence[ToolCall | ActionError]:
    try:
        return parse_calls(reply)
    except ActionError as error:
        return [error]
