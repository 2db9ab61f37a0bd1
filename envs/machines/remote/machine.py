"""The remote machine: a guest program that already runs elsewhere and listens at an address."""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pptarena.envs.machines.base import Files, MachineObservation
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import GuestMachine, guest_settings
from pptarena.envs.machines.guest_reply import parse_application
from pptarena.errors import (
    ActionError,
    ConfigError,
    DeckError,
    MachineError,
    MachineLostError,
    MachineStartError,
)
from pptarena.vm_images.guest.address import Address, parse_address
from pptarena.vm_images.guest.handshake import (
    TOKEN_VARIABLE,
    GuestBusyError,
    HandshakeError,
    TokenRefusedError,
    prove,
    read_token,
)
from pptarena.vm_images.guest.protocol import PROTOCOL_VERSION, Command

__all__ = ["ADDRESS_VARIABLE", "RemoteConfig", "RemoteMachine"]

ADDRESS_VARIABLE = "PPTARENA_REMOTE_ADDRESS"
HANDSHAKE_SEC = 10.0
_START_HINT = "start a guest there with: python3 -m pptarena.vm_images.guest --listen ADDRESS"


@dataclass(frozen=True, slots=True)
class RemoteConfig(MachineConfig):
    """Address of a remote machine, in addition to the settings of all machines.

    Attributes:
        remote_address: Address of the guest program, ``unix:/path`` or ``tcp:HOST:PORT``; several,
            separated by commas, serve several environments. If empty, the environment variable
            ``PPTARENA_REMOTE_ADDRESS`` is used.
        remote_token_file: File that holds the token of that guest program. If empty, the
            environment variable ``PPTARENA_REMOTE_TOKEN`` is used.
    """

    remote_address: str = ""
    remote_token_file: str = ""


class RemoteMachine(GuestMachine):
    """A desktop at an address: in a container, on another computer, on Windows.

    It connects on the first `load` and reconnects on the `load` after a loss. Of several addresses
    it uses the first whose guest is free, so that one configuration serves all environments of a
    vector. The guest's address is part of `application_version`, because two computers may save the
    same deck differently.

    Args:
        config: Its settings, with address and token.

    Raises:
        ConfigError: If there is no address or no token.
    """

    kind: ClassVar[str] = "remote"
    config_class: ClassVar[type[MachineConfig]] = RemoteConfig
    config: RemoteConfig

    def __init__(self, config: MachineConfig | None = None) -> None:
        super().__init__(config)
        self._addresses = _addresses(self.config)
        self._token = _token(self.config)
        self._connection: GuestLink | None = None
        self._application = ""

    def _application_version_impl(self) -> str:
        if not self._application:  # the known name is kept after a loss
            self._require_connection()
        return self._application

    def _link(self) -> GuestLink | None:
        return self._connection

    def _load_impl(self, deck: bytes, name: str, files: Files) -> MachineObservation:
        link = self._require_connection()
        with self._disconnect_on_failure():
            return link.load(deck, name, files, self.config.start_timeout_sec, self.config)

    def _perform_impl(self, command: Command) -> MachineObservation:
        with self._disconnect_on_failure():
            return super()._perform_impl(command)

    def _save_impl(self, commit_edit: bool) -> bytes:
        with self._disconnect_on_failure():
            return super()._save_impl(commit_edit)

    def _memory_bytes_impl(self) -> int | None:
        return None  # on another computer

    def _close_impl(self) -> None:
        self._disconnect()

    @contextlib.contextmanager
    def _disconnect_on_failure(self) -> Iterator[None]:
        """Disconnect on any failure except a refusal, so that the next `load` reconnects."""
        try:
            yield
        except (ActionError, DeckError):
            raise
        except BaseException:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        link, self._connection = self._connection, None
        if link is not None:
            link.close()

    def _require_connection(self) -> GuestLink:
        """Return the link to a guest whose desktop is ready."""
        if self._closed:
            raise MachineLostError("the machine is closed; make a new one")
        if self._connection is None:
            address, link = self._connect_first_free()
            try:
                hello = {"version": PROTOCOL_VERSION, "settings": guest_settings(self.config)}
                reply = link.request("hello", hello, self.config.start_timeout_sec)
                self._application = f"{parse_application(reply)} at {address}"
            except MachineError as error:
                link.close()
                raise MachineStartError(
                    f"the desktop at {address} did not start: {error}"
                ) from error
            except BaseException:
                link.close()
                raise
            self._connection = link
        return self._connection

    def _connect_first_free(self) -> tuple[Address, GuestLink]:
        """Connect to the first address that accepts this host.

        Raises:
            MachineStartError: If none does; the message lists the reasons.
        """
        problems = []
        for address in self._addresses:
            try:
                return address, self._connect(address)
            except MachineStartError as error:
                problems.append(str(error))
        raise MachineStartError("; ".join(problems))

    def _connect(self, address: Address) -> GuestLink:
        deadline = time.monotonic() + min(HANDSHAKE_SEC, self.config.start_timeout_sec)
        try:
            connection = address.connect(deadline - time.monotonic())
        except OSError as error:
            raise MachineStartError(
                f"no remote guest responds at {address} ({error}); {_START_HINT}"
            ) from error
        try:
            prove(connection, self._token, deadline)
        except TimeoutError as error:
            connection.close()
            raise MachineStartError(f"the remote guest at {address} does not respond") from error
        except HandshakeError as error:
            connection.close()
            raise MachineStartError(f"{error} ({address}); {_hint(error)}") from error
        except BaseException:
            connection.close()
            raise
        return GuestLink(connection)


def _hint(error: HandshakeError) -> str:
    if isinstance(error, TokenRefusedError):
        return f"set {TOKEN_VARIABLE} or remote_token_file to the token the guest was started with"
    if isinstance(error, GuestBusyError):
        return "start another guest for each further environment, at an address of its own"
    return _START_HINT


def _addresses(config: RemoteConfig) -> tuple[Address, ...]:
    text = config.remote_address or os.environ.get(ADDRESS_VARIABLE, "")
    if not text:
        raise ConfigError(
            "machine 'remote' needs an address: set remote_address, or the"
            f" environment variable {ADDRESS_VARIABLE}, to one such as 'tcp:127.0.0.1:7001';"
            f" {_START_HINT}"
        )
    try:
        return tuple(parse_address(part) for part in text.split(","))
    except ValueError as error:
        raise ConfigError(f"remote_address: {error}") from error


def _token(config: RemoteConfig) -> bytes:
    try:
        return read_token(config.remote_token_file)
    except (OSError, ValueError) as error:
        raise ConfigError(f"machine 'remote' needs the guest's token: {error}") from error
