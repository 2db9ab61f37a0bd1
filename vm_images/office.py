"""The image's office application without a desktop: saves, renders and edits decks."""

import base64
import copy
import functools
import hashlib
import json
import os
import select
import struct
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from pptarena.closeable import Closeable
from pptarena.errors import ConfigError, DeckError, HostError, MachineError, MachineTimeoutError
from pptarena.file_cache import FileCache
from pptarena.paths import cache_home
from pptarena.spawner import start_child
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office_command import office_command

__all__ = ["Office", "shared_office", "shared_saver"]

_FORMAT = 1  # increase it when equal decks would be saved or rendered differently
_OUTCOMES = {"save": "saved", "render": "rendered", "edit": "edited"}
_REFUSED = 1  # status of a deck that the application refuses
_MAX_ANSWER_BYTES = 512 * 2**20
_CHUNK = 2**20

_Producer = Callable[[], Sequence[bytes]]


@functools.cache
def shared_office() -> "Office":
    """Return the application that the process shares: pictures 640 px wide, no cache on disk.

    It starts on first use.
    """
    return Office(640, timeout_sec=30.0, cached_results=0)


@functools.cache
def shared_saver() -> "Office":
    """Return the same application with a longer timeout; saved decks are cached on disk."""
    return shared_office().sharing(timeout_sec=120.0, cached_results=500)


