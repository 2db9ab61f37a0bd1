"""`Publisher`: offers the stations of this process to live pages, over a Unix socket."""

import contextlib
import functools
import io
import logging
import os
import select
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

from PIL import Image

from pptarena.agents.model.slide_sheet import slide_pictures, slide_sheet
from pptarena.errors import ConfigError
from pptarena.png import png_bytes
from pptarena.rollouts.live.channel import pack, receive, socket_folder
from pptarena.rollouts.live.station import Snapshot, Station

__all__ = ["Publisher", "publisher"]

_log = logging.getLogger(__name__)

_TILE_WIDTH_PX = 320  # at least
_TILE_SEC, _FULL_SEC = 0.5, 0.04  # minimum interval between two messages of one station
_PAUSE_SEC = 0.02  # limits the work for machines that step hundreds of times a second
_SEND_SEC = 10.0
_IDLE_SEC = 0.5
_MAX_NODES, _MAX_NAME, _MAX_MESSAGE = 1_500, 160, 4_000
_MAX_OUTLINE, _MAX_TILE_OUTLINE = 100_000, 600


class Publisher:
    """The stations of one process.

    The socket exists while the process has stations. A page that connects receives the state of
    every station, then later states as fast as it reads them; intermediate states may be skipped.
    A page that stops reading is disconnected. Episodes never wait for a page.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stations: dict[str, Station] = {}
        self._watchers: set[_Watcher] = set()
        self._listener: socket.socket | None = None
        self._address = ""

    @property
    def is_watched(self) -> bool:
        """Whether a page is open."""
        return bool(self._watchers)

    @property
    def stations(self) -> list[Station]:
        """The current stations."""
        with self._lock:
            return list(self._stations.values())

    def add(self) -> Station:
        """Create a station, and start listening if it is the first."""
        station = Station(lambda: self.is_watched, self._wake_watchers)
        with self._lock:
            self._stations[station.id] = station
            if self._listener is None:
                self._listen()
        return station

    def remove(self, station: Station) -> None:
        """Remove a station; after the last one, stop listening."""
        station.release()
        with self._lock:
            self._stations.pop(station.id, None)
            watchers = () if self._stations else tuple(self._watchers)
            listener = None if self._stations else self._listener
            if listener is not None:
                self._listener = None
                with contextlib.suppress(OSError):
                    os.unlink(self._address)
                with contextlib.suppress(OSError):  # wakes the accepting thread
                    listener.shutdown(socket.SHUT_RDWR)
                listener.close()
        for watcher in watchers:
            watcher.close()

    def release(self) -> None:
        """End all waits for a person, because the run ends."""
        for station in self.stations:
            station.release()

    def _wake_watchers(self) -> None:
        for watcher in tuple(self._watchers):
            watcher.wake.set()

    def _listen(self) -> None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._address = str(socket_folder() / f"{os.getpid()}.sock")
            # A page deletes sockets that refuse connections, so publish the name after listen().
            unready = f"{self._address}.new"
            with contextlib.suppress(FileNotFoundError):  # of an earlier process with this id
                os.unlink(unready)
            listener.bind(unready)
            listener.listen(8)
            os.replace(unready, self._address)
        except (OSError, ConfigError) as error:
            listener.close()
            _log.info("live pages cannot show this process: %s", error)
            return
        self._listener = listener
        threading.Thread(
            target=self._accept, args=(listener,), name="pptarena-live", daemon=True
        ).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # closed
                return
            watcher = _Watcher(self, connection)
            with self._lock:
                self._watchers.add(watcher)
            watcher.start()

    def forget(self, watcher: "_Watcher") -> None:
        """Remove a page that disconnected."""
        with self._lock:
            self._watchers.discard(watcher)


class _Watcher:
    """One connected page: a thread that sends states, and one that receives requests."""

    def __init__(self, owner: Publisher, connection: socket.socket) -> None:
        self._owner, self._connection = owner, connection
        self._full: set[str] = set()  # ids of the stations that are shown in full
        self._trees: set[str] = set()  # ids of those whose accessibility tree is shown
        self._untiled: set[str] = set()  # ids of those that no page shows as a tile
        self._closed = threading.Event()
        self.wake = threading.Event()

    def start(self) -> None:
        self._connection.settimeout(_SEND_SEC)
        for target in (self._send_states, self._receive_requests):
            threading.Thread(target=target, name="pptarena-live-page", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self.wake.set()
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._owner.forget(self)

    def _receive_requests(self) -> None:
        try:
            poller = select.poll()  # only the wait for a message has no time limit
            poller.register(self._connection, select.POLLIN)
            while poller.poll() and (request := receive(self._connection)) is not None:
                self._handle(request)
        except (OSError, ValueError) as error:
            _log.info("a live page was disconnected: %s", error)
        finally:
            self.close()

    def _handle(self, request: dict[str, Any]) -> None:
        if request.get("type") == "watch":
            self._full, self._trees, self._untiled = (
                _names(request.get(kind)) for kind in ("full", "trees", "untiled")
            )
            self.wake.set()
        for station in self._owner.stations:
            if request.get("type") == "control" and request.get("station") == station.id:
                station.control(request)

    def _send_states(self) -> None:
        sent: _SentMessages = {}
        try:
            while not self._closed.is_set():
                self.wake.clear()
                stations = self._owner.stations
                for key in [key for key in sent if key[0] not in {each.id for each in stations}]:
                    if key[1] == "tile":
                        self._connection.sendall(pack({"type": "gone", "station": key[0]}))
                    del sent[key]
                timeouts = [_IDLE_SEC, *(self._send(station, sent) for station in stations)]
                self.wake.wait(min(timeouts))
                self._closed.wait(_PAUSE_SEC)
        except OSError as error:
            _log.info("a live page does not read: %s", error)
        finally:
            self.close()
            self._connection.close()

    def _send(self, station: Station, sent: "_SentMessages") -> float:
        """Send the state of a station if it changed; return the seconds until the next one."""
        timeouts = [_IDLE_SEC]
        for kind, interval_sec in self._kinds(station.id, sent):
            key = station.id, kind
            version, sent_at = sent.get(key, (-1, 0.0))
            due_in_sec, snapshot = sent_at + interval_sec - time.monotonic(), station.snapshot
            if version == station.version or snapshot is None:
                continue
            if due_in_sec > 0:
                timeouts.append(due_in_sec)
                continue
            version = station.version
            if kind == "tile":
                message, picture = _tile(station, snapshot)
            else:
                message, picture = _full(station, snapshot, with_tree=kind == "tree")
            self._connection.sendall(pack(message, picture))
            sent[key] = version, time.monotonic()
        return min(timeouts)

    def _kinds(self, station: str, sent: "_SentMessages") -> Iterator[tuple[str, float]]:
        """Yield the messages that pages need from a station, with their intervals in seconds."""
        if station not in self._untiled or (station, "tile") not in sent:
            yield "tile", _TILE_SEC
        detail = "" if station not in self._full else "tree" if station in self._trees else "full"
        for kind in {"full", "tree"} - {detail}:
            sent.pop((station, kind), None)
        if detail:
            yield detail, _FULL_SEC


_SentMessages = dict[tuple[str, str], tuple[int, float]]
"""Version and time of the last message of a station and kind: ``"tile"``, ``"full"``, ``"tree"``.

