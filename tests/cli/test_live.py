"""The live page from the command line."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.store import read_meta, read_steps
from pptarena.tasks import get_task, list_tasks

pytestmark = pytest.mark.slow

websockets = pytest.importorskip("websockets.sync.client")

Here = Callable[..., tuple[object, str, str]]
TASK = list_tasks("starter")[0].id
WAIT_SEC = 60


@contextmanager
def started(
    cli_environ: dict[str, str], folder: Path, *arguments: str
) -> Iterator[tuple["subprocess.Popen[str]", Any]]:
    """Start a command that shows the live page; yield the process and a viewer."""
    with tempfile.TemporaryDirectory(prefix="live-") as sockets:
        process = subprocess.Popen(
            [sys.executable, "-c", "from pptarena.cli import main; main()", *arguments],
            cwd=folder,
            env={**cli_environ, "PPTARENA_LIVE": sockets},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stderr is not None
            address = ""
            while not (match := re.search(r"http://\S+/", address)):
                address = process.stderr.readline()
                assert address, "the command ended"
            url = match[0]
            options: dict[str, Any] = {"origin": "/".join(url.split("/")[:3]), "proxy": None}
            with websockets.connect(
                url.replace("http", "ws") + "ws", max_size=None, close_timeout=1, **options
            ) as viewer:
                yield process, viewer
        finally:
            process.kill()
            process.communicate()


def message(viewer: Any) -> dict[str, Any]:
    """Return the next message of a station."""
    data = viewer.recv(timeout=WAIT_SEC)
    header: dict[str, Any] = json.loads(data[4 : 4 + int.from_bytes(data[:4], "big")])
    return header


def station(viewer: Any) -> str:
    """Return the first station that the page shows."""
    return str(message(viewer)["station"])


def test_person_plays_on_the_screen(cli_environ: dict[str, str], tmp_path: Path) -> None:
    options = ("--machine", "fake", "--out", "mine", "--who", "P7", "--json")
    for seed in (0, 1):  # the second time, the next free seed is used
        with started(cli_environ, tmp_path, "play", TASK, *options) as (process, viewer):
            name = station(viewer)
            for event in ({"kind": "key", "keys": "End"}, {"kind": "done", "difficulty": 4}):
                request = {"type": "control", "station": name, "what": "input", "event": event}
                viewer.send(json.dumps(request))
            assert process.stdout is not None
            results = json.loads(process.stdout.read())
            assert process.wait(WAIT_SEC) == 0
        assert (results["task"], results["seed"], results["end"]) == (TASK, seed, "done")
        assert (results["steps"], results["difficulty"]) == (2, 4)
        meta = read_meta(tmp_path / results["path"])
        assert (meta.agent, meta.machine, meta.max_steps) == ("human", "fake", 500)


def test_person_plays_on_a_document(cli_environ: dict[str, str], tmp_path: Path) -> None:
    command = ("play", "meridian-hide-backup", "--env", "doc", "--slides", "0", "--out", "mine")
    with started(cli_environ, tmp_path, *command, "--json") as (process, viewer):
        name = station(viewer)
        call = {"tool": "hide_slide", "arguments": {"slide": 272}}
        for event in (call, {"kind": "done", "difficulty": 1}):
            request = {"type": "control", "station": name, "what": "input", "event": event}
            viewer.send(json.dumps(request))
        assert process.stdout is not None
        results = json.loads(process.stdout.read())
        assert process.wait(WAIT_SEC) == 0
    assert (results["score"], results["steps"], results["difficulty"]) == (1.0, 2, 1)
    meta = read_meta(tmp_path / results["path"])
    assert (meta.agent, meta.machine, meta.max_steps) == ("human", "document", 500)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--env", "docs"], "environment 'docs' not found"),
        (["--slides", "4"], "--slides needs --env doc"),
        (["--env", "doc", "--machine", "fake"], "leave out --machine"),
        (["--env", "doc", "--save-solution", "new"], "--save-solution needs --env screen"),
    ],
)
def test_play_usage_errors_are_refused(here: Here, arguments: list[str], message: str) -> None:
    code, _, errors = here("play", TASK, *arguments)
    assert code == 2
    assert message in " ".join(errors.split())


def test_played_episode_becomes_a_solution(cli_environ: dict[str, str], tmp_path: Path) -> None:
    """The right end of a task that cannot be done is one action."""
    write_infeasible(tmp_path / "own")
    command = ("play", "own", "--machine", "fake", "--save-solution", "solved")
    with started(cli_environ, tmp_path, *command) as (process, viewer):
        request = {"type": "control", "station": station(viewer), "what": "input"}
        viewer.send(json.dumps({**request, "event": {"kind": "fail"}}))
        assert process.wait(WAIT_SEC) == 0
    solved = get_task(tmp_path / "solved")
    assert [step.kind for step in solved.demonstration] == ["fail"]


def write_infeasible(folder: Path) -> None:
    """Write a task that cannot be done."""
    folder.mkdir()
    (folder / "deck.pptx").write_bytes(get_task(TASK).deck_bytes())
    task = {"version": 2, "id": "own", "deck": "deck.pptx", "instruction": "Print it.",
            "feasible": False}  # fmt: skip
    (folder / "task.json").write_text(json.dumps(task))


def test_solution_requires_a_new_folder(here: Here, tmp_path: Path) -> None:
    code, _, errors = here("play", TASK, "--save-solution", str(tmp_path))
    assert code == 1
    assert "exists: choose a new folder" in " ".join(errors.split())


def test_run_is_shown_and_can_be_stopped(cli_environ: dict[str, str], tmp_path: Path) -> None:
    options = ("--agent", "random", "--max-steps", "100000", "--task", TASK, "--machine", "fake")
    command = ("run", *options, "--out", "out", "--live")
    with started(cli_environ, tmp_path, *command) as (process, viewer):
        request = {"type": "control", "station": station(viewer), "what": "stop"}
        viewer.send(json.dumps(request))
        assert process.stdout is not None
        output = process.stdout.read()
        assert process.wait(WAIT_SEC) == 0
    assert "random (helped)" in output
    assert "episodes with help" in output
    assert read_meta(tmp_path / "out" / "random" / TASK / "seed-0").help["interventions"] == 1


def test_document_is_shown_and_risky_calls_are_confirmed(
    cli_environ: dict[str, str], tmp_path: Path
) -> None:
    options = ("--env", "doc", "--agent", "own_agents:Deleter", "--task", TASK)
    command = ("run", *options, "--confirm", "person", "--out", "out", "--live")
    with started(cli_environ, tmp_path, *command) as (process, viewer):
        while (state := message(viewer))["status"]["risk"] is None:
            pass
        assert "deletes slides: delete_slide" in state["status"]["risk"]
        answer = {"what": "refuse", "text": "keep it"}
        viewer.send(json.dumps({"type": "control", "station": state["station"], **answer}))
        assert process.stdout is not None
        output = process.stdout.read()
        assert process.wait(WAIT_SEC) == 0
    assert "(helped)" in output
    (folder,) = (tmp_path / "out").glob(f"*/{TASK}/seed-0")
    help = read_meta(folder).help
    assert (help["confirmations"], help["refusals"]) == (1, 1)
    assert read_steps(folder)[0].action_error == "refused by person: keep it"


def test_another_process_can_show_a_run(cli_environ: dict[str, str], tmp_path: Path) -> None:
    with started(cli_environ, tmp_path, "live") as (process, viewer):
        code = (
            "import os, sys\n"
            "from pptarena.rollouts.live.env import make_live_env\n"
            "env = make_live_env(machine='fake')\n"
            "env.reset(seed=0)\n"
            "sys.stdin.read()\n"
            "env.close()\n"
        )
        environ = {**cli_environ, "PPTARENA_LIVE": _sockets_of(process)}
        with subprocess.Popen(
            [sys.executable, "-c", code], env=environ, stdin=subprocess.PIPE
        ) as other:
            assert station(viewer).startswith(f"{other.pid}-")
            other.communicate()
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_SEC) == 0


def _sockets_of(process: "subprocess.Popen[str]") -> str:
    entries = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    return next(os.fsdecode(each)[14:] for each in entries if each.startswith(b"PPTARENA_LIVE="))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--confirm", "person", "--executor", "ray", "--agent", "random"], "leave out --executor"),
        (["--confirm", "nobody", "--agent", "random"], "confirm: expected 'person'"),
        (["--answer", "nobody", "--agent", "random"], "answer: expected None, 'person'"),
        (["--port", "8001", "--agent", "random"], "add --live"),
    ],
)
def test_usage_errors_are_refused(here: Here, arguments: list[str], message: str) -> None:
    code, _, errors = here("run", *arguments, "--task", TASK)
    assert code == 2
    assert message in " ".join(errors.split())


def test_invalid_port_is_refused(here: Here) -> None:
    code, _, errors = here("live", "--port", "65536")
    assert code == 2
    assert "expected 0 to 65535" in errors


def test_port_in_use_is_an_error(here: Here) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, errors = here("live", "--port", str(taken.getsockname()[1]))
    assert code == 1
    assert "cannot use port" in errors
