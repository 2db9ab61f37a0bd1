"""An episode as chat messages in a chosen dialect.

The system prompt, the pictures and the texts are those that `pptarena.agents.model.ModelAgent`
sends in the dialect; the replies are the recorded actions in the dialect's format. Episodes of
scripted agents, or of models of another dialect, thus become training data for models of this one.
"""

from collections.abc import Mapping
from typing import Any

from pptarena.agents.dialects import Dialect, Reply, Screen
from pptarena.agents.model import Observer, read_sources
from pptarena.agents.model.compact_calls import COMPACT, first_messages, render_calls
from pptarena.agents.model.document_calls import MAX_CALLS
from pptarena.envs.document import ToolCall
from pptarena.envs.document.compact_view import COMPACT_MAX
from pptarena.envs.document.toolbox import toolbox
from pptarena.envs.text_view import count_tokens
from pptarena.errors import ActionError, ConfigError, StoreError
from pptarena.rollouts.aim import with_point_targets
from pptarena.rollouts.exporters.conversation import Conversation
from pptarena.rollouts.exporters.source import SourceEpisode
from pptarena.sources import NUMBERED

__all__ = ["conversation_in", "stored_sources", "why_not_in"]

_END_KINDS = ("done", "fail")

_FAMILIES = ("edit",)

_NOT_STORED = ("clipboard-picture",)
_NEWER = {"slide": "slide_count", "clipboard": "clipboard", "actions": "command"}
"""Sources that older episodes do not store, and the field of a step that they need."""


def why_not_in(dialect: Dialect, episode: SourceEpisode, see: str = "") -> str:
    """Return why an episode cannot be written in a dialect; ``""`` if it can.

    Raises:
        StoreError: If its files cannot be read.
    """
    if dialect.name == COMPACT and episode.on_document:
        return _why_not_compact(episode)
    if reason := _why_not_stored(episode, see):
        return reason
    see = see or dialect.see
    for index in range(len(episode.steps)):
        try:
            _reply(dialect, see, episode, index, _reply_screen(dialect, episode, index))
        except ActionError as error:
            return f"step {index}: {error}"
    return ""


def _why_not_stored(episode: SourceEpisode, see: str) -> str:
    """Return why the model's input cannot be recreated from the store; ``""`` if it can.

    Sources of `_NEWER` count as missing only if the user selected them. In a dialect's default
    selection, they are omitted.
    """
    if episode.on_document:
        return "dialects need a screen, which the document environment does not have"
    for source, name in _NEWER.items():
        is_selected = bool(see) and source in read_sources(see)
        if is_selected and any(getattr(step, name) is None for step in episode.steps):
            return f"an older version recorded it, which did not store the source {source}"
    for step in episode.steps[:-1]:
        if step.action.kind in _END_KINDS and not step.action_error:
            return "it has several turns, and the instructions of later ones are not stored"
    if any(step.action.kind == "ask" for step in episode.steps):
        return "it asks a question, and answers are not stored"
    return ""


def stored_sources(see: str) -> str:
    """Return the sources of a selection, separated by commas.

    Args:
        see: Names of `pptarena.sources.SOURCES` and `PRESETS`.

    Raises:
        ConfigError: If a source is unknown, or is not stored with episodes.
    """
    names = read_sources(see)
    if missing := [name for name in names if name in _NOT_STORED]:
        raise ConfigError(
            f"see: {', '.join(missing)}: not stored with episodes; remove from the selection"
        )
    return ",".join(names)


def conversation_in(dialect: Dialect, episode: SourceEpisode, see: str = "") -> Conversation:
    """Return the messages of an episode in a dialect.

    Args:
        dialect: The dialect.
        episode: The episode.
        see: Sources of the model's input, see `stored_sources`; ``""`` for the dialect's default.

    Raises:
        StoreError: If its files cannot be read, or it cannot be written in the dialect.
    """
    if dialect.name == COMPACT and episode.on_document:
        return _compact_conversation(episode)
    if reason := _why_not_stored(episode, see):
        raise StoreError(f"{episode.folder}: cannot be written in {dialect.name}: {reason}")
    see = see or dialect.see
    chat, previous_has_calls = Conversation(), False
    instruction = episode.meta.instruction
    observer = Observer(see, dialect.picture_size)
    chat.add_message("system", f"{dialect.prompt()}\n\nTask: {instruction}")
    for index in range(len(episode.steps)):
        observation, info = _observation_before(episode, index)
        observer.record_step(observation, info)
        view = observer.observe(observation, info)
        refusal = episode.steps[index - 1].action_error if index else None
        lines = [f"That was not done: {refusal}"] if refusal else []
        lines += [f"Task: {instruction}"] if index == 0 else []
        content = "\n".join([*lines, view.text])
        pictures = [(each.png, episode.screenshot_file(index)) for each in view.pictures]
        if previous_has_calls:
            chat.add_message("tool", content)
            if pictures:  # few chat templates accept pictures as results of tools
                chat.add_message("user", images=pictures)
        else:
            chat.add_message("user", content, images=pictures)
        try:
            reply = _reply(dialect, see, episode, index, view.screen)
        except ActionError as error:
            step_name = f"{episode.folder}: step {index}"
            raise StoreError(f"{step_name} cannot be written in {dialect.name}: {error}") from error
        calls = [{"name": call.name, "arguments": dict(call.arguments)} for call in reply.calls]
        chat.add_message("assistant", reply.text, calls=calls)
        previous_has_calls = bool(calls)
    return chat


