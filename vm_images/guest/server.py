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
_MAX_CATCH_UP_SEC = 0.1  # per frame, after a shortage of CPUs

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
        self.lock = threading.Lock()  # serializes requests and the time that passes between them
        self._follows_clock = False
        self.ended = threading.Event()

    def _hello(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        if params["version"] != PROTOCOL_VERSION:
            raise ProtocolError(
                f"the host has protocol version {params['version']}, this guest {PROTOCOL_VERSION}"
            )
        names = {field.name for field in fields(Settings)}
        settings = Settings(**{k: v for k, v in params["settings"].items() if k in names})
        self._desktop = self._start(settings)
        return {"application": self._desktop.application}, []

    def _ready(self) -> Desktop:
        if self._desktop is None:
            raise ProtocolError("expected hello before any other request")
        return self._desktop

    def _load(self, params: dict[str, Any], frame: Frame) -> _Reply:
        names = [str(name) for name in params.get("files", ())]
        files = dict(zip(names, map(bytes, frame.blobs[1:]), strict=True))
        observation = self._ready().load(bytes(frame.blobs[0]), str(params["name"]), files)
        return observation.facts, [observation.rgb]

    def _look(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        observation = self._ready().observe()
        return observation.facts, [observation.rgb]

    def _perform(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        observation = self._ready().perform(Command.from_json(params["command"]))
        return observation.facts, [observation.rgb]

    def _save(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        return {}, [self._ready().save(bool(params["commit"]))]

    def _kept(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        return {}, [self._ready().stored_deck()]

    def _collect(self, params: dict[str, Any], _frame: Frame) -> _Reply:
        contents = self._ready().collect([str(name) for name in params["names"]])
        return {"found": list(contents)}, list(contents.values())

    def _run_on(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        desktop = self._ready()
        if not self._follows_clock:
            self._follows_clock = True
            threading.Thread(target=self._follow, args=(desktop,), daemon=True).start()
        return {}, []

    def _park(self, _params: dict[str, Any], _frame: Frame) -> _Reply:
        self._ready().park()
        release_memory()  # a checkpoint contains it
        null = os.open("/dev/null", os.O_RDWR)
        for stream in range(3):  # a checkpoint cannot contain the host's standard streams
            os.dup2(null, stream)
        os.close(null)
        return {}, []

    def _follow(self, desktop: Desktop) -> None:
        """Advance the desktop's time by wall-clock time between requests."""
        last = time.monotonic()
        while not self.ended.wait(_FRAME_SEC):
            with self.lock:
                now = time.monotonic()
                desktop.follow(min(now - last, _MAX_CATCH_UP_SEC))
                last = time.monotonic()


def serve(
    stream: Stream,
    start: StartDesktop,
    fatal_errors: tuple[type[Exception], ...] = (),
) -> None:
    """Serve one host until it disconnects.

    Args:
        stream: The connection to the host.
        start: Starts the desktop at ``hello``.
        fatal_errors: Additional errors that count as the loss of the desktop.
    """
    server = _Server(start)
    errors = (*_ERRORS, *((error_type, "application_lost") for error_type in fatal_errors))
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
        with server.lock:
            result, blobs = method(frame.header.get("params", {}), frame)
    except Exception as error:  # noqa: BLE001 - every error is reported to the host
        type_name = next(
            (name for error_type, name in errors if isinstance(error, error_type)), "internal"
        )
        text = str(error) if type_name != "internal" else f"{type(error).__name__}: {error}"
        return (frame_head({"id": identifier, "error": {"type": type_name, "message": text}}),)
    return frame_head({"id": identifier, "result": result}, blobs), *blobs
