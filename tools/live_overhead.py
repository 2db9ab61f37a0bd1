"""Measure what the live page costs: CPU time of episodes, machines and server, and latency.

Environments step at a fixed rate, in blocks without and with a viewer that alternate, so that other
programs on the computer disturb both alike. The viewer shows all environments as tiles and the
first in full. It speaks the protocol of the page, in a process of its own whose time does not
count, and the server of the page runs in another one::

    python -m tools.live_overhead --environments 50 --minutes 0.5
    python -m tools.live_overhead --environments 2 --machine sandbox --minutes 30

Prints a JSON object. ``cores`` is CPU time per wall-clock time; ``cpu_sec_per_step`` includes the
machines with all their programs; ``latency_ms`` is the time from the end of a step to its arrival
in the viewer; ``overhead_percent`` is what the viewer adds, the server included.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from pptarena.envs import actions
from pptarena.envs.ppt_arena import base_env
from pptarena.rollouts.env import make_env
from pptarena.rollouts.live import LiveEnv

__all__ = ["measure"]

_SPAWN = multiprocessing.get_context("spawn")
_MAX_STEPS = 1_000_000
_WARM_UP_STEPS = 4
_ARRIVAL_SEC = 60.0


@dataclass
class _Arm:
    """What the blocks without a viewer, or those with one, cost together."""

    steps: int = 0
    wall_sec: float = 0.0
    cpu_sec: float = 0.0
    server_sec: float = 0.0
    delays_ms: list[float] = field(default_factory=list)

    def per_step(self, cpu_sec: float) -> float:
        return round(cpu_sec / self.steps, 5)

    def cores(self, cpu_sec: float) -> float:
        return round(cpu_sec / self.wall_sec, 3)


def measure(
    environments: int, minutes: float, rate: float, machine: str = "fake", block_sec: float = 120.0
) -> dict[str, Any]:
    """Return the figures without and with a viewer.

    Args:
        environments: Number of environments in this process.
        minutes: Duration with the viewer; that without is the same.
        rate: Steps per second of every environment.
        machine: Type of machine.
        block_sec: Longest block without a change, in seconds.
    """
    pairs = max(1, round(60 * minutes / block_sec))
    ticks = max(1, round(60 * minutes * rate / pairs))
    alone, watched = _Arm(), _Arm()
    with ExitStack() as stack:
        envs = [
            LiveEnv(make_env(machine, max_steps=_MAX_STEPS, score_when="end"))
            for _ in range(environments)
        ]
        for env in envs:
            stack.callback(env.close)
            env.reset(seed=0)
        server = stack.enter_context(_running(_serve))
        url = server.recv()
        _run(envs, _WARM_UP_STEPS, rate, _Arm())
        for _ in range(pairs):
            _run(envs, ticks, rate, alone)
            with _running(_view, url, envs[0].station.id) as viewer:
                if not viewer.poll(_ARRIVAL_SEC):
                    raise TimeoutError(f"no picture in the viewer after {_ARRIVAL_SEC} s")
                viewer.recv()
                before = _asked(server, "cpu")
                shown = _run(envs, ticks, rate, watched)
                watched.server_sec += _asked(server, "cpu") - before
                arrived: dict[int, float] = _asked(viewer, "arrived")
            both = arrived.keys() & shown.keys()
            watched.delays_ms += [1000 * (arrived[step] - shown[step]) for step in both]
    delays = sorted(watched.delays_ms)
    with_server = watched.per_step(watched.cpu_sec + watched.server_sec)
    without = alone.per_step(alone.cpu_sec)
    return {
        "machine": machine,
        "environments": environments,
        "steps_per_sec": rate,
        "blocks": 2 * pairs,
        "minutes_with_viewer": round(watched.wall_sec / 60, 2),
        "cores": {
            "without_viewer": alone.cores(alone.cpu_sec),
            "with_viewer": watched.cores(watched.cpu_sec),
            "of_server": watched.cores(watched.server_sec),
        },
        "cpu_sec_per_step": {
            "without_viewer": without,
            "with_viewer": watched.per_step(watched.cpu_sec),
            "of_server": watched.per_step(watched.server_sec),
        },
        "overhead_percent": round(100 * (with_server / without - 1), 1),
        "latency_ms": {
            "samples": len(delays),
            "p50": round(statistics.median(delays), 1),
            "p95": round(delays[int(0.95 * (len(delays) - 1))], 1),
        },
    }


def _run(envs: Sequence[LiveEnv], ticks: int, rate: float, arm: _Arm) -> dict[int, float]:
    """Step at the rate and add the cost; return when steps of the first environment ended."""
    begin, cpu = time.monotonic(), _cpu_sec(envs)
    shown: dict[int, float] = {}
    for tick in range(ticks):
        for number, env in enumerate(envs):
            due = begin + (tick + number / len(envs)) / rate
            time.sleep(max(0.0, due - time.monotonic()))
            *_, info = env.step(actions.key("Page_Up" if tick % 2 else "Page_Down"))
            assert info["infra_error"] is None, info["infra_error"]
            if number == 0 and env.station.snapshot is not None:
                shown[env.station.snapshot.step] = time.monotonic()
    time.sleep(max(0.0, begin + ticks / rate - time.monotonic()))
    arm.steps += ticks * len(envs)
    arm.wall_sec += time.monotonic() - begin
    arm.cpu_sec += _cpu_sec(envs) - cpu
    return shown


def _cpu_sec(envs: Sequence[LiveEnv]) -> float:
    """Return the CPU seconds of this process and of the machines with all their programs."""
    return time.process_time() + sum(base_env(env).machine.cpu_sec() or 0.0 for env in envs)


@contextmanager
def _running(target: Any, *arguments: Any) -> Iterator[Connection]:
    """Run a function in a process with a connection to it."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    try:
        yield ours
    finally:
        process.kill()
        process.join()


