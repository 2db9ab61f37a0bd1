"""What all machines share that run the guest program, wherever it runs."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.base import Machine, Node, Observed, Tree
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.errors import MachineLostError
from pptarena.vm_images.guest.protocol import Command, DocumentState, Frame

__all__ = ["GuestMachine", "guest_settings", "observed_from"]


class GuestMachine(Machine):
    """A machine that is reached through a `GuestLink`.

    Args:
        config: Its settings.
    """

    def __init__(self, config: MachineConfig) -> None:
        super().__init__()
        self.config = config

    @abstractmethod
    def _link(self) -> GuestLink | None:
        """Return the link to the running guest, None if there is none."""

    def _request(self, method: str, params: Mapping[str, Any], *blobs: bytes) -> Frame:
        link = self._link()
        if link is None:
            raise MachineLostError("the machine does not run; reset the environment")
        return link.request(method, params, self.config.step_timeout_sec, *blobs)

    def _perform_impl(self, command: Command) -> Observed:
        return observed_from(self._request("perform", {"command": command.to_json()}))

    def _save_impl(self, commit_edit: bool) -> bytes:
        frame = self._request("save", {"commit": commit_edit})
        if not frame.blobs:
            raise MachineLostError("the guest sent no document")
        return frame.blobs[0]


def guest_settings(config: MachineConfig) -> dict[str, Any]:
    """Return the part of the settings that the guest program applies."""
    return {
        "width_px": config.width_px,
        "height_px": config.height_px,
        "clock_rate": config.clock_rate,
        "quiet_sec": config.quiet_sec,
        "settle_cap_sec": config.settle_cap_sec,
        "start_sec": config.start_timeout_sec,
        "answer_sec": config.step_timeout_sec / 2,
        "tree_nodes": config.max_nodes,
        "tree_sec": config.tree_time_sec,
        "memory_limit_bytes": config.memory_limit_bytes,
    }


def observed_from(frame: Frame) -> Observed:
    """Read the reply to ``load`` or ``perform``.

    Raises:
        MachineLostError: If the reply is not what this version expects.
    """
    facts = frame.header
    try:
        shape = (facts["height_px"], facts["width_px"], 3)
        screenshot = np.frombuffer(frame.blobs[0], np.uint8).reshape(shape).copy()
        nodes = tuple(_node(node) for node in facts["nodes"])
        return Observed(
            screenshot=screenshot,
            tree=Tree(nodes, degraded=bool(facts["degraded"]), reason=facts["degraded"]),
            window_titles=tuple(facts["window_titles"]),
            clipboard=facts["clipboard"],
            document=DocumentState(**facts["document"]),
            timing=dict(facts["timing"]),
        )
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise MachineLostError(f"the guest sent a malformed observation: {error!r}") from error


def _node(value: Mapping[str, Any]) -> Node:
    left, top, width, height = value["box"]
    return Node(
        index=value["index"],
        parent=value["parent"],
        role=value["role"],
        name=value["name"],
        text=value["text"],
        description=value["description"],
        box=(left, top, width, height),
        states=frozenset(value["states"]),
    )
