"""`LiveServer`: serves the live page on the loopback interface.

The address contains a random token. Every request must have it, a ``Host`` header with the server's
own address (so that another name cannot be rebound to it), and for the WebSocket also the page's
own ``Origin``. The page runs only its own files, and shows all data as text.
"""

import asyncio
import hmac
import json
import secrets
import threading
import time
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pptarena.closeable import Closeable
from pptarena.errors import HostError, missing_package
from pptarena.rollouts.live.channel import parse
from pptarena.rollouts.live.hub import Hub, PageMessage
from pptarena.rollouts.report.page import read_page_part
from pptarena.untrusted import UNPRINTABLE_JS

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

__all__ = ["LiveServer"]

_HOST = "127.0.0.1"
_MAX_VIEWERS = 16
_MAX_REQUEST = 2**16  # bytes
_MAX_DEPTH = 32
_EVENTS_SEC, _BURST = 60.0, 240.0  # requests of a viewer: per second, and in one burst
_SEND_SEC = 10.0
_FILES = {
    "": ("live.html", "text/html; charset=utf-8"),
    "live.css": ("live.css", "text/css; charset=utf-8"),
    "live.js": ("live.js", "text/javascript; charset=utf-8"),
}
# Shared styles and functions of the report page precede the page's own files.
_PARTS = {
    "live.html": ((), ("live.html",)),
    "live.css": (("base.css", "viewer.css"), ("live.css",)),
    "live.js": (
        ("dom.js", "rubric.js", "curve.js", "marks.js", "action.js"),
        ("live.js", "calls.js", "input.js"),
    ),
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob: data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class LiveServer(Closeable):
    """The server of the live page, in a thread of its own.

    It shows every environment of this user that a `LiveEnv` wraps, in any process.

    Args:
        port: Port; 0 chooses a free one.
        follow: Whether the page opens the first station in full.

    Raises:
        ConfigError: If the package ``websockets`` is missing.
        HostError: If the port is not available.

    Example:
        >>> with LiveServer() as server:
        ...     print(server.url)
    """

    def __init__(self, port: int = 0, *, follow: bool = False) -> None:
        try:
            import websockets.asyncio.server  # noqa: F401 - only a check
        except ImportError as error:
            raise missing_package("the live page", "websockets", "live") from error
        self._token = secrets.token_urlsafe(24)
        self._port, self._follow = port, follow
        self._viewers: set[_Viewer] = set()
        self._hub = Hub(self._queue_update)
        self._started = threading.Event()
        self._failure: OSError | None = None
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._pages = {name: _page_file(name) for name in _PARTS}
        self._thread = threading.Thread(target=self._run, name="pptarena-live-web", daemon=True)
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            self._thread.join()
            reason = self._failure.strerror or self._failure
            raise HostError(
                f"the live page cannot use port {port}: {reason}; choose another --port, or omit "
                "--port to get a free one"
            )

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return f"http://{_HOST}:{self._port}/{self._token}/" + ("#follow" if self._follow else "")

    def close(self) -> None:
        """Stop the server and disconnect all pages; further calls do nothing."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join()

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._serve())
        except OSError as error:
            self._failure = error
        finally:
            self._started.set()

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        async with serve(
            self._handle,
            _HOST,
            self._port,
            process_request=self._respond,
            max_size=_MAX_REQUEST,
            compression=None,
            close_timeout=1,
            server_header=None,
        ) as server:
            self._port = _port_of(server)
            self._started.set()
            await self._end.wait()
        await self._hub.close()

    def _respond(self, connection: "ServerConnection", request: "Request") -> "Response | None":
        """Serve a file; None continues the handshake of a WebSocket."""
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        def reply(
            status: HTTPStatus, media_type: str = "text/plain", body: bytes = b""
        ) -> Response:
            headers = Headers(
                {
                    "Content-Type": media_type,
                    "Content-Length": str(len(body)),
                    "Connection": "close",
                    "Cache-Control": "no-store",
                    "Content-Security-Policy": _POLICY.format(host=hosts[0]),
                    "Cross-Origin-Opener-Policy": "same-origin",
                    "Cross-Origin-Resource-Policy": "same-origin",
                    "Referrer-Policy": "no-referrer",
                    "X-Content-Type-Options": "nosniff",
                }
            )
            return Response(status.value, status.phrase, headers, body)

        hosts = [f"{name}:{self._port}" for name in (_HOST, "localhost")]
        host_headers = request.headers.get_all("Host")
        if len(host_headers) != 1 or host_headers[0] not in hosts:
            return reply(HTTPStatus.FORBIDDEN)
        token, slash, name = request.path.removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(), self._token.encode()):
            return reply(HTTPStatus.NOT_FOUND)
        if name == "ws":
            is_same_origin = request.headers.get_all("Origin") == [f"http://{host_headers[0]}"]
            has_capacity = len(self._viewers) < _MAX_VIEWERS
            if is_same_origin and has_capacity:
                return None
            return reply(HTTPStatus.SERVICE_UNAVAILABLE if is_same_origin else HTTPStatus.FORBIDDEN)
        if name not in _FILES:
            return reply(HTTPStatus.NOT_FOUND)
        file, media_type = _FILES[name]
        return reply(HTTPStatus.OK, media_type, self._pages[file])

    async def _handle(self, connection: "ServerConnection") -> None:
        from websockets.exceptions import ConnectionClosed

        viewer = _Viewer(connection)
        self._viewers.add(viewer)
        self._update_watched()
        self._hub.open()
        for name in self._hub.tiles:
            viewer.add(name, "tile")
        sending = asyncio.create_task(viewer.send(self._hub))
        try:
            async for text in connection:
                if not viewer.may_request():
                    await connection.close(1008, "too many requests")
                    break
                if isinstance(text, str):
                    self._handle_request(viewer, text)
        except ConnectionClosed:
            pass  # without the closing handshake
        finally:
            sending.cancel()
            self._viewers.discard(viewer)
            self._update_watched()
            if not self._viewers:
                await self._hub.close()

    def _handle_request(self, viewer: "_Viewer", text: str) -> None:
        try:
            request = _without_surrogates(parse(text.encode("utf-8", "replace")))
        except ValueError:
            return
        station = request.get("station")
        if request.get("type") == "watch":
            viewer.station = station if isinstance(station, str) else None
            viewer.has_tree = request.get("tree") is True
            self._update_watched()
            if viewer.station in self._hub.fulls:
                viewer.add(viewer.station, "full")
        elif request.get("type") == "control" and isinstance(station, str):
            self._hub.control(station, request)

    def _update_watched(self) -> None:
        stations = {viewer.station for viewer in self._viewers if viewer.station}
        trees = {viewer.station for viewer in self._viewers if viewer.station and viewer.has_tree}
        is_shared = len({viewer.station for viewer in self._viewers}) == 1
        self._hub.watch(stations, trees, stations if is_shared else set())

    def _queue_update(self, station: str, kind: str) -> None:
        for viewer in self._viewers:
            if kind != "full" or viewer.station == station:
                viewer.add(station, kind)


class _Viewer:
    """One page and its pending messages, at most one per station and kind."""

    def __init__(self, connection: "ServerConnection") -> None:
        self._connection = connection
        self.station: str | None = None
        self.has_tree = False  # whether it shows the accessibility tree of its station
        self._pending: dict[tuple[str, str], None] = {}
        self._wake = asyncio.Event()
        self._credit, self._credited_at = _BURST, time.monotonic()

    def add(self, station: str, kind: str) -> None:
        """Queue the last state of a station."""
        self._pending[station, kind] = None
        self._wake.set()

    def may_request(self) -> bool:
        """Count one request; return whether the viewer is below the limit."""
        now = time.monotonic()
        earned = (now - self._credited_at) * _EVENTS_SEC
        self._credit, self._credited_at = min(_BURST, self._credit + earned) - 1, now
        return self._credit >= 0

    async def send(self, hub: Hub) -> None:
        """Send pending messages until the page disconnects or stops reading."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._pending:
                    key = next(iter(self._pending))
                    del self._pending[key]
                    if (data := _message(hub, *key)) is not None:
                        await asyncio.wait_for(self._connection.send(data), _SEND_SEC)
        except TimeoutError:
            self._connection.transport.abort()
        except ConnectionClosed:
            pass


def _without_surrogates(value: Any, depth: int = 0) -> Any:
    """Return the JSON of a page without lone surrogates, which cannot be written to files.

    Raises:
        ValueError: If it is nested too deeply to be encoded again.
    """
    if depth > _MAX_DEPTH:
        raise ValueError("the JSON is nested too deeply")
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_without_surrogates(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {
            _without_surrogates(name): _without_surrogates(each, depth + 1)
            for name, each in value.items()
        }
    return value


def _message(hub: Hub, station: str, kind: str) -> str | PageMessage | None:
    if kind == "gone":
        return None if station in hub.tiles else json.dumps({"type": "gone", "station": station})
    return (hub.fulls if kind == "full" else hub.tiles).get(station)


def _page_file(name: str) -> bytes:
    shared, local = _PARTS[name]
    parts = [read_page_part(part) for part in shared]
    parts += [(files(__package__) / "page" / part).read_text("utf-8") for part in local]
    if name.endswith(".js"):
        parts.insert(0, f'"use strict";\nconst UNPRINTABLE = /{UNPRINTABLE_JS}/gu;')
    return "\n".join(parts).encode()


def _port_of(server: "Server") -> int:
    return int(next(iter(server.sockets)).getsockname()[1])