class Office(Closeable):
    """Saves, renders and edits decks with the office application of the machine image.

    The application runs without a desktop in separate namespaces: no network, no access to files
    of the host. It starts with the first deck and stays open. After a failure, and after
    `decks_per_start` decks, the next deck starts a fresh one.

    Saved decks and pictures are cached under ``$PPTARENA_HOME`` by the hash of deck and image. A
    deck therefore always has the same result.

    Threads that share one object take turns; a forked process starts its own application.

    Args:
        width_px: Width of the pictures; their height follows from the slides.
        timeout_sec: Timeout for one deck, without the start.
        start_sec: Timeout for the start.
        max_slides: Decks with more slides are not rendered.
        decks_per_start: Number of decks after which the application is restarted.
        cached_results: Number of saved decks, and of rendered ones, in the cache; 0 turns it off.

    Raises:
        ConfigError: If a number is not positive.

    Example:
        >>> with Office() as office:
        ...     pictures = office.render(office.save(deck))
    """

    def __init__(
        self,
        width_px: int = 960,
        *,
        timeout_sec: float = 120.0,
        start_sec: float = 60.0,
        max_slides: int = 600,
        decks_per_start: int = 200,
        cached_results: int = 500,
    ) -> None:
        if min(width_px, timeout_sec, start_sec, max_slides, decks_per_start) <= 0:
            raise ConfigError(
                "expected width_px, timeout_sec, start_sec, max_slides, decks_per_start above 0"
            )
        if cached_results < 0:
            raise ConfigError(f"expected cached_results of at least 0, got {cached_results}")
        self._width_px = width_px
        self._timeout_sec = timeout_sec
        self._start_sec = start_sec
        self._max_slides = max_slides
        self._cached_results = cached_results
        self._shared = _SharedApplication(decks_per_start)

    def sharing(self, *, timeout_sec: float, cached_results: int) -> "Office":
        """Return an office with other settings that uses the same application.

        Args:
            timeout_sec: As of the class.
            cached_results: As of the class.
        """
        other = copy.copy(self)
        other._timeout_sec, other._cached_results = timeout_sec, cached_results
        return other

    def save(self, deck: bytes) -> bytes:
        """Return a deck as the application saves it.

        Args:
            deck: The .pptx file.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        request = {"do": "save"}
        (saved,) = self._cached("saves", "", deck, ".pptx", lambda: [self._ask(request, deck)])
        return saved

    def save_all(self, decks: Sequence[bytes]) -> tuple[bytes | DeckError | MachineError, ...]:
        """Save decks, one after the other.

        Args:
            decks: The .pptx files.

        Returns:
            For each deck the saved one, or the error that `save` would raise for it.

        Raises:
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
        """
        return tuple(_result_or_error(functools.partial(self.save, deck)) for deck in decks)

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, hidden ones included, in the order of the show.

        Args:
            deck: The .pptx file.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        request = {"do": "render", "width_px": self._width_px, "max_slides": self._max_slides}
        return self._cached(
            "renders", f"{self._width_px} ", deck, ".png", lambda: _split(self._ask(request, deck))
        )

    def edit(
        self,
        deck: bytes,
        target: bytes,
        origins: Sequence[int | None],
        slides: Sequence[int] | None = None,
    ) -> bytes:
        """Open a deck, apply the differences from another deck inside the application, and save.

        Args:
            deck: The .pptx file.
            target: The .pptx file to match; see `pptarena.vm_images.guest.apply_differences`.
            origins: For each slide of `target` the index, from 0, of the same slide in `deck`;
                None for a new slide.
            slides: Indices, from 0, of the slides of `target` to include; None for all, and for
                masters and styles, which is slow.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application refuses the target, fails or takes too long.
        """
        request = {
            "do": "edit",
            "target": base64.b64encode(target).decode(),
            "origins": list(origins),
            "slides": None if slides is None else list(slides),
        }
        return self._ask(request, deck)

    def start(self) -> None:
        """Start the application in the background, to save the next deck the wait.

        Raises:
            HostError: If bubblewrap is missing.
            ImageError: If there is no image.
        """
        if self._shared.lock.acquire(blocking=False):  # a held lock means that it is in use
            try:
                self._shared.application()
            finally:
                self._shared.lock.release()

    def close(self) -> None:
        """End the application; a second call does nothing, and the next deck starts it again."""
        with self._shared.lock:
            self._shared.stop()

    def _cached(
        self, folder: str, settings: str, deck: bytes, suffix: str, produce: _Producer
    ) -> tuple[bytes, ...]:
        if not self._cached_results:
            return tuple(produce())
        prefix = f"{_FORMAT} {require_image().hash} {settings}".encode()
        key = hashlib.sha256(prefix + deck).hexdigest()
        cache = FileCache(cache_home() / folder, self._cached_results)
        results = cache.get(key)
        if results is None:
            results = tuple(produce())
            cache.put(key, results, suffix)
        return results

    def _ask(self, request: Mapping[str, Any], deck: bytes) -> bytes:
        status, answer = self._exchange(
            json.dumps(request).encode(), deck, _OUTCOMES[request["do"]]
        )
        if status:
            reason = answer.decode("utf-8", "replace")[:500]
            raise DeckError(reason) if status == _REFUSED else MachineError(reason)
        return answer

    def _exchange(self, request: bytes, deck: bytes, outcome: str) -> tuple[int, bytes]:
        with self._shared.lock:
            while True:
                application = self._shared.application()
                is_first = application.decks == 0
                start_sec = self._start_sec if is_first else 0.0
                try:
                    return application.ask(request, deck, outcome, self._timeout_sec, start_sec)
                except BaseException as error:
                    self._shared.stop()
                    # A deck must not fail because of the decks before it.
                    is_lost = type(error) is MachineError
                    if is_first or not is_lost:
                        raise


class _SharedApplication:
    """The running application of one or several offices.

    Attributes:
        lock: Held while the application is in use.
    """

    def __init__(self, decks_per_start: int) -> None:
        self.lock = threading.Lock()
        self._decks_per_start = decks_per_start
        self._application: _Application | None = None

    def application(self) -> "_Application":
        """Return the running application, or start one if there is none below its limit."""
        current = self._application
        if current is not None and (
            not current.is_running() or current.decks >= self._decks_per_start
        ):
            self.stop()
        if self._application is None:
            self._application = _Application()
            self._end = weakref.finalize(self, self._application.end)
        return self._application

    def stop(self) -> None:
        """End the application, if one runs."""
        if self._application is not None:
            self._application = None
            self._end()


class _Application:
    """A running guest program, which holds the application, and its pipes."""

    def __init__(self) -> None:
        command = office_command(require_image(), "process_decks")
        self.decks = 0
        self._owner_pid = os.getpid()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
        self._process = start_child(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)

    def is_running(self) -> bool:
        """Return whether it runs and was started by this process, not by the parent of a fork."""
        return self._owner_pid == os.getpid() and self._process.poll() is None

    def end(self) -> None:
        """End all processes inside its namespaces."""
        self._errors.close()
        if self._owner_pid != os.getpid():  # a fork must not end its parent's
            return
        self._process.kill()
        self._stdin.close()
        self._stdout.close()
        self._process.wait()

    def ask(
        self, request: bytes, deck: bytes, outcome: str, timeout_sec: float, start_sec: float
    ) -> tuple[int, bytes]:
        """Send a request and return the status and the data of its answer."""
        deadline = time.monotonic() + timeout_sec + start_sec
        timeout_error = MachineTimeoutError(f"the deck was not {outcome} within {timeout_sec:g} s")
        self.decks += 1
        sizes = struct.pack(">II", len(request), len(deck))
        self._send(sizes + request + deck, deadline, timeout_error, outcome)
        status, size = struct.unpack(">BI", self._receive(5, deadline, timeout_error, outcome))
        if size > _MAX_ANSWER_BYTES:
            raise MachineError(f"the deck could not be {outcome}: an answer of {size} bytes")
        return status, self._receive(size, deadline, timeout_error, outcome)

    def _send(self, data: bytes, deadline: float, timeout_error: Exception, outcome: str) -> None:
        pipe, remaining = self._stdin.fileno(), memoryview(data)
        while remaining:
            self._wait([], [pipe], deadline, timeout_error)
            try:
                remaining = remaining[os.write(pipe, remaining[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._failure(outcome) from None

    def _receive(self, size: int, deadline: float, timeout_error: Exception, outcome: str) -> bytes:
        pipe, received = self._stdout.fileno(), bytearray()
        while len(received) < size:
            self._wait([pipe], [], deadline, timeout_error)
            chunk = os.read(pipe, min(_CHUNK, size - len(received)))
            if not chunk:
                raise self._failure(outcome)
            received += chunk
        return bytes(received)

    def _wait(
        self, readers: list[int], writers: list[int], deadline: float, timeout_error: Exception
    ) -> None:
        remaining_sec = deadline - time.monotonic()
        if remaining_sec <= 0 or not any(select.select(readers, writers, [], remaining_sec)):
            raise timeout_error

    def _failure(self, outcome: str) -> HostError | MachineError:
        """Return the error for a program that exited unexpectedly."""
        self._process.kill()
        status = self._process.wait()
        self._errors.seek(0)
        output = self._errors.read().decode("utf-8", "replace").strip()[-500:]
        if output.startswith("bwrap:"):
            return HostError(f"bubblewrap failed: {output}; check this host with: pptarena doctor")
        return MachineError(
            f"the deck could not be {outcome}: {output or f'it ended with {status}'}"
        )


def _result_or_error(produce: Callable[[], bytes]) -> bytes | DeckError | MachineError:
    try:
        return produce()
    except HostError:
        raise
    except (DeckError, MachineError) as error:
        return error


def _split(stream: bytes) -> tuple[bytes, ...]:
    """Return the pictures of a stream in which each is preceded by its length."""
    pictures, offset = [], 0
    while offset < len(stream):
        (size,) = struct.unpack_from(">I", stream.ljust(offset + 4), offset)
        picture = stream[offset + 4 : offset + 4 + size]
        if len(picture) != size:
            raise MachineError("the deck could not be rendered: the pictures are truncated")
        pictures.append(picture)
        offset += 4 + size
    return tuple(pictures)
