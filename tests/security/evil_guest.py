"""A malicious guest: the real protocol on a real socket, with replies chosen by an attacker."""

import contextlib
import io
import json
import secrets
import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptx import Presentation

from pptarena.vm_images.guest.address import parse_address
from pptarena.vm_images.guest.listen import Listener
from pptarena.vm_images.guest.protocol import read_frame
from pptarena.vm_images.guest.stream import exact_reader

__all__ = [
    "HEIGHT_PX",
    "PIXELS",
    "WIDTH_PX",
    "Attack",
    "EvilGuest",
    "frame",
    "honest_facts",
    "honest_reply",
]

WIDTH_PX, HEIGHT_PX = 320, 240
PIXELS = bytes(WIDTH_PX * HEIGHT_PX * 3)


@dataclass(frozen=True, slots=True)
class Attack:
    """One invalid reply.

    Attributes:
        name: What is wrong.
        method: The request that gets this reply; all other requests get honest ones.
        reply: Returns the reply's bytes for a request id.
        hangs_up: Whether the guest then closes the connection.
        is_lie: Whether the host must detect it; if False, the host may accept the reply.
    """

    name: str
    method: str
    reply: Callable[[int], bytes]
    hangs_up: bool = False
    is_lie: bool = True


class EvilGuest:
    """Listens on a Unix socket in this process and serves one host after another.

    Args:
        token: Token that hosts must present; None generates one.

    Attributes:
        attack: The current attack; None for honest replies. May be changed at any time.
        application: Application name reported to hosts.
    """

    def __init__(self, token: str | None = None) -> None:
        self.attack: Attack | None = None
        self.application = "Lies 1.0"
        self._folder = tempfile.TemporaryDirectory()
        self.deck = _deck()
        self.address = f"unix:{self._folder.name}/guest.sock"
        self.token_file = Path(self._folder.name) / "token"
        token = token or secrets.token_urlsafe(32)
        self.token_file.write_text(token)
        self._listener = Listener(parse_address(self.address), token.encode(), self._serve)
        threading.Thread(target=self._listener.run, daemon=True).start()

    def close(self) -> None:
        """Stop listening and delete the socket."""
        self._listener.close()
        self._folder.cleanup()

    @contextlib.contextmanager
    def lying(self, attack: Attack) -> Iterator[None]:
        """Reply with an attack inside a ``with`` block."""
        self.attack = attack
        try:
            yield
        finally:
            self.attack = None

    def _serve(self, connection: socket.socket) -> None:
        read = exact_reader(connection)
        with contextlib.suppress(EOFError, OSError):
            while True:
                header = read_frame(read).header
                attack = self.attack
                if attack is None or attack.method != header["method"]:
                    connection.sendall(self._honest(header["method"], header["id"]))
                    continue
                connection.sendall(attack.reply(header["id"]))
                if attack.hangs_up:
                    return

    def _honest(self, method: str, number: int) -> bytes:
        if method == "hello":
            return frame({"id": number, "result": {"application": self.application}})
        if method in ("load", "perform", "look"):
            return honest_reply(number)
        return frame({"id": number, "result": {}}, self.deck)


def honest_facts() -> dict[str, Any]:
    """Return the observation of an honest guest, with two accessibility nodes."""
    window = {"index": 0, "parent": -1, "role": "frame", "name": "window", "text": ""}
    button = {"index": 1, "parent": 0, "role": "push button", "name": "press me", "text": ""}
    shown = {"description": "", "box": [1, 1, 100, 100], "states": ["showing", "visible"]}
    return {
        "width_px": WIDTH_PX,
        "height_px": HEIGHT_PX,
        "nodes": [{**window, **shown}, {**button, **shown}],
        "degraded": "",
        "window_titles": ["window"],
        "clipboard": "words",
        "document": {
            "open": True,
            "revision": 1,
            "editing": False,
            "slide": 1,
            "slide_count": 1,
        },
        "timing": {
            "action": 0.1,
            "settle": 0.1,
            "settled_by": "quiet",
            "screenshot": 0.1,
            "tree": 0.1,
        },
    }


def honest_reply(number: int, facts: dict[str, Any] | None = None) -> bytes:
    """Return the bytes of an observation reply."""
    return frame({"id": number, "result": facts or honest_facts()}, PIXELS)


def frame(header: dict[str, Any] | bytes, *blobs: bytes) -> bytes:
    """Return the bytes of a frame; a header given as bytes is sent unchanged, without blob sizes.

    Unlike the real encoder, this one also writes numbers and surrogates that JSON does not allow.
    """
    if not isinstance(header, bytes):
        sizes = {"blobs": [len(blob) for blob in blobs]}
        header = json.dumps({**header, **sizes}).encode("utf-8", "surrogatepass")
    return b"".join((struct.pack(">4sI", b"PPTA", len(header)), header, *blobs))


def _deck() -> bytes:
    presentation, stream = Presentation(), io.BytesIO()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Harvest"
    presentation.save(stream)
    return stream.getvalue()
