"""Common base of all machines that run the guest program."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pptarena.envs.machines.base import Files, Machine, MachineObservation
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_reply import parse_deck, parse_files
from pptarena.errors import MachineLostError
from pptarena.vm_images.guest.protocol import Command, Frame

__all__ = ["GuestMachine", "guest_settings"]


class GuestMachine(Machine):
    """A machine whose guest program is reached through a `GuestLink`."""

    runs_office: ClassVar[bool] = True

    @abstractmethod
    def _link(self) -> GuestLink | None:
        """Return the link to the running guest; None if there is none."""

    def _require_link(self) -> GuestLink:
        link = self._link()
        if link is None:
            raise MachineLostError("the machine does not run; reset the environment")
        return link

    def _request(self, method: str, params: Mapping[str, Any], *blobs: bytes) -> Frame:
        return self._require_link().request(method, params, self.config.step_timeout_sec, *blobs)

    def _request_observation(self, method: str, params: Mapping[str, Any]) -> MachineObservation:
        return self._require_link().parse_observation(self._request(method, params), self.config)

    def _perform_impl(self, command: Command) -> MachineObservation:
        return self._request_observation("perform", {"command": command.to_json()})

    def _save_impl(self, commit_edit: bool) -> bytes:
        return parse_deck(self._request("save", {"commit": commit_edit}))

    def _saved_file_impl(self) -> bytes:
        return parse_deck(self._request("kept", {}))

    def _collect_impl(self, names: Sequence[str]) -> Files:
        return parse_files(self._request("collect", {"names": list(names)}), names)


def guest_settings(config: MachineConfig) -> dict[str, Any]:
    """Return the part of the settings that the guest program applies."""
    return {
        "width_px": config.width_px,
        "height_px": config.height_px,
        "settle_cap_sec": config.settle_cap_sec,
        "start_sec": config.start_timeout_sec,
        "answer_sec": config.step_timeout_sec / 2,
        "tree_nodes": config.max_nodes,
        "tree_sec": config.tree_time_sec,
        "memory_limit_bytes": config.memory_limit_bytes,
    }
