"""`Programs`: runs programs that edit a deck, in the sandbox of Python leaves."""

import base64
import json
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pptarena.closeable import Closeable
from pptarena.envs.programs.inside import channel
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.process import LeafProcess, ProcessGoneError
from pptarena.envs.programs.reports import failure_reason
from pptarena.errors import LeafError
from pptarena.untrusted import utf8_safe_text

__all__ = ["ProgramResult", "Programs"]

_MAX_TEXT = 8_000


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The result of a program.

    Attributes:
        deck: The .pptx file after the program, untrusted; None if the program failed.
        output: The program's output and, if it failed, the reason.
    """

    deck: bytes | None
    output: str


class Programs(Closeable):
    """Runs programs on decks in one sandbox, with one process per program.

    Like Python leaves, programs have no access to network, files, environment or other processes.
    Thread-safe; programs run one at a time.

    Args:
        limits: Resource limits of a program.

    Example::

        with Programs() as programs:
            result = programs.run(deck, "presentation.slides[0].shapes.title.text = 'Hello'")
    """

    def __init__(self, limits: LeafLimits | None = None) -> None:
        self._limits = limits or LeafLimits(wall_sec=20.0, cpu_sec=10)
        self._process: LeafProcess | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()

    def run(
        self, deck: bytes, code: str, files: Mapping[str, bytes] = MappingProxyType({})
    ) -> ProgramResult:
        """Run a program; its errors are reported in the output of the result.

        Args:
            deck: The .pptx file.
            code: Python source; ``presentation`` is the deck as a python-pptx presentation.
            files: Further files, available as bytes by name in ``files``.

        Raises:
            LeafError: If no sandbox could be started.
        """
        with self._lock:
            request = {
                "code": utf8_safe_text(code),
                "deck": base64.b64encode(deck).decode(),
                "files": {
                    name: base64.b64encode(content).decode() for name, content in files.items()
                },
            }
            process = self._send_request(request)
            deadline = time.monotonic() + self._limits.wall_sec
            try:
                changed, report = _receive_deck(process, deadline)
            except ProcessGoneError:
                self._stop()
                timed_out = time.monotonic() >= deadline
                message = f"it took longer than {self._limits.wall_sec:g} s"
                return ProgramResult(None, message if timed_out else "it ended its sandbox")
            except BaseException:
                self._stop()  # late messages must not be attributed to the next program
                raise
            if report.get("retire"):
                self._stop()
            return _parse_result(changed, report, self._limits)

    def close(self) -> None:
        """Stop the sandbox; a later program starts another."""
        with self._lock:
            self._stop()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _send_request(self, request: dict[str, Any]) -> LeafProcess:
        for _ in range(2):
            if self._process is None or not self._process.alive():
                self._stop()
                self._process = self._start()
            try:
                self._process.send(request)
                return self._process
            except ProcessGoneError:  # it died after the last program: not this one's fault
                self._stop()
        raise LeafError("the sandbox of programs exited twice in a row")

    def _start(self) -> LeafProcess:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="pptarena-programs-")
        limits = self._limits
        setup = {
            "limits": {
                "cpu_sec": limits.cpu_sec,
                "memory_bytes": limits.memory_bytes,
                "file_bytes": limits.file_bytes,
            }
        }
        return LeafProcess(Path(self._folder.name), setup, limits)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()


def _receive_deck(process: LeafProcess, deadline: float) -> tuple[bytes | None, dict[str, Any]]:
    """Return the last deck that a program sent, and the worker's final report."""
    deck = None
    while True:
        kind, body = process.receive(deadline)
        if kind == channel.DECK:
            deck = body
        elif kind == channel.OTHER:
            return deck, dict(json.loads(body))
        else:
            raise ProcessGoneError("the program sent what it may not send")


def _parse_result(deck: bytes | None, report: dict[str, Any], limits: LeafLimits) -> ProgramResult:
    if not report.get("result"):
        return ProgramResult(None, failure_reason(report, limits))
    try:
        result = json.loads(report["result"])
        output, error = result["output"], result["error"]
    except (KeyError, ValueError, TypeError, RecursionError):
        return ProgramResult(None, "its answer is malformed")
    message = "\n".join(
        utf8_safe_text(str(part))[:_MAX_TEXT].rstrip("\n") for part in (output, error) if part
    )
    return ProgramResult(None if error else deck, message)
