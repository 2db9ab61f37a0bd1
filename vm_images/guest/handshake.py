"""Mutual authentication of a remote connection by a shared token, which is never transmitted.

The guest sends ``b"PPTARM01"`` and 32 random bytes. The host sends 32 random bytes of its own and
``HMAC-SHA256(token, b"host" + both)``. The guest answers one byte: ``+`` and its own proof
``HMAC-SHA256(token, b"guest" + both)``, ``-`` for a wrong token, or ``=`` if it serves another
host; after ``-`` and ``=`` it disconnects. After ``+`` the frames of `protocol` follow. Nothing is
encrypted.

Shared by host and guest; standard library only.
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
_CREATE_HINT = "create one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"


class HandshakeError(Exception):
    """The peer is not a pptarena guest or host, or disconnected."""


class TokenRefusedError(HandshakeError):
    """The two peers have different tokens."""


class GuestBusyError(HandshakeError):
    """The guest serves another host."""


def read_token(file: str | Path) -> bytes:
    """Return the token in a file, or in the environment variable if no file is given.

    Raises:
        ValueError: If the token is missing or too short; the message shows how to create one.
        OSError: If the file cannot be read.
    """
    source = f"in {file}" if file else f"in the environment variable {TOKEN_VARIABLE}"
    text = Path(file).read_text("utf-8") if file else os.environ.get(TOKEN_VARIABLE, "")
    token = text.strip()
    if len(token) < MIN_TOKEN_CHARS:
        raise ValueError(
            f"expected a token of at least {MIN_TOKEN_CHARS} characters {source},"
            f" found {len(token)}; {_CREATE_HINT}"
        )
    return token.encode()


def prove(connection: socket.socket, token: bytes, deadline: float) -> None:
    """Run the host's part: prove knowledge of the token and verify the guest's proof.

    Raises:
        TokenRefusedError: If the tokens differ.
        GuestBusyError: If the guest serves another host.
        HandshakeError: If the peer is not a guest, or disconnects.
        TimeoutError: If it does not answer by `deadline` (`time.monotonic`).
    """
    greeting = _receive(connection, len(_MAGIC) + _NONCE_BYTES, deadline)
    if not greeting.startswith(_MAGIC):
        raise HandshakeError(f"the peer is not a pptarena guest: it sent {greeting[:20]!r}")
    nonce = secrets.token_bytes(_NONCE_BYTES)
    nonces = greeting[len(_MAGIC) :] + nonce
    _send(connection, nonce + _proof(token, b"host", nonces), deadline)
    answer = _receive(connection, 1, deadline)
    if answer == _REFUSED:
        raise TokenRefusedError("the remote guest refused the token")
    if answer == _BUSY:
        raise GuestBusyError("the remote guest is in use by another host")
    if answer != _ACCEPTED:
        raise HandshakeError(f"the peer is not a pptarena guest: it sent {answer!r}")
    guest_proof = _receive(connection, _PROOF_BYTES, deadline)
    if not hmac.compare_digest(guest_proof, _proof(token, b"guest", nonces)):
        raise TokenRefusedError("the remote guest has another token")


def request_proof(connection: socket.socket, token: bytes, deadline: float) -> bytes | None:
    """Run the guest's first part: verify the host's proof.

    Returns:
        The guest's own proof for `answer_proof`; None if the host has another token and was
        refused.

    Raises:
        HandshakeError: If the host disconnects.
        TimeoutError: If it does not answer by `deadline` (`time.monotonic`).
    """
    nonce = secrets.token_bytes(_NONCE_BYTES)
    _send(connection, _MAGIC + nonce, deadline)
    answer = _receive(connection, _NONCE_BYTES + _PROOF_BYTES, deadline)
    nonces = nonce + answer[:_NONCE_BYTES]
    if not hmac.compare_digest(answer[_NONCE_BYTES:], _proof(token, b"host", nonces)):
        _send(connection, _REFUSED, deadline)
        return None
    return _proof(token, b"guest", nonces)


def answer_proof(connection: socket.socket, proof: bytes, busy: bool, deadline: float) -> None:
    """Run the guest's second part: accept the host, or report that the guest is busy.

    Raises:
        HandshakeError: If the host disconnects.
        TimeoutError: If it does not accept the answer by `deadline`.
    """
    _send(connection, _BUSY if busy else _ACCEPTED + proof, deadline)


def _proof(token: bytes, role: bytes, nonces: bytes) -> bytes:
    return hmac.digest(token, role + nonces, "sha256")


def _send(connection: socket.socket, data: bytes, deadline: float) -> None:
    try:
        connection.settimeout(_remaining_sec(deadline))
        connection.sendall(data)
    except TimeoutError:
        raise
    except OSError as error:
        raise HandshakeError(f"the peer disconnected: {error}") from error


def _receive(connection: socket.socket, count: int, deadline: float) -> bytes:
    data = b""
    while len(data) < count:
        try:
            connection.settimeout(_remaining_sec(deadline))
            chunk = connection.recv(count - len(data))
        except TimeoutError:
            raise
        except OSError as error:
            raise HandshakeError(f"the peer disconnected: {error}") from error
        if not chunk:
            raise HandshakeError("the peer disconnected")
        data += chunk
    return data


def _remaining_sec(deadline: float) -> float:
    remaining_sec = deadline - time.monotonic()
    if remaining_sec <= 0:
        raise TimeoutError
    return remaining_sec
