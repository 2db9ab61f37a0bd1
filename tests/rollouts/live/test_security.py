"""Access to the page needs its address and token, and no viewer can harm an episode."""

import json
import socket
import time
from collections.abc import Callable
from contextlib import closing
from http.client import BadStatusLine, HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rollouts.live.conftest import Viewer, open_viewer, until

from pptarena.envs import actions
from pptarena.errors import ConfigError
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.live import LiveEnv, Person
from pptarena.rollouts.live.channel import pack, socket_folder
from pptarena.rollouts.live.env import make_live_env
from pptarena.rollouts.live.publisher import publisher
from pptarena.rollouts.store import read_steps
from pptarena.tasks import get_task

websockets = pytest.importorskip("websockets")


def get(server: Any, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    _, _, host, token, _ = server.url.split("/")
    connection = HTTPConnection(host)
    connection.request("GET", path.format(token=token), headers=headers)
    answer = connection.getresponse()
    result = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return result


@pytest.mark.parametrize("name", ["", "live.css", "live.js"])
def test_page_needs_the_token(server: Any, name: str) -> None:
    status, headers, body = get(server, "/{token}/" + name)
    assert status == 200
    assert len(body) > 1000
    assert "default-src 'none'; script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert get(server, f"/{name}")[0] == 404
    assert get(server, f"/{'x' * 32}/{name}")[0] == 404


@pytest.mark.parametrize("path", ["/", "/{token}", "/{token}x/", "/{token}/../live.js", "//"])
def test_other_paths_do_not_exist(server: Any, path: str) -> None:
    assert get(server, path)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost"])
def test_other_host_is_refused(server: Any, host: str) -> None:
    """Protects from DNS rebinding."""
    status, _, body = get(server, "/{token}/", Host=host)
    assert (status, body) == (403, b"")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_other_origin_is_refused(server: Any, origin: str | None) -> None:
    with pytest.raises(websockets.InvalidStatus) as caught, open_viewer(server, origin=origin):
        pass
    assert caught.value.response.status_code == 403


def test_websocket_needs_the_token(server: Any) -> None:
    class Other:
        url = server.url.rsplit("/", 2)[0] + f"/{'x' * 32}/"

    with pytest.raises(websockets.InvalidStatus), open_viewer(Other()):
        pass


def test_folder_accessible_to_others_is_rejected(sockets: Path) -> None:
    sockets.chmod(0o755)
    with pytest.raises(ConfigError, match="mode 700"):
        socket_folder()


def flood(viewer: Viewer, station: str) -> None:
    for _ in range(1000):
        viewer.control(station, "input", event={"kind": "type", "text": "x"})
    viewer.read(lambda _: False)


@pytest.mark.slow
def test_flood_of_requests_ends_the_connection(
    live_env: LiveEnv, server: Any, start: Callable[..., Any], script: Callable[..., Any]
) -> None:
    wait = start(live_env, script(actions.wait(0), actions.done()))
    with open_viewer(server) as viewer, pytest.raises(websockets.ConnectionClosed):
        flood(viewer, viewer.tile()["station"])
    assert wait().meta.help == {}
    with open_viewer(server) as other:
        other.tile()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[" * 60_000, '{"type": "watch", "station": []}', '{"type": 7}',
     '{"type": "control", "station": "x", "what": {}}', "\ud800"],
)  # fmt: skip
def test_malformed_requests_are_ignored(
    live_env: LiveEnv, viewer: Viewer, text: str, start: Callable[..., Any], script: Any
) -> None:
    viewer.connection.send(text.encode("utf-8", "replace").decode())
    start(live_env, script(actions.done()))()
    assert viewer.tile()["score"] is not None


@pytest.mark.parametrize(
    "request_",
    [
        {}, {"what": "speed", "delay_sec": "x"}, {"what": "speed", "delay_sec": 1e9},
        {"what": "speed", "delay_sec": 10**400}, {"what": "speed", "delay_sec": float("nan")},
        {"what": "propose"}, {"what": "allow"}, {"what": "refuse", "text": "x"},
        {"what": "hint", "text": 5}, {"what": "input", "event": 5}, {"what": "input"},
        {"what": "input", "event": {"kind": "type", "text": "x"}}, {"what": "answer", "text": "x"},
    ],
)  # fmt: skip
def test_malformed_controls_do_nothing(
    live_env: LiveEnv, script: Callable[..., Any], start: Callable[..., Any], request_: Any
) -> None:
    live_env.station.attach("tester")
    live_env.station.control(request_)
    assert live_env.station.status()["delay_sec"] <= 10
    live_env.station.control({"what": "speed", "delay_sec": 0})
    assert start(live_env, script(actions.done()))().meta.help == {}


