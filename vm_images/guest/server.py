"""Serve the host's requests, one at a time, until it closes the connection."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from pptarena.vm_images.guest.desktop import Desktop
from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
    OverloadError,
)
from pptarena.vm_images.guest.heap import release_memory
from pptarena.vm_images.guest.protocol import (
    PROTOCOL_VERSION,
    Command,
    Frame,
    ProtocolError,
    frame_head,
    read_frame,
)
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.stream import Stream, exact_reader

__all__ = ["StartDesktop", "serve"]

StartDesktop = Callable[[Settings], Desktop]
"""Starts the desktop of this system with the settings sent by the host."""

_FRAME_SEC = 0.02
_MOST_SEC = 0.1  # most time caught up in one piece, after a shortage of CPUs

_Reply = tuple[dict[str, Any], list[bytes]]
_ERRORS: tuple[tuple[type[Exception], str], ...] = (
    (CommandError, "action"),
    (DeckUnreadableError, "deck"),
    (OfficeLostError, "application_lost"),
    (OfficeTimeoutError, "timeout"),
    (OverloadError, "overload"),
)


class _Server:
    def __init__(self, start: StartDesktop) -> None:
        self._start = start
        self._desktop: Desktop | None = None
        self.methods: dict[str, Callable[[dict[str, Any], Frame], _Reply]] = {
            "hello": self._hello,
            "load": self._load,
            "perform": self._perform,
            "look": self._look,
            "save": self._save,
            "kept": self._kept,
            "collect": self._collect,
            "run_on": self._run_on,
            "park": self._park,
        }
        self.turn = threading.Lock()  # serializes requests and the time that passes between them
        self._running_on = False
        self.ended = threading.Event()

    def _hello(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        if params["version"] != PROTOCOL_VERSION:
            raise ProtocolError(
                f"the host speaks version {params['version']}, this guest {PROTOCOL_VERSION}"
            )
        known = {field.name for field in fields(Settings)}
        settings = Settings(**{k: v for k, v in params["settings"].items() if k in known})
        self._desktop = self._start(settings)
        return {"application": self._desktop.application}, []

    def _ready(self) -> Desktop:
        if self._desktop is None:
            raise ProtocolError("expected hello before any other request")
        return self._desktop

    def _load(self, params: dict[str, Any], frame: Frame) -> _Reply:
        names = [str(name) for name in params.get("files", ())]
        files = dict(zip(names, map(bytes, frame.blobs[1:]), strict=True))
        seen = self._ready().load(bytes(frame.blobs[0]), str(params["name"]), files)
        return seen.facts, [seen.rgb]

    def _look(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        seen = self._ready().look()
        return seen.facts, [seen.rgb]

    def _perform(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        seen = self._ready().perform(Command.from_json(params["command"]))
        return seen.facts, [seen.rgb]

    def _save(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        return {}, [self._ready().save(bool(params["commit"]))]

    def _kept(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        return {}, [self._ready().kept()]

    def _collect(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        found = self._ready().collect([str(name) for name in params["names"]])
        return {"found": list(found)}, list(found.values())

    def _run_on(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        desktop = self._ready()
        if not self._running_on:
            self._running_on = True
            threading.Thread(target=self._follow, args=(desktop,), daemon=True).start()
        return {}, []

    def _park(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        self._ready().park()
        release_memory()  # a checkpoint contains it
        null = os.open("/dev/null", os.O_RDWR)
        for stream in range(3):  # those of the host
            os.dup2(null, stream)
        os.close(null)
        return {}, []

    def _follow(self, desktop: Desktop) -> None:
        """Advance the desktop's time by wall-clock time between requests."""
        last = time.monotonic()
        while not self.ended.wait(_FRAME_SEC):
            with self.turn:
                now = time.monotonic()
                desktop.follow(min(now - last, _MOST_SEC))
                last = time.monotonic()


def serve(
    stream: Stream,
    start: StartDesktop,
    lost: tuple[type[Exception], ...] = (),
) -> None:
    """Serve one host until it disconnects.

    Args:
        stream: The connection to the host.
        start: Starts the desktop at ``hello``.
        lost: Further errors that mean that the desktop is gone.
    """
    server = _Server(start)
    errors = (*_ERRORS, *((kind, "application_lost") for kind in lost))
    read_exactly = exact_reader(stream)
    while True:
        try:
            for part in _answer(server, read_frame(read_exactly), errors):
                stream.sendall(part)
        except (EOFError, OSError):
            server.ended.set()
            return


def _answer(
    server: _Server, frame: Frame, errors: tuple[tuple[type[Exception], str], ...]
) -> tuple[bytes, ...]:
    """Return the reply in parts: joining it would copy the screenshot."""
    identifier = frame.header.get("id")
    try:
        method = server.methods[frame.header["method"]]
        with server.turn:
            result, blobs = method(frame.header.get("params", {}), frame)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the host must hear of it
        kind = next((name for known, name in errors if isinstance(error, known)), "internal")
        text = str(error) if kind != "internal" else f"{type(error).__name__}: {error}"
        return (frame_head({"id": identifier, "error": {"type": kind, "message": text}}),)
    return frame_head({"id": identifier, "result": result}, blobs), *blobs
