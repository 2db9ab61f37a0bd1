"""Both ends of a remote connection prove that they know the same token, which never travels.

The guest sends ``b"PPTARM01"`` and 32 random bytes. The host sends 32 random bytes of its own and
``HMAC-SHA256(token, b"host" + both)``. The guest answers one byte: ``+`` and its own proof
``HMAC-SHA256(token, b"guest" + both)``, or ``-`` for a wrong token, or ``=`` when another host is
served; then it hangs up. After ``+`` the frames of `protocol` follow. Nothing is encrypted.

Host and guest share this module; standard library only.
"""

import hashlib
import hmac
import os
import secrets
import socket
import time
from pathlib import Path

__all__ = [
    "TOKEN_VARIABLE",
    "GuestBusyError",
    "HandshakeError",
    "TokenRefusedError",
    "answer_proof",
    "prove",
    "read_token",
    "request_proof",
]

TOKEN_VARIABLE = "PPTARENA_REMOTE_TOKEN"
MIN_TOKEN_CHARS = 16
_MAGIC = b"PPTARM01"
_NONCE_BYTES = 32
_PROOF_BYTES = hashlib.sha256().digest_size
_ACCEPTED, _REFUSED, _BUSY = b"+", b"-", b"="
_MAKE_ONE = "make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"


class HandshakeError(Exception):
    """The peer is no pptarena guest or host, or went away."""


class TokenRefusedError(HandshakeError):
    """The two ends do not know the same token."""


class GuestBusyError(HandshakeError):
    """The guest serves another host."""


def read_token(file: str | Path) -> bytes:
    """Return the token in a file, or that in the environment if no file is named.

    Raises:
        ValueError: If there is none or it is too short; says how to make one.
        OSError: If the file cannot be read.
    """
    where = f"in {file}" if file else f"in the environment variable {TOKEN_VARIABLE}"
    text = Path(file).read_text("utf-8") if file else os.environ.get(TOKEN_VARIABLE, "")
    token = text.strip()
    if len(token) < MIN_TOKEN_CHARS:
        raise ValueError(
            f"expected a token of at least {MIN_TOKEN_CHARS} characters {where},"
            f" found {len(token)}; {_MAKE_ONE}"
        )
    return token.encode()


def prove(connection: socket.socket, token: bytes, deadline: float) -> None:
    """The host's part: prove to know the token, and have the guest prove it.

    Raises:
        TokenRefusedError: If either end has another token.
        GuestBusyError: If the guest serves another host.
        HandshakeError: If this is no guest, or it goes away.
        TimeoutError: If it does not answer by `deadline` (`time.monotonic`).
    """
    greeting = _receive(connection, len(_MAGIC) + _NONCE_BYTES, deadline)
    if not greeting.startswith(_MAGIC):
        raise HandshakeError(f"expected a pptarena guest, but it said {greeting[:20]!r}")
    own = secrets.token_bytes(_NONCE_BYTES)
    nonces = greeting[len(_MAGIC) :] + own
    _send(connection, own + _proof(token, b"host", nonces), deadline)
    answer = _receive(connection, 1, deadline)
    if answer == _REFUSED:
        raise TokenRefusedError("the remote guest refused the token")
    if answer == _BUSY:
        raise GuestBusyError("the remote guest is in use by another host")
    if answer != _ACCEPTED:
        raise HandshakeError(f"expected a pptarena guest, but it said {answer!r}")
    theirs = _receive(connection, _PROOF_BYTES, deadline)
    if not hmac.compare_digest(theirs, _proof(token, b"guest", nonces)):
        raise TokenRefusedError("the remote guest does not know the token")


def request_proof(connection: socket.socket, token: bytes, deadline: float) -> bytes | None:
    """The guest's first part: have the host prove that it knows the token.

    Returns:
        The guest's own proof for `answer_proof`; None if the host has another token and was
        told so.

    Raises:
        HandshakeError: If the host goes away.
        TimeoutError: If it does not answer by `deadline` (`time.monotonic`).
    """
    own = secrets.token_bytes(_NONCE_BYTES)
    _send(connection, _MAGIC + own, deadline)
    answer = _receive(connection, _NONCE_BYTES + _PROOF_BYTES, deadline)
    nonces = own + answer[:_NONCE_BYTES]
    if not hmac.compare_digest(answer[_NONCE_BYTES:], _proof(token, b"host", nonces)):
        _send(connection, _REFUSED, deadline)
        return None
    return _proof(token, b"guest", nonces)


def answer_proof(connection: socket.socket, proof: bytes, busy: bool, deadline: float) -> None:
    """The guest's second part: take the host, or tell it that another one is served.

    Raises:
        HandshakeError: If the host goes away.
        TimeoutError: If it does not take the answer by `deadline`.
    """
    _send(connection, _BUSY if busy else _ACCEPTED + proof, deadline)


def _proof(token: bytes, end: bytes, nonces: bytes) -> bytes:
    return hmac.digest(token, end + nonces, "sha256")


def _send(connection: socket.socket, data: bytes, deadline: float) -> None:
    try:
        connection.settimeout(_left(deadline))
        connection.sendall(data)
    except TimeoutError:
        raise
    except OSError as error:
        raise HandshakeError(f"the other end went away: {error}") from error


def _receive(connection: socket.socket, count: int, deadline: float) -> bytes:
    data = b""
    while len(data) < count:
        try:
            connection.settimeout(_left(deadline))
            chunk = connection.recv(count - len(data))
        except TimeoutError:
            raise
        except OSError as error:
            raise HandshakeError(f"the other end went away: {error}") from error
        if not chunk:
            raise HandshakeError("the other end hung up")
        data += chunk
    return data


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