def _reply(dialect: Dialect, see: str, episode: SourceEpisode, index: int, screen: Screen) -> Reply:
    """Return a recorded action in the format of the dialect.

    Raises:
        ActionError: If the dialect cannot express it.
    """
    step, thought = episode.steps[index], episode.thought(index)
    action = step.action
    if action.kind == "wait" and action.text:  # as `pptarena.rollouts.play` records them
        raise ActionError("the recorded reply is not an action")
    if NUMBERED.isdisjoint(read_sources(see)):  # these models receive no element numbers
        action = with_point_targets(action, step.aim, episode.meta.screen)
    return dialect.render(action, screen, thought)


def _reply_screen(dialect: Dialect, episode: SourceEpisode, index: int) -> Screen:
    """Return the screen that a reply refers to, without creating the picture."""
    elements = episode.elements(index)
    boxes = elements.features[: len(elements), :4]
    centers = [(float(x0 + x1) / 2, float(y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
    return Screen(dialect.picture_size(episode.meta.screen), centers)


def _observation_before(
    episode: SourceEpisode, index: int
) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return the stored parts of the observation and info before a step."""
    elements, tree = episode.elements(index), episode.tree(index)
    step, previous = episode.steps[index], episode.steps[index - 1] if index else None
    titles = [node["name"] for node in tree["nodes"] if node["parent"] < 0 and node["name"]]
    observation = {
        "screenshot": episode.pixels(index),
        "elements": elements.features,
        "element_count": len(elements),
    }
    info = {
        "window_titles": titles,
        "a11y": tree,
        "instruction": episode.meta.instruction,
        "steps_left": episode.meta.max_steps - index,
        # Older episodes do not store the number of slides; their requests show neither number.
        "document": {"slide": step.slide_count and step.slide, "slide_count": step.slide_count},
        "clipboard": step.clipboard or "",
        "action_error": previous and previous.action_error,
        "command": (previous and previous.command) or {},
    }
    return observation, info


def _why_not_compact(episode: SourceEpisode) -> str:
    """Return why an episode on a document cannot be written in the dialect; ``""`` if it can.

    Raises:
        StoreError: If its files cannot be read.
    """
    if not 0 < count_tokens(episode.outline) <= COMPACT_MAX:
        return "its outline is not that of the view compact: play with --env-option view=compact"
    if len(episode.steps) > MAX_CALLS:
        return f"it has more calls than the {MAX_CALLS} of an answer"
    tools = toolbox(_FAMILIES)
    for index in range(len(episode.steps)):
        call = episode.tool_call(index)
        if call is None or episode.steps[index].action_error:
            return f"step {index}: the call was refused"
        if call["name"] not in tools:
            return f"step {index}: {call['name']} is not a typed edit"
    return ""


def _compact_conversation(episode: SourceEpisode) -> Conversation:
    """Return the request and the reply of an episode on a document.

    Raises:
        StoreError: If its files cannot be read, or it cannot be written in the dialect.
    """
    if reason := _why_not_compact(episode):
        raise StoreError(f"{episode.folder}: cannot be written in compact: {reason}")
    tools = [tool.to_json() for tool in toolbox(_FAMILIES).values()]
    chat = Conversation()
    for message in first_messages(tools, episode.meta.instruction, episode.outline):
        chat.add_message(message["role"], message["content"])
    calls = (episode.tool_call(index) for index in range(len(episode.steps)))
    chat.add_message(
        "assistant", render_calls([ToolCall(c["name"], c["arguments"]) for c in calls if c])
    )
    return chat
