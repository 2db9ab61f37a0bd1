import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.collect import lock_store
from pptarena.rollouts.store import find_episodes, read_meta
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = list_tasks("starter")[0].id
FAKE = ("--machine", "fake")


def run_json(cli: Cli, *arguments: str, code: int = 0) -> dict[str, Any]:
    done = cli("run", *FAKE, *arguments, "--json", code=code)
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    return value


def test_run_prints_a_table_and_the_next_command(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", *FAKE, "--agent", "random", "--task", TASK, "--out", "two words")
    for word in ("random", "success rate", "mean score", "mean steps", "all"):
        assert word in done.stdout
    assert "1 of 1 episodes are complete, 1 of them new: two words\n" in done.stdout
    folder = Path("two words/random") / TASK / "seed-0"
    assert f"pptarena runs replay '{folder}'\n" in done.stdout
    assert "pptarena report 'two words'\n" in done.stdout
    names = {path.name for path in (tmp_path / folder).iterdir()}
    assert {"meta.json", "traj.jsonl", "step_000.png", "step_000.json", "rubric.json"} <= names
    assert {"original.pptx", "final.pptx"} <= names


def test_best_of_n_is_a_separate_agent(cli: Cli, tmp_path: Path) -> None:
    options = ("--agent", "random", "--best-of", "3", "--max-steps", "2", "--task", TASK)
    value = run_json(cli, *options, "--out", "out")
    assert {row["agent"] for row in value["summary"]} == {"random-best-of-3"}
    (episode,) = find_episodes(tmp_path / "out")
    assert read_meta(episode).agent == "random-best-of-3"
    for machine in ("sandbox", "auto"):
        done = cli("run", *options, "--machine", machine, "--out", "no", code=2)
        assert "cannot save a checkpoint of its state: no machine image" in done.stderr
    on_documents = ("run", "--env", "doc", "--agent", "random", "--best-of", "2", "--out", "no")
    assert "--env doc has none" in cli(*on_documents, code=2).stderr
    done = cli("run", *FAKE, "--agent", "busy", "--best-of", "2", "--out", "no", code=2)
    assert "expected an agent that proposes several actions" in done.stderr
    assert not (tmp_path / "no").exists()


def test_standard_output_contains_only_json(cli: Cli, tmp_path: Path) -> None:
    value = run_json(
        cli, "--agent", "random", "--agent", "busy", "--task", TASK, "--repeats", "2",
        "--max-steps", "4", "--seed", "7", "--out", "out",
    )  # fmt: skip
    assert [row["agent"] for row in value["summary"]][-1] == "busy"
    assert [(one["agent"], one["seed"]) for one in value["episodes"]] == [
        ("random", 7),
        ("random", 8),
        ("busy", 7),
        ("busy", 8),
    ]
    for one in value["episodes"]:
        meta = read_meta(tmp_path / one["path"])
        assert (meta.task, meta.score, meta.steps) == (TASK, one["score"], one["steps"])
        assert meta.max_steps == 4


def test_entire_suite_runs(cli: Cli, tmp_path: Path) -> None:
    value = run_json(cli, "--agent", "random", "--max-steps", "2", "--out", "out")
    assert {one["task"] for one in value["episodes"]} == {task.id for task in list_tasks("starter")}


def test_same_seed_reproduces_the_run(cli: Cli, tmp_path: Path) -> None:
    for out in ("one", "two"):
        run_json(cli, "--agent", "random", "--task", TASK, "--max-steps", "5", "--out", out)
    lines = [
        (tmp_path / out / "random" / TASK / "seed-0" / "traj.jsonl").read_text().splitlines()
        for out in ("one", "two")
    ]
    one, two = ([json.loads(line)["action"] for line in part] for part in lines)
    assert len(one) == 5
    assert one == two


def test_run_continues_in_a_folder_with_episodes(cli: Cli, tmp_path: Path) -> None:
    arguments = ("--agent", "random", "--task", TASK, "--max-steps", "2", "--out", "out")
    first = run_json(cli, *arguments)
    assert (first["complete"], first["new"], first["missing"]) == (1, 1, 0)
    assert run_json(cli, *arguments) == {**first, "new": 0}
    (tmp_path / "out/manifest.json").unlink()
    refused = cli("run", *FAKE, *arguments, code=2).stderr
    assert "out has episodes but no manifest.json" in refused
    assert "choose another --out" in refused


def test_later_runs_add_agents_and_tasks_and_conflicts_are_refused(
    cli: Cli, tmp_path: Path
) -> None:
    random = ("--agent", "random", "--task", TASK, "--max-steps", "2", "--out", "out")
    run_json(cli, *random)
    other = list_tasks("starter")[1].id
    busy = ("--agent", "busy", "--task", other, "--max-steps", "2", "--out", "out")
    added = run_json(cli, *busy, "--repeats", "3", "--workers", "2")
    assert (added["complete"], added["new"]) == (3, 3)
    assert [one["seed"] for one in added["episodes"]] == [0, 1, 2]
    manifest = json.loads((tmp_path / "out/manifest.json").read_text("utf-8"))
    assert manifest["agents"] == ["random", "busy"]
    assert list(manifest["tasks"]) == [TASK, other]
    assert manifest["seeds"] == [0, 1, 2]
    assert run_json(cli, *random)["new"] == 0
    mixed = ("--agent", "random", "--task", TASK, "--max-steps", "3", "--out", "out")
    refused = cli("run", *FAKE, *mixed, "--env-option", "width_px=640", code=2).stderr
    assert "screen: [1280, 720], now [640, 720]; max_steps: 2, now 3; options: {}" in refused
    document = ("run", "--env", "doc", "--max-steps", "2", "--agent", "goal", "--task", TASK)
    assert 'machine: "fake", now "document"' in cli(*document, "--out", "out", code=2).stderr
    assert len(list(find_episodes(tmp_path))) == 4


def test_runs_without_out_have_separate_folders(cli: Cli, tmp_path: Path) -> None:
    arguments = ("--agent", "random", "--task", TASK, "--max-steps", "1")
    outs = {run_json(cli, *arguments)["out"] for _ in range(2)}
    assert len(outs) == 2
    assert {str(path.relative_to(tmp_path)) for path in (tmp_path / "runs").iterdir()} == outs


def test_concurrent_runs_cannot_share_a_folder(cli: Cli, tmp_path: Path) -> None:
    with lock_store(tmp_path / "out"):
        done = cli("run", *FAKE, "--agent", "random", "--task", TASK, "--out", "out", code=2)
    assert "another process is running episodes into out" in done.stderr
    assert not list(find_episodes(tmp_path))


def test_executors(cli: Cli, tmp_path: Path) -> None:
    random = ("run", "--agent", "random", "--task", TASK, "--out", "out", "--executor")
    assert "executor 'rays' not found" in cli(*random, "rays", code=2).stderr
    assert not (tmp_path / "out").exists()


def test_custom_agent_runs(cli: Cli) -> None:
    value = run_json(cli, "--agent", "own_agents:Quitter", "--task", TASK, "--out", "out")
    episode = value["episodes"][0]
    assert (episode["steps"], episode["end"]) == (1, "done")


def test_agent_that_gives_up_is_scored_and_named(cli: Cli) -> None:
    done = cli("run", *FAKE, "--agent", "own_agents:Loser", "--task", TASK, "--out", "out")
    assert "I am lost" in done.stderr
    assert "agent errors" in done.stdout


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_interrupted_run_keeps_complete_episodes_and_resumes(
    cli: Cli, tmp_path: Path, cli_environ: dict[str, str], number: int, code: int, workers: str
) -> None:
    arguments = (
        *("--agent", "random", "--task", TASK, "--repeats", "8"),
        *("--max-steps", "5", "--out", "out", "--workers", workers),
    )
    process = subprocess.Popen(
        [sys.executable, "-c", "from pptarena.cli import main; main()", "run", *FAKE, *arguments],
        cwd=tmp_path,
        env=cli_environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        while not (tmp_path / "out/random" / TASK / "seed-1").exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, number)
        assert process.stderr is not None
        errors = process.stderr.read()
    assert process.returncode == code
    assert "Traceback" not in errors
    if number == signal.SIGINT:
        assert "continues with --out out" in errors
        assert not list(tmp_path.rglob(".partial-*"))
    metadata = {folder: read_meta(folder) for folder in find_episodes(tmp_path)}
    assert 2 <= len(metadata) < 8
    value = run_json(cli, *arguments)
    assert (value["complete"], value["new"], value["missing"]) == (8, 8 - len(metadata), 0)
    assert [one["seed"] for one in value["episodes"]] == list(range(8))
    assert {folder: read_meta(folder) for folder in metadata} == metadata
    assert len(list(find_episodes(tmp_path))) == 8
    assert not list(tmp_path.rglob(".partial-*"))


def test_model_run_shows_its_costs(cli: Cli, tmp_path: Path, server: Any) -> None:
    server.default = '{"kind": "done"}'
    arguments = (
        *("run", *FAKE, "--agent", "model", "--model", "org/tiny", "--dialect", "json"),
        *("--base-url", server.url, "--task", TASK, "--out", "out"),
        *("--option", "output_price_usd=100000", "--option", "input_price_usd=1"),
    )
    done = cli(*arguments)
    assert "tiny--json" in done.stdout
    assert "1.00 USD" in done.stdout
    folder = tmp_path / "out/tiny--json" / TASK / "seed-0"
    assert json.loads((folder / "model.json").read_text())["usage"]["requests"] == 1
    assert read_meta(folder).end == "done"
    value = json.loads(cli(*arguments, "--json").stdout)
    assert value["models"][0]["usage"]["input_tokens"] == 90
    assert len(server.requests) == 1


def test_runs_of_one_model_with_different_settings_are_stored_separately(
    cli: Cli, tmp_path: Path, server: Any
) -> None:
    server.default = '{"kind": "done"}'
    arguments = (
        *("--agent", "model", "--model", "tiny", "--dialect", "json"),
        *("--base-url", server.url, "--task", TASK, "--out", "out"),
    )
    for see in ("text", "screenshot,elements"):
        run_json(cli, *arguments, "--see", see)
    names = ("tiny--json--text", "tiny--json--screenshot_elements")
    folders = [tmp_path / "out" / name / TASK / "seed-0" for name in names]
    assert sorted(find_episodes(tmp_path)) == sorted(folders)
    values = [json.loads((folder / "model.json").read_text())["see"] for folder in folders]
    assert values == ["window,slide,elements", "screenshot,elements"]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--agent", "model"), "add --model NAME"),
        (("--agent", "random", "--model", "m"), "need an agent that asks a model"),
        (
            ("--agent", "model", "--model", "m", "--dialect", "klingon"),
            "dialect 'klingon' not found",
        ),
        (("--agent", "model", "--model", "m", "--option", "x=1"), "option 'x' not found"),
        (("--agent", "model", "--model", "m", "--see", "markz"), "Did you mean 'marks'"),
        (("--agent", "random", "--see", "marks"), "--see and --option need an agent"),
        (("--agent", "model", "--model", "m", "--option", "api_key_env=NONE"), "variable NONE"),
    ],
)
def test_invalid_model_options_are_refused(
    cli: Cli, arguments: tuple[str, ...], words: str
) -> None:
    done = cli("run", *FAKE, "--task", TASK, *arguments, code=2)
    assert words in " ".join(done.stderr.split())