def _asked(connection: Connection, what: str) -> Any:
    connection.send(what)
    return connection.recv()


def _serve(connection: Connection) -> None:
    from pptarena.rollouts.live.web import LiveServer

    with LiveServer() as server:
        connection.send(server.url)
        while connection.recv():
            connection.send(time.process_time())


def _view(connection: Connection, url: str, station: str) -> None:
    from websockets.sync.client import connect

    watching, arrived = False, dict[int, float]()
    address = url.replace("http", "ws") + "ws"
    options: dict[str, Any] = {"origin": "/".join(url.split("/")[:3]), "proxy": None}
    with connect(address, max_size=None, **options) as page:
        while True:
            try:
                data = page.recv(timeout=0.1)
            except TimeoutError:
                data = ""
            now = time.monotonic()
            if isinstance(data, bytes):
                message = json.loads(data[4 : 4 + int.from_bytes(data[:4], "big")])
                if not watching and message["station"] == station:
                    watching = True
                    page.send(json.dumps({"type": "watch", "station": station}))
                if message["type"] == "full":
                    if not arrived:
                        connection.send("ready")
                    arrived.setdefault(message["step"], now)
            if connection.poll() and connection.recv():
                connection.send(arrived)


def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description="Measure what the live page costs.")
    parser.add_argument("--environments", type=int, default=50)
    parser.add_argument("--machine", default="fake", help="type of machine")
    parser.add_argument("--minutes", type=float, default=1.0, help="with and without a viewer each")
    parser.add_argument("--block", type=float, default=120.0, help="seconds of one block")
    parser.add_argument("--rate", type=float, default=1.0, help="steps per second")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="live-") as sockets:
        os.environ["PPTARENA_LIVE"] = sockets
        found = measure(
            options.environments, options.minutes, options.rate, options.machine, options.block
        )
        print(json.dumps(found, indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
