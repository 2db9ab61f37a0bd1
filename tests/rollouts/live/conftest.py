"""A live page of the fake machine, viewers without a browser, and a browser."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.base import Agent
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.live import LiveEnv
from pptarena.rollouts.play import play
from pptarena.tasks import Task

websockets = pytest.importorskip("websockets.sync.client")

WAIT_SEC = 60.0


def until(condition: Callable[[], Any]) -> Any:
    """Return the first true value of a function."""
    end = time.monotonic() + WAIT_SEC
    while not (value := condition()):
        assert time.monotonic() < end, "timeout"
        time.sleep(0.02)
    return value


class Viewer:
    """A client of the page's WebSocket protocol."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.messages: list[dict[str, Any]] = []
        self.images: list[bytes] = []

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def control(self, station: str, what: str, **more: Any) -> None:
        self.send(type="control", station=station, what=what, **more)

    def read(self, accept: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Return the next message that `accept` returns true for."""
        while True:
            data = self.connection.recv(timeout=WAIT_SEC)
            if isinstance(data, str):
                message, image = json.loads(data), b""
            else:
                length = int.from_bytes(data[:4], "big")
                message, image = json.loads(data[4 : 4 + length]), data[4 + length :]
            self.messages.append(message)
            self.images.append(image)
            if accept(message):
                return dict(message)

    def tile(self) -> dict[str, Any]:
        """Return the first tile."""
        return self.read(lambda message: message["type"] == "tile")

    def full(self, accept: Callable[[dict[str, Any]], Any] = lambda _: True) -> dict[str, Any]:
        """Return the next complete state that `accept` returns true for."""
        return self.read(lambda message: message["type"] == "full" and accept(message))


@pytest.fixture(autouse=True)
def sockets(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for this test's sockets; its path is short, as sockets require."""
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        monkeypatch.setenv("PPTARENA_LIVE", folder)
        yield Path(folder)


@pytest.fixture
def live_env(env: gym.Env[Any, Any]) -> Iterator[LiveEnv]:
    """The small environment of the fake machine, shown to live pages."""
    with ExitStack() as stack:
        live = LiveEnv(env)
        stack.callback(live.close)
        yield live


@pytest.fixture
def server() -> Iterator[Any]:
    """The server of the page."""
    from pptarena.rollouts.live.web import LiveServer

    with LiveServer() as server:
        yield server


@contextmanager
def open_viewer(server: Any, **headers: Any) -> Iterator[Viewer]:
    """Connect like the page."""
    address = server.url.partition("#")[0]
    origin = "/".join(address.split("/")[:3])
    options = {"origin": origin, "max_size": None, "proxy": None, "close_timeout": 1, **headers}
    with websockets.connect(address.replace("http", "ws") + "ws", **options) as connection:
        yield Viewer(connection)


@pytest.fixture
def viewer(server: Any) -> Iterator[Viewer]:
    """A viewer of the page."""
    with open_viewer(server) as viewer:
        yield viewer


@pytest.fixture
def start(task: Task, tmp_path: Path) -> Iterator[Callable[..., Callable[[], StoredEpisode]]]:
    """A function that plays an episode in a thread and returns a function to wait for it."""
    threads: list[threading.Thread] = []

    def start_episode(
        env: gym.Env[Any, Any],
        agent: Agent,
        name: str = "tester",
        seed: int = 0,
        **options: Any,
    ) -> Callable[[], StoredEpisode]:
        episodes: list[StoredEpisode] = []
        folder = tmp_path / "run" / name / f"seed-{seed}"
        options = {"task": task, "folder": folder, **options}
        options["failed_folder"] = folder.with_name(f"seed-{seed}.failed-1")

        def run() -> None:
            episodes.append(play(env, agent, agent_name=name, seed=seed, **options))

        thread = threading.Thread(target=run)
        thread.start()
        threads.append(thread)

        def wait() -> StoredEpisode:
            thread.join(WAIT_SEC)
            assert episodes, "the episode has not ended"
            return episodes[0]

        return wait

    yield start_episode
    for thread in threads:
        thread.join(WAIT_SEC)


class Browser:
    """Headless Chromium, driven by real mouse and keyboard events (Chrome DevTools Protocol)."""

    def __init__(self, connection: Any) -> None:
        self._connection, self._count = connection, 0
        self.console: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        request = {"id": self._count, "method": method, "params": parameters}
        self._connection.send(json.dumps(request))
        while True:
            message = json.loads(self._connection.recv(timeout=WAIT_SEC))
            if message.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
                self.console.append(json.dumps(message["params"]))
            if message.get("id") == self._count:
                assert "error" not in message, message
                return dict(message["result"])

    def open(self, url: str, width: int = 1280, height: int = 900) -> None:
        self.size(width, height)
        self.call("Page.navigate", url=url)
        self.until("location.href != 'about:blank' && document.readyState == 'complete'")

    def size(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.call("Emulation.setDeviceMetricsOverride", mobile=width < 600, **metrics)

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, expression: str) -> Any:
        return until(lambda: self.value(expression))

    def center(self, selector: str) -> tuple[float, float]:
        element = f"document.querySelector({json.dumps(selector)})"
        box = self.value(
            f"{element}.scrollIntoView({{block: 'center'}}), "
            f"(({{x, y, width, height}}) => [x, y, width, height])"
            f"({element}.getBoundingClientRect())"
        )
        return box[0] + box[2] / 2, box[1] + box[3] / 2

    def screen_point(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the machine's screen in [0, 1] to a point of the page."""
        self.center("#picture")
        left, top, width, height = self.value(
            "(({x, y, width, height}) => [x, y, width, height])"
            "(document.querySelector('#picture').getBoundingClientRect())"
        )
        return left + x * width, top + y * height

    def click(self, point: tuple[float, float], count: int = 1, button: str = "left") -> None:
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, point, button=button, clickCount=number)

    def mouse(self, kind: str, point: tuple[float, float], **more: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=point[0], y=point[1], **more)

    def key(self, key: str, code: str, number: int, modifiers: int = 0) -> None:
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, modifiers=modifiers, **common)

    def write(self, text: str) -> None:
        for character in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=character, key=character)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=character)

    def screenshot(self, file: Path) -> None:
        """Write a screenshot of the entire page."""
        result = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(result["data"]))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Chromium with an empty page."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    profile = tmp_path / "profile"
    options = ["--headless=new", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
               f"--user-data-dir={profile}", "about:blank"]  # fmt: skip
    if os.geteuid() == 0:
        options.insert(0, "--no-sandbox")
    with subprocess.Popen(
        [program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            port_file = profile / "DevToolsActivePort"
            port = until(lambda: port_file.exists() and port_file.read_text().split())[0]
            with websockets.connect(_page_address(port), max_size=None, proxy=None) as connection:
                browser = Browser(connection)
                yield browser
                assert not browser.console
        finally:
            process.terminate()


def _page_address(port: str) -> str:
    import urllib.request

    def pages() -> list[dict[str, Any]]:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            return [each for each in json.load(answer) if each["type"] == "page"]

    return str(until(pages)[0]["webSocketDebuggerUrl"])
