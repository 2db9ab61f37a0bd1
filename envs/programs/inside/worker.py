"""The worker inside the sandbox: forks one process per leaf and relays its messages.

Programs that edit a deck run like leaves; their decks are relayed, too.

A leaf has only a socket to the worker: the pipes to the host are closed in it, and it cannot access
other processes. If it leaves files under /tmp, the worker cannot be reused, and the host starts
another one.
"""

import contextlib
import importlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any

from pptarena.envs.programs.inside import channel, leaf, program

__all__ = ["main"]

_PRELOADED = (
    *("pptx", "lxml.etree", "PIL.Image", "numpy", "zipfile", "tempfile", "difflib"),
    *leaf.MODEL_FUNCTION_MODULES,
)
_GRACE_SEC = 0.2


def main() -> None:
    """Serve the host until it disconnects."""
    from_host, to_host = _claim_pipes()
    _, body = channel.read_message(from_host)
    setup = json.loads(body)
    for name in _PRELOADED:
        with contextlib.suppress(ImportError):  # a leaf that needs it will report it
            importlib.import_module(name)
    context = _context(setup)
    channel.send(to_host, channel.OTHER, {"ready": True})
    while True:
        try:
            _, body = channel.read_message(from_host)
        except channel.ChannelError:
            return
        _serve(json.loads(body), setup["limits"], context, from_host, to_host)


def _claim_pipes() -> tuple[int, int]:
    """Move the pipes to the host away from the descriptors of `print` and `input`."""
    pipes = os.dup(0), os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    return pipes


def _context(setup: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that builds the globals of a leaf from its images."""
    diff = importlib.import_module("ppteval.verify.ppt.diff")

    def make(pictures: dict[str, Any]) -> dict[str, Any]:
        return {
            "ppt_diff": diff.PowerPointDiff.from_dict(setup["diff"]),
            "original_ppt_path": setup["original"],
            "modified_ppt_path": setup["modified"],
            "original_ppt_screenshots": [
                diff.SlideScreenshot(**picture) for picture in pictures["original"]
            ],
            "modified_ppt_screenshots": [
                diff.SlideScreenshot(**picture) for picture in pictures["modified"]
            ],
        }

    return make


def _serve(
    request: dict[str, Any],
    limits: dict[str, int],
    context: Callable[[dict[str, Any]], dict[str, Any]],
    from_host: int,
    to_host: int,
) -> None:
    worker_end, leaf_end = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        for file in (from_host, to_host):
            os.close(file)
        worker_end.close()
        if "deck" in request:
            arguments = (request["code"], request["deck"], request["files"])
            program.run(leaf_end.detach(), *arguments, limits)
        names = context(request["pictures"])
        leaf.run(leaf_end.detach(), request["code"], names, limits, request["published"])
        os._exit(0)
    leaf_end.close()
    result, problem = b"", ""
    try:
        relay = _relay_deck if "deck" in request else _relay
        result = relay(worker_end.fileno(), from_host, to_host)
    except (channel.ChannelError, OSError) as error:
        problem = str(error)
    worker_end.close()
    status = _end(pid)
    report = {"problem": problem, "status": status, "retire": _left_files()}
    channel.send(to_host, channel.OTHER, report | {"result": result.decode("utf-8", "replace")})


def _left_files() -> bool:
    """Return whether a leaf left files or made the temporary folder inaccessible."""
    try:
        return bool(os.listdir("/tmp"))
    except OSError:
        return True


def _end(pid: int) -> int:
    """Return the exit status of a leaf; it is killed after a grace period."""
    deadline = time.monotonic() + _GRACE_SEC
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def _relay(file: int, from_host: int, to_host: int) -> bytes:
    """Relay a leaf's questions to the host and the answers back, until it sends its result."""
    while True:
        kind, body = channel.read_message(file)
        if kind == channel.RESULT:
            return bytes(body)
        if kind not in (channel.IMAGE, channel.CALL):
            raise channel.ChannelError("the leaf sent what only the worker may send")
        channel.send_raw(to_host, kind, body)
        if kind == channel.IMAGE:
            continue
        answer_kind, answer = channel.read_message(from_host)
        channel.send_raw(file, answer_kind, answer)


def _relay_deck(file: int, from_host: int, to_host: int) -> bytes:
    """Relay the deck of a program until it sends its result."""
    while True:
        kind, body = channel.read_message(file)
        if kind == channel.RESULT:
            return bytes(body)
        if kind != channel.DECK:
            raise channel.ChannelError("the program sent what it may not send")
        channel.send_raw(to_host, kind, body)


if __name__ == "__main__":
    main()
