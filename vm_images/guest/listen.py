"""Accept hosts at an address and serve those with the right token, one at a time."""

import contextlib
import socket
import sys
import threading
import time
from collections.abc import Callable

from pptarena.vm_images.guest.address import Address, tune
from pptarena.vm_images.guest.handshake import HandshakeError, answer_proof, request_proof

__all__ = ["Listener"]

HANDSHAKE_SEC = 5.0
BUSY_SEC = 3.0  # a host may reconnect before its last connection has ended
_MAX_UNAUTHENTICATED = 16  # most simultaneous unauthenticated connections
_PAUSE_SEC = 0.1


class Listener:
    """Listens at one address.

    Args:
        address: The address; the file of a Unix socket is removed by `close`.
        token: The token that hosts must prove to have.
        serve: Serves one host until it disconnects; runs in its own thread.
        handshake_sec: Timeout of a host's authentication.
        busy_sec: How long a new host waits for the previous one to disconnect before it is refused.

    Raises:
        OSError: If the address is in use or unavailable.
    """

    def __init__(
        self,
        address: Address,
        token: bytes,
        serve: Callable[[socket.socket], None],
        handshake_sec: float = HANDSHAKE_SEC,
        busy_sec: float = BUSY_SEC,
    ) -> None:
        self._address = address
        self._token = token
        self._serve = serve
        self._handshake_sec = handshake_sec
        self._busy_sec = busy_sec
        self._session_lock = threading.Lock()
        self._unauthenticated = threading.BoundedSemaphore(_MAX_UNAUTHENTICATED)
        self._closed = False
        self._socket = address.listen()

    def run(self) -> None:
        """Accept hosts until `close`."""
        while not self._closed:
            try:
                connection, _ = self._socket.accept()
            except OSError as error:
                if not self._closed:
                    _log(f"cannot accept a connection: {error}")
                    time.sleep(_PAUSE_SEC)
                continue
            if not self._unauthenticated.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def close(self) -> None:
        """Stop listening. A second call does nothing."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits in `accept`
            self._socket.close()
            self._address.remove()

    def _handle(self, connection: socket.socket) -> None:
        with connection:
            try:
                is_authenticated = self._authenticate(connection)
            finally:
                self._unauthenticated.release()
            if not is_authenticated:
                return
            try:
                connection.settimeout(None)
                self._serve(connection)
            finally:
                self._session_lock.release()

    def _authenticate(self, connection: socket.socket) -> bool:
        """Return whether the host may be served; in this case `_session_lock` is held."""
        try:
            if connection.family != getattr(socket, "AF_UNIX", None):
                tune(connection)
            deadline = time.monotonic() + self._handshake_sec
            proof = request_proof(connection, self._token, deadline)
            if proof is None:
                _log("refused a host with another token")
                return False
            has_lock = self._session_lock.acquire(timeout=self._busy_sec)
        except (HandshakeError, OSError) as error:  # includes `TimeoutError`
            _log(f"a connection ended before authentication: {error or 'timeout'}")
            return False
        try:
            deadline = time.monotonic() + self._handshake_sec
            answer_proof(connection, proof, not has_lock, deadline)
        except (HandshakeError, OSError):
            if has_lock:
                self._session_lock.release()
            return False
        return has_lock


def _log(text: str) -> None:
    sys.stderr.write(f"pptarena guest: {text}\n")