@pytest.mark.parametrize("method", ["POST", "PUT", "HEAD", "OPTIONS", "CONNECT"])
def test_methods_other_than_get_are_rejected(server: Any, method: str) -> None:
    _, _, host, token, _ = server.url.split("/")
    connection = HTTPConnection(host)
    connection.request(method, f"/{token}/", body=b"x" * 1000)
    try:
        status = connection.getresponse().status
    except (BadStatusLine, ConnectionError):
        status = 400  # closed without an answer
    assert status >= 400
    connection.close()
    assert get(server, "/{token}/")[0] == 200


@pytest.mark.parametrize("depth", [31, 300, 900, 960, 980, 9_000])
def test_deeply_nested_arguments_are_harmless(
    viewer: Viewer, start: Callable[..., Any], depth: int
) -> None:
    """The depth at which Python's JSON fails depends on the call stack."""
    with closing(make_live_env(make_document_env, max_steps=5)) as live_env:
        task = get_task("meridian-hide-backup")
        wait = start(live_env, Person(), "human", task=task)
        station = viewer.tile()["station"]
        nested = '{"x": ' * depth + "1" + "}" * depth
        event = f'{{"tool": "hide_slide", "arguments": {nested}}}'
        viewer.connection.send(
            f'{{"type": "control", "station": "{station}", "what": "input", "event": {event}}}'
        )
        viewer.control(station, "input", event={"kind": "done"})
        assert wait().meta.end == "done"


@pytest.mark.slow
def test_lone_surrogates_are_replaced(
    live_env: LiveEnv, viewer: Viewer, start: Callable[..., Any]
) -> None:
    """JSON can escape lone surrogates, but UTF-8 files cannot contain them."""
    wait = start(live_env, Person("\udcff"), "human")
    station = viewer.tile()["station"]
    viewer.control(station, "input", event={"kind": "type", "text": "a\ud800"})
    viewer.control(station, "input", event={"kind": "done", "note": "b\ud800"})
    episode = wait()
    record = json.loads((episode.folder / "person.json").read_text())
    assert (record["who"], record["note"]) == ("?", "b?")
    assert read_steps(episode.folder)[0].action.text == "a?"


def test_pending_actions_of_a_person_are_limited(
    live_env: LiveEnv, script: Callable[..., Any], start: Callable[..., Any]
) -> None:
    station = live_env.station
    station.attach("tester")
    station.control({"what": "pause"})
    wait = start(live_env, script(actions.done()))
    until(lambda: station.snapshot is not None)
    station.control({"what": "take"})
    for _ in range(1000):
        station.control({"what": "input", "event": {"kind": "click", "xy": [7, 7]}})
        assert station.status()["pending"] <= 100
    station.control({"what": "hand_back"})
    station.control({"what": "resume"})
    assert wait().meta.score == 0


