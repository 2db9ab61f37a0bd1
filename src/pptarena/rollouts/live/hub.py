"""`Hub`: collects the states of all processes with live environments, for the pages."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import Any

from pptarena.rollouts.live.channel import HEAD, MAX_BYTES, pack, parse, socket_folder

__all__ = ["Hub", "PageMessage"]

_SCAN_SEC = 0.25

PageMessage = bytes
"""A message for a page: length of the JSON text (big-endian, 4 bytes), the text, a picture."""


class Hub:
    """The stations of this computer.

    While at least one page is open, the hub is connected to every process with stations and
    receives their states. It keeps only the last state of each station.

    Args:
        on_change: Called with the id of a station and ``"tile"``, ``"full"`` or ``"gone"``.

    Attributes:
        tiles: The last message with the small picture and summary of every station.
        fulls: The last message with the complete state of every station that a page shows in full.
    """

    def __init__(self, on_change: Callable[[str, str], None]) -> None:
        self._on_change = on_change
        self.tiles: dict[str, PageMessage] = {}
        self.fulls: dict[str, PageMessage] = {}
        self._processes: dict[Path, asyncio.StreamWriter | None] = {}
        self._owners: dict[str, Path] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._scan: asyncio.Task[None] | None = None
        self._watched: dict[str, list[str]] = {}

    def open(self) -> None:
        """Connect to all processes, including those that start later; does nothing while open."""
        if self._scan is None:
            self._scan = asyncio.create_task(self._scan_processes())

    async def close(self) -> None:
        """Disconnect from all processes."""
        running = [*self._tasks, *([self._scan] if self._scan else [])]
        self._scan = None
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def watch(self, full: Set[str], trees: Set[str], untiled: Set[str]) -> None:
        """Request the states that the pages show.

        Args:
            full: Stations whose complete states are needed.
            trees: Those of them whose accessibility trees are needed.
            untiled: Stations whose tiles are not needed, after the first one.
        """
        self._watched = {"full": sorted(full), "trees": sorted(trees), "untiled": sorted(untiled)}
        for name in self.fulls.keys() - full:
            del self.fulls[name]
        for writer in self._processes.values():
            self._send_watched(writer)

    def control(self, station: str, request: Mapping[str, Any]) -> None:
        """Pass a request of a viewer to the process of a station; see `Station.control`."""
        owner = self._owners.get(station)
        writer = self._processes.get(owner) if owner else None
        if writer is not None:
            writer.write(pack({**request, "type": "control", "station": station}))

    def _send_watched(self, writer: asyncio.StreamWriter | None) -> None:
        if writer is not None:
            writer.write(pack({"type": "watch", **self._watched}))

    async def _scan_processes(self) -> None:
        folder = socket_folder()
        while True:
            for name in sorted(os.listdir(folder)):
                path = folder / name
                if name.endswith(".sock") and path not in self._processes:
                    self._processes[path] = None
                    task = asyncio.create_task(self._read(path))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
            await asyncio.sleep(_SCAN_SEC)

    async def _read(self, path: Path) -> None:
        writer = None
        try:
            reader, writer = await asyncio.open_unix_connection(path)
            self._processes[path] = writer
            self._send_watched(writer)
            while True:
                text, data = HEAD.unpack(await reader.readexactly(HEAD.size))
                if text + data > MAX_BYTES:
                    break
                body = await reader.readexactly(text)
                message = parse(body)
                page_message = text.to_bytes(4, "big") + body + await reader.readexactly(data)
                self._handle(path, message, page_message)
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)  # leftover of a killed process
        except (OSError, ValueError, asyncio.IncompleteReadError):
            pass  # the process ended
        finally:
            if writer is not None:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
            self._processes.pop(path, None)
            for name in [name for name, owner in self._owners.items() if owner == path]:
                self._drop(name)

    def _handle(self, path: Path, message: dict[str, Any], page_message: PageMessage) -> None:
        kind, name = message.get("type"), message.get("station")
        if not isinstance(name, str):
            return
        if kind == "gone":
            self._drop(name)
        elif kind == "tile":
            self._owners[name] = path
            self.tiles[name] = page_message
            self._on_change(name, "tile")
        elif kind == "full" and name in self._watched.get("full", ()):
            self.fulls[name] = page_message
            self._on_change(name, "full")

    def _drop(self, name: str) -> None:
        self._owners.pop(name, None)
        self.tiles.pop(name, None)
        self.fulls.pop(name, None)
        self._on_change(name, "gone")
