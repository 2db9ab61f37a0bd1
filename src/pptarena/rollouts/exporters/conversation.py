"""An episode as chat messages: the stored conversation of the model if there is one.

Without a stored conversation (scripted agents, agents with several roles, records without a system
prompt), the messages are built from the steps: on a screen, screenshots and actions as JSON; on a
document, its outline, tool calls and their results.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model import Observer, Picture, read_sources
from pptarena.errors import ConfigError
from pptarena.rollouts.exporters.source import SourceEpisode
from pptarena.rollouts.messages import Message
from pptarena.sources import PICTURES

__all__ = ["Conversation", "conversation"]

_SCREEN = (
    "You edit a slide deck in an office application through mouse and keyboard. After each "
    "screenshot, answer with one action as JSON; points are shares of the screen from 0 to 1."
)
_DOCUMENT = (
    "You edit a presentation by calling tools. Slides and shapes are named by the ids in the "
    "outline of the deck. Call done when the task is finished, or fail if it cannot be done."
)


@dataclass(frozen=True)
class Conversation:
    """Messages of an episode, and their pictures in order.

    Attributes:
        messages: ``role``, ``content`` (parts of ``type`` text or image), ``reasoning_content`` and
            ``tool_calls``.
        images: ``bytes`` (PNG) and ``path`` of every image part.
    """

    messages: list[dict[str, Any]] = field(default_factory=list)
    images: list[dict[str, Any]] = field(default_factory=list)

    def add_message(
        self,
        role: str,
        text: str = "",
        *,
        images: Sequence[tuple[bytes, str]] = (),
        captions: Sequence[str] = (),
        thought: str = "",
        calls: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Add a message; images precede its text, each after its caption if it has one."""
        parts: list[tuple[str, str | None]] = []
        for number, (png, path) in enumerate(images):
            parts += [("text", each) for each in captions[number : number + 1] if each]
            parts.append(("image", None))
            self.images.append({"bytes": png, "path": path})
        if text or not (parts or calls):
            parts.append(("text", text))
        self.messages.append(
            {
                "role": role,
                "content": [{"type": kind, "text": content} for kind, content in parts],
                "reasoning_content": thought or None,
                "tool_calls": [_call(**call) for call in calls] or None,
            }
        )


def conversation(episode: SourceEpisode) -> Conversation:
    """Return the messages of an episode.

    Raises:
        StoreError: If its files cannot be read.
    """
    replies = episode.replies
    if replies and episode.model is not None and episode.model.system:
        pictures = _Pictures(episode)
        if pictures.can_recreate and not any(reply.role for reply in replies):
            return _stored_conversation(episode, replies, pictures)
    return _document_conversation(episode) if episode.on_document else _screen_conversation(episode)


class _Pictures:
    """The model's pictures, recreated from the stored screens and trees."""

    def __init__(self, episode: SourceEpisode) -> None:
        assert episode.model is not None, "a model played"
        self._episode = episode
        self._observer: Observer | None = None
        self.can_recreate = episode.on_document
        if episode.on_document:
            return
        try:
            self._sources = read_sources(episode.model.see)
            dialect = get_dialect(episode.model.dialect)
        except ConfigError:  # a source or a dialect of a later version
            return
        # The picture on the clipboard is not stored.
        picture_sources = [
            each for each in self._sources if each in PICTURES and "clipboard" not in each
        ]
        self.can_recreate = "clipboard-picture" not in self._sources
        if picture_sources and self.can_recreate:
            self._observer = Observer(",".join(picture_sources), dialect.picture_size)

    def at(self, step: int) -> list[tuple[Picture, str]]:
        """Return the pictures before a step, each with a name for its file."""
        if self._observer is None:
            return []
        episode = self._episode
        pixels, name = episode.pixels(step), episode.screenshot_file(step)
        marked = any(each.endswith("marks") for each in self._sources)
        elements = episode.elements(step) if marked else None
        shown_pictures = self._observer.pictures(
            {
                "screenshot": pixels,
                "elements": pixels[:0, :0, :1] if elements is None else elements.features,
                "element_count": 0 if elements is None else len(elements),
            }
        )
        if (
            len(shown_pictures) == 1
            and not marked
            and shown_pictures[0].size == (pixels.shape[1], pixels.shape[0])
        ):
            return [(replace(shown_pictures[0], png=episode.screenshot(step)), name)]
        stem = name.removesuffix(".png")
        names = (
            name if not number else f"{stem}-{number}.png" for number in range(len(shown_pictures))
        )
        return list(zip(shown_pictures, names, strict=True))


def _stored_conversation(
    episode: SourceEpisode, messages: Sequence[Message], pictures: _Pictures
) -> Conversation:
    assert episode.model is not None, "a model played"
    chat, previous_has_calls = Conversation(), False
    chat.add_message("system", episode.model.system)
    for message in messages:
        step_pictures = pictures.at(message.first)
        images = [(picture.png, name) for picture, name in step_pictures]
        captions = [picture.caption for picture, _ in step_pictures]
        if previous_has_calls:
            chat.add_message("tool", message.shown)
            if images:  # few chat templates accept pictures as results of tools
                chat.add_message("user", images=images, captions=captions)
        else:
            chat.add_message("user", message.shown, images=images, captions=captions)
        chat.add_message("assistant", message.text, thought=message.thought, calls=message.calls)
        previous_has_calls = bool(message.calls)
    return chat


def _document_conversation(episode: SourceEpisode) -> Conversation:
    chat, outline = Conversation(), episode.outline
    chat.add_message("system", _DOCUMENT)
    deck = f"\n\nThe deck now:\n{outline}" if outline else ""
    content = f"Task: {episode.meta.instruction}{deck}"
    role = "user"
    for index in range(len(episode.steps)):
        chat.add_message(role, content)
        call = episode.tool_call(index)
        if call is None:
            chat.add_message("assistant", episode.refused(index), thought=episode.thought(index))
        else:
            chat.add_message("assistant", thought=episode.thought(index), calls=[call])
        role, content = "tool" if call else "user", episode.result(index)
    return chat


def _screen_conversation(episode: SourceEpisode) -> Conversation:
    chat = Conversation()
    chat.add_message("system", _SCREEN)
    for index, step in enumerate(episode.steps):
        content = episode.meta.instruction if index == 0 else _refusal(episode, index)
        images = [(episode.screenshot(index), episode.screenshot_file(index))]
        chat.add_message("user", content, images=images)
        action = step.action.to_json()
        action.pop("element", None)
        for name, pixel in (("xy", step.aim.point), ("end_xy", step.aim.end)):
            action |= {name: list(_fractions(pixel, episode.meta.screen))} if pixel else {}
        text = json.dumps(action, ensure_ascii=False)
        chat.add_message("assistant", text, thought=episode.thought(index))
    return chat


def _refusal(episode: SourceEpisode, index: int) -> str:
    error = episode.steps[index - 1].action_error
    return f"That could not be done: {error}" if error else ""


def _call(name: str, arguments: Any, **_: Any) -> dict[str, Any]:
    # Arguments differ between tools, and a column has one type.
    text = json.dumps(arguments, ensure_ascii=False)
    return {"type": "function", "function": {"name": name, "arguments": text}}


def _fractions(pixel: tuple[int, int], screen: tuple[int, int]) -> Iterator[float]:
    return (round((part + 0.5) / size, 4) for part, size in zip(pixel, screen, strict=True))