@pytest.mark.slow
def test_page_that_never_reads_is_disconnected(
    live_env: LiveEnv, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.rollouts.live.web._SEND_SEC", 0.2)
    monkeypatch.setattr("pptarena.rollouts.live.publisher._FULL_SEC", 0.0)
    _, _, host, token, _ = server.url.split("/")
    observation, info = live_env.reset(seed=0)
    noise = np.random.default_rng(0).integers(0, 256, (720, 1280, 3), np.uint8)
    watch = json.dumps({"type": "watch", "station": live_env.station.id}).encode()
    with socket.create_connection(host.split(":")) as silent:
        silent.sendall(
            f"GET /{token}/ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b" 101 " in silent.recv(100)
        silent.sendall(bytes([0x81, 0x80 | len(watch), 0, 0, 0, 0]) + watch)  # a masked text
        until(lambda: publisher().is_watched)
        begin = time.monotonic()
        while publisher().is_watched:
            assert time.monotonic() - begin < 60, "the page is still connected"
            live_env.station.begin({**observation, "screenshot": noise}, info)
            time.sleep(0.02)


@pytest.mark.slow
def test_viewer_that_never_reads_delays_nothing(
    live_env: LiveEnv, server: Any, start: Callable[..., Any], script: Callable[..., Any]
) -> None:
    """Neither the episode nor another viewer waits for it."""
    with open_viewer(server) as silent, open_viewer(server) as viewer:
        wait = start(live_env, script(actions.wait(0)), "first")
        station = viewer.tile()["station"]
        silent.send(type="watch", station=station)
        viewer.send(type="watch", station=station)
        wait()
        for seed in range(1, 5):
            start(live_env, script(actions.wait(0)), "more", seed)()
        assert viewer.full(lambda state: state["over"])["step"] == 6


@pytest.mark.slow
def test_page_process_that_never_reads_is_disconnected(
    live_env: LiveEnv,
    sockets: Path,
    monkeypatch: pytest.MonkeyPatch,
    start: Callable[..., Any],
    script: Callable[..., Any],
) -> None:
    monkeypatch.setattr("pptarena.rollouts.live.publisher._SEND_SEC", 0.2)
    monkeypatch.setattr("pptarena.rollouts.live.publisher._FULL_SEC", 0.0)
    live_env.reset(seed=0)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(str(next(sockets.glob("*.sock"))))
        silent.sendall(pack({"type": "watch", "full": [live_env.station.id]}))
        until(lambda: publisher().is_watched)
        begin = time.monotonic()
        while publisher().is_watched:
            assert time.monotonic() - begin < 60, "the page is still connected"
            live_env.reset(seed=0)
    assert start(live_env, script(actions.done()))().meta.score == 0


HOSTILE = "</script><img src=x onerror=alert(1)><svg onload=alert(2)>\u202e"


@pytest.mark.slow
@pytest.mark.browser
def test_scripts_in_document_fields_are_escaped(
    server: Any, browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outline, result, calls, tools and the agent's proposal."""
    schema = {"type": "string", "description": HOSTILE, "maxLength": 99, "default": HOSTILE}
    parameters = {"properties": {HOSTILE: schema}}
    tool = {"name": HOSTILE.rstrip("\u202e"), "description": HOSTILE, "parameters": parameters}
    with closing(make_live_env(make_document_env)) as live_env:
        observation, info = live_env.reset(seed=0)
        station = live_env.station
        station.attach("tester", owned=True)
        station.tools = lambda: [tool]
        observation |= {"outline": HOSTILE, "result": HOSTILE}
        station.begin(observation, info)
        call = {"tool": HOSTILE, "arguments": {HOSTILE: HOSTILE}}
        info |= {"command": call, "result": HOSTILE}
        monkeypatch.setattr(station, "_proposal", {"call": call})
        station.show("x", observation, 0.0, False, info)
        browser.open(server.url + "#follow")
        browser.until("full && full.step == 1 && byId('tool').options.length == 1")
        for selector in (
            *("#outline", "#result", "#tool", "#tool-text", "#fields", "#actions"),
            *("#risk-text", ".tile-outline"),
        ):
            text = browser.value(f"document.querySelector({json.dumps(selector)}).textContent")
            assert "<img src=x onerror=alert(1)>" in text, selector
            assert "\u202e" not in text, selector
        assert browser.value("document.querySelectorAll('img[src=x], svg[onload]').length") == 0


@pytest.mark.slow
@pytest.mark.browser
def test_scripts_in_all_fields_are_escaped(
    live_env: LiveEnv, server: Any, browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Task, agent, instruction, rubric, tree, windows, actions, errors, messages, questions."""
    observation, info = live_env.reset(seed=0)

    def poison(value: Any) -> Any:
        if isinstance(value, str):
            return HOSTILE
        if isinstance(value, dict):
            return {name: poison(each) for name, each in value.items()}
        return [poison(each) for each in value] if isinstance(value, list) else value

    info = poison(info) | {"action_error": HOSTILE}
    station = live_env.station
    reply = {"thought": HOSTILE, "text": HOSTILE, "error": HOSTILE,
             "calls": [{"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}}]}  # fmt: skip
    station.conversation = lambda: {"messages": [reply], "count": 1, "cost_usd": 0.1}
    station.attach(HOSTILE)
    station.begin(observation, info)
    station.show(actions.type_text(HOSTILE), observation, 0.0, False, info)
    monkeypatch.setattr(station, "_question", HOSTILE)
    monkeypatch.setattr(station, "_risk", HOSTILE)
    browser.open(server.url)
    browser.until("document.querySelector('.tile') !== null")
    browser.click(browser.center(".tile"))
    browser.until("document.querySelector('#instruction').textContent")
    browser.click(browser.center("#tree-details summary"))
    browser.until("document.querySelector('#nodes li') !== null")
    for selector in (
        *("#task", "#facts", "#instruction", "#rubric", "#nodes", "#actions", "#messages"),
        *("#caption", "#question-text", "#risk-text", ".tile-title", ".tile-facts"),
    ):
        text = browser.value(f"document.querySelector({json.dumps(selector)}).textContent")
        assert "<img src=x onerror=alert(1)>" in text, selector
        assert "\u202e" not in text, selector
    assert browser.value("document.querySelectorAll('img[src=x], svg[onload]').length") == 0
