"""Answer the host's requests, one at a time, until it closes the connection."""

import importlib
import socket
import time
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from Xlib.error import ConnectionClosedError

from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
)
from pptarena.vm_images.guest.limits import MemoryGuard, limit_processes
from pptarena.vm_images.guest.protocol import (
    PROTOCOL_VERSION,
    Command,
    Frame,
    ProtocolError,
    encode_frame,
    read_frame,
)
from pptarena.vm_images.guest.session import start_session
from pptarena.vm_images.guest.settings import Settings

if TYPE_CHECKING:
    from pptarena.vm_images.guest.desktop import Desktop

__all__ = ["serve"]

_Reply = tuple[dict[str, Any], list[bytes]]
_ERRORS: tuple[tuple[type[Exception], str], ...] = (
    (CommandError, "action"),
    (DeckUnreadableError, "deck"),
    (OfficeLostError, "application_lost"),
    (ConnectionClosedError, "application_lost"),  # the screen is gone
    (OfficeTimeoutError, "timeout"),
)


class _Server:
    def __init__(self) -> None:
        self._desktop: Desktop | None = None
        self.methods: dict[str, Callable[[dict[str, Any], Frame], _Reply]] = {
            "hello": self._hello,
            "load": self._load,
            "perform": self._perform,
            "save": self._save,
        }

    def _hello(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        if params["version"] != PROTOCOL_VERSION:
            raise ProtocolError(
                f"the host speaks version {params['version']}, this guest {PROTOCOL_VERSION}"
            )
        known = {field.name for field in fields(Settings)}
        settings = Settings(**{k: v for k, v in params["settings"].items() if k in known})
        limit_processes(settings.memory_limit_bytes, settings.max_processes)
        MemoryGuard(settings.memory_limit_bytes).start()
        deadline = time.monotonic() + settings.start_sec
        session = start_session(
            settings.width_px, settings.height_px, settings.clock_rate, deadline
        )
        # Only now: pyautogui opens the display when it is imported.
        module = importlib.import_module("pptarena.vm_images.guest.desktop")
        self._desktop = module.Desktop(session, settings, deadline)
        return {"application": self._desktop.office.version}, []

    def _ready(self) -> "Desktop":
        if self._desktop is None:
            raise ProtocolError("expected hello before any other request")
        return self._desktop

    def _load(self, params: dict[str, Any], frame: Frame) -> _Reply:
        seen = self._ready().load(frame.blobs[0], str(params["name"]))
        return seen.facts, [seen.rgb]

    def _perform(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        seen = self._ready().perform(Command.from_json(params["command"]))
        return seen.facts, [seen.rgb]

    def _save(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        return {}, [self._ready().save(bool(params["commit"]))]


def serve(connection: socket.socket) -> None:
    """Serve until the host hangs up; the end of this function is the end of the machine."""
    server = _Server()

    def read_exactly(count: int) -> bytes:
        data = bytearray(count)
        view, filled = memoryview(data), 0
        while filled < count:
            received = connection.recv_into(view[filled:])
            if received == 0:
                raise EOFError
            filled += received
        return bytes(data)

    while True:
        try:
            frame = read_frame(read_exactly)
        except (EOFError, OSError):
            return
        connection.sendall(_answer(server, frame))


def _answer(server: _Server, frame: Frame) -> bytes:
    identifier = frame.header.get("id")
    try:
        method = server.methods[frame.header["method"]]
        result, blobs = method(frame.header.get("params", {}), frame)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the host must hear of it
        kind = next((name for known, name in _ERRORS if isinstance(error, known)), "internal")
        text = str(error) if kind != "internal" else f"{type(error).__name__}: {error}"
        return encode_frame({"id": identifier, "error": {"type": kind, "message": text}})
    return encode_frame({"id": identifier, "result": result}, blobs)