``"tree"`` is a complete state with the accessibility tree.
"""


def _names(value: object) -> set[str]:
    return {each for each in value if isinstance(each, str)} if isinstance(value, list) else set()


def _brief(station: Station, snapshot: Snapshot) -> dict[str, Any]:
    info = snapshot.info
    width, height = (1, 1)
    if station.on_screen:
        height, width = snapshot.observation["screenshot"].shape[:2]
    return {
        "station": station.id,
        "version": station.version,
        "task": info["task_id"],
        "agent": station.agent_name,
        "score": snapshot.scores[-1],
        "step": snapshot.step,
        "over": snapshot.over,
        "screen": [width, height],
        "status": station.status(),
    }


def _tile(station: Station, snapshot: Snapshot) -> tuple[dict[str, Any], bytes]:
    if not station.on_screen:
        outline = snapshot.observation["outline"][:_MAX_TILE_OUTLINE]
        return {"type": "tile", **_brief(station, snapshot), "outline": outline}, b""
    pixels = snapshot.observation["screenshot"]
    factor = max(1, pixels.shape[1] // _TILE_WIDTH_PX)
    data = io.BytesIO()  # sampling one of `factor` rows takes a third of the time
    Image.fromarray(pixels[factor // 2 :: factor]).reduce((factor, 1)).save(data, "JPEG")
    return {"type": "tile", **_brief(station, snapshot)}, data.getvalue()


def _full(station: Station, snapshot: Snapshot, *, with_tree: bool) -> tuple[dict[str, Any], bytes]:
    info = snapshot.info
    state = {
        "type": "full",
        **_brief(station, snapshot),
        "instruction": info["instruction"],
        "rubric": info["rubric"],
        "scores": snapshot.scores,
        "actions": snapshot.actions,
        "errors": [info[name] for name in ("action_error", "overload", "infra_error")],
        "model": _truncate(station.conversation()),
    }
    if not station.on_screen:
        sheet = slide_sheet(slide_pictures(snapshot.observation))
        state["outline"] = snapshot.observation["outline"][:_MAX_OUTLINE]
        acting = state["status"]["held"] or state["status"]["owned"]
        state["tools"] = list(station.tools()) if acting else []
        state["result"] = snapshot.observation["result"]
        return {**state, "windows": []}, sheet.png if sheet else b""
    nodes = info["a11y"]["nodes"]
    state |= {"windows": info["window_titles"], "node_count": len(nodes)}
    if with_tree:
        state["nodes"] = _nodes(nodes)
    return state, png_bytes(snapshot.observation["screenshot"])


def _nodes(nodes: list[dict[str, Any]]) -> list[list[Any]]:
    """Return depth, role, name, text, box and element of every node."""
    depths: dict[int, int] = {}
    rows = []
    for node in nodes[:_MAX_NODES]:
        depth = depths[node["index"]] = depths.get(node["parent"], -1) + 1
        texts = (str(node[name])[:_MAX_NAME] for name in ("role", "name", "text"))
        rows.append([depth, *texts, node["box"], node["element"]])
    return rows


def _truncate(value: Any) -> Any:
    """Return JSON with long texts truncated."""
    if isinstance(value, str):
        return value if len(value) <= _MAX_MESSAGE else f"{value[:_MAX_MESSAGE]}…"
    if isinstance(value, dict):
        return {str(name): _truncate(each) for name, each in value.items()}
    return [_truncate(each) for each in value] if isinstance(value, list | tuple) else value


@functools.cache
def _publisher_of(process: int) -> Publisher:
    return Publisher()


def publisher() -> Publisher:
    """Return the publisher of this process; a forked process has its own."""
    return _publisher_of(os.getpid())
