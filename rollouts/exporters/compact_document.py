"""An episode of the document environment as one reply in the dialect `compact`.

The request is the first that `DocumentModelAgent` sends; the reply contains all calls of the
episode, one per line.
"""

from pptarena.agents.model.compact_calls import answer_of, first_messages
from pptarena.agents.model.document_calls import MAX_CALLS
from pptarena.envs.document import ToolCall
from pptarena.envs.document.compact_view import COMPACT_MAX
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import StoreError
from pptarena.rollouts.exporters.conversation import Conversation
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["compact_conversation", "why_not_compact"]

_FAMILIES = ("edit",)


def why_not_compact(episode: SourceEpisode) -> str:
    """Return why an episode on a document cannot be written in the dialect; ``""`` if it can.

    Raises:
        StoreError: If its files cannot be read.
    """
    if not 0 < len(episode.outline) <= COMPACT_MAX:
        return "its outline is not that of the view compact: play with --env-option view=compact"
    if len(episode.steps) > MAX_CALLS:
        return f"it has more calls than the {MAX_CALLS} of an answer"
    tools = toolbox(_FAMILIES)
    for index in range(len(episode.steps)):
        call = episode.tool_call(index)
        if call is None or episode.steps[index].action_error:
            return f"step {index}: the call was refused"
        if call["name"] not in tools:
            return f"step {index}: {call['name']} is no typed edit"
    return ""


def compact_conversation(episode: SourceEpisode) -> Conversation:
    """Return the request and the reply of an episode on a document.

    Raises:
        StoreError: If its files cannot be read, or it cannot be written in the dialect.
    """
    if reason := why_not_compact(episode):
        raise StoreError(f"{episode.folder}: cannot be written in compact: {reason}")
    tools = [tool.to_json() for tool in toolbox(_FAMILIES).values()]
    found = Conversation()
    for message in first_messages(tools, episode.meta.instruction, episode.outline):
        found.say(message["role"], message["content"])
    calls = (episode.tool_call(index) for index in range(len(episode.steps)))
    found.say("assistant", answer_of([ToolCall(c["name"], c["arguments"]) for c in calls if c]))
    return found
