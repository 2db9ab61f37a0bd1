"""Watch a virtual machine's screen with a VNC viewer at a Unix socket.

The connection goes through a serial port to a VNC server in the guest, since the machine has no
network. The socket lasts as long as the machine object, across all its virtual machines: a reset
disconnects the viewer, and a viewer that connects meanwhile waits for the next one.
"""

import os
import secrets
import socket
import string

from pptarena.envs.machines.base import Viewer
from pptarena.envs.machines.qemu.watch_relay import WatchChannel, WatchRelay
from pptarena.envs.machines.snapshots.scratch import SOCKET_NAME, Scratch, socket_home
from pptarena.errors import HostError

__all__ = ["WatchPoint"]

_PASSWORD_LENGTH = 8  # VNC ignores further characters
_ALPHABET = string.ascii_letters + string.digits
_WAITING_VIEWERS = 4


class WatchPoint:
    """The endpoint for viewers, one at a time.

    Raises:
        HostError: If no socket can be created.

    Attributes:
        viewer: ``unix:`` and the path of the socket, which only this user can access; the password.
    """

    def __init__(self) -> None:
        self._scratch = Scratch(socket_home())
        path = self._scratch.folder / SOCKET_NAME
        password = "".join(secrets.choice(_ALPHABET) for _ in range(_PASSWORD_LENGTH))
        self.viewer = Viewer(f"unix:{path}", password)
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(str(path))
            path.chmod(0o600)
            listener.listen(_WAITING_VIEWERS)
        except BaseException as error:
            listener.close()
            self._scratch.release()
            if isinstance(error, OSError):
                raise HostError(f"no socket for viewers can be made at {path}: {error}") from error
            raise
        self._pid = os.getpid()
        self._relay: WatchRelay | None = WatchRelay(listener)
        self._relay.start()

    def attach(self, channel: WatchChannel) -> None:
        """Show this virtual machine from now on; takes ownership of our end of the channel."""
        assert self._relay is not None, "the point is closed"
        self._relay.attach(channel)

    def close(self) -> None:
        """Disconnect all viewers and remove the socket. Later calls do nothing."""
        relay, self._relay = self._relay, None
        if relay is not None and os.getpid() == self._pid:  # a forked process lacks the thread
            relay.stop()
            self._scratch.release()
