"""Settings of the remote machine."""

from dataclasses import dataclass

from pptarena.envs.machines.config import MachineConfig

__all__ = ["RemoteConfig"]


@dataclass(frozen=True, slots=True)
class RemoteConfig(MachineConfig):
    """Where a remote machine is, besides what every machine has.

    Attributes:
        remote_address: Where the guest program listens, ``unix:/path`` or ``tcp:HOST:PORT``;
            several, with commas between, serve several environments. Empty takes the environment
            variable ``PPTARENA_REMOTE_ADDRESS``.
        remote_token_file: File that holds the token of that guest program. Empty takes the
            environment variable ``PPTARENA_REMOTE_TOKEN``.
    """

    remote_address: str = ""
    remote_token_file: str = ""
