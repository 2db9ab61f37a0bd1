"""Measure what the live page costs: CPU time of episodes and server, and latency.

Environments on the fake machine step at a fixed rate, first without a viewer, then with one that
shows all of them as tiles and the first in full. The viewer speaks the protocol of the page, in a
process of its own, and the server of the page runs in another one::

    python -m tools.live_overhead --environments 50 --seconds 20

Prints a JSON object: seconds of CPU time per second of wall-clock time, and the milliseconds
from the end of a step to its arrival in the viewer.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from typing import Any

from pptarena.envs import actions
from pptarena.rollouts.env import make_env
from pptarena.rollouts.live import LiveEnv

__all__ = ["measure"]

_SPAWN = multiprocessing.get_context("spawn")
_RESTART_STEPS = 400


def measure(environments: int, seconds: float, rate: float) -> dict[str, Any]:
    """Return the figures without and with a viewer.

    Args:
        environments: Number of environments in this process.
        seconds: Duration of each of the two measurements.
        rate: Steps per second of every environment.
    """
    with ExitStack() as stack:
        envs = [
            LiveEnv(make_env("fake", max_steps=_RESTART_STEPS + 1, score_when="end"))
            for _ in range(environments)
        ]
        for env in envs:
            stack.callback(env.close)
            env.reset(seed=0)
        alone, _ = _run(envs, seconds, rate)
        with _running(_serve) as server, _running(_view, server.recv()) as viewer:
            viewer.recv()  # the first picture has arrived
            cpu_before = _asked(server, "cpu")
            watched, shown = _run(envs, seconds, rate)
            cpu_server = (_asked(server, "cpu") - cpu_before) / seconds
            arrived: dict[int, float] = _asked(viewer, "arrived")
    delays = sorted(1000 * (arrived[step] - shown[step]) for step in arrived.keys() & shown.keys())
    return {
        "environments": environments,
        "steps_per_sec": rate,
        "cpu_without_viewer": round(alone, 3),
        "cpu_with_viewer": round(watched, 3),
        "cpu_of_server": round(cpu_server, 3),
        "latency_ms": {
            "samples": len(delays),
            "p50": round(statistics.median(delays), 1),
            "p95": round(delays[int(0.95 * (len(delays) - 1))], 1),
        },
    }


def _run(envs: list[LiveEnv], seconds: float, rate: float) -> tuple[float, dict[int, float]]:
    """Step at the rate; return processor seconds per second, and when steps of the first ended."""
    begin, cpu = time.monotonic(), time.process_time()
    shown: dict[int, float] = {}
    for tick in range(round(seconds * rate)):
        for number, env in enumerate(envs):
            due = begin + (tick + number / len(envs)) / rate
            time.sleep(max(0.0, due - time.monotonic()))
            env.step(actions.key("Down" if tick % 2 else "Up"))
            if number == 0 and env.station.snapshot is not None:
                shown[env.station.snapshot.step] = time.monotonic()
    return (time.process_time() - cpu) / (time.monotonic() - begin), shown


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


def _view(connection: Connection, url: str) -> None:
    from websockets.sync.client import connect

    first, arrived = "", dict[int, float]()
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
                if not first and message["station"].endswith("-1"):
                    first = message["station"]
                    page.send(json.dumps({"type": "watch", "station": first}))
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
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=1.0, help="steps per second")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="live-") as sockets:
        os.environ["PPTARENA_LIVE"] = sockets
        print(json.dumps(measure(options.environments, options.seconds, options.rate)))  # noqa: T201


if __name__ == "__main__":
    main()
