"""Stored episodes for reports, and a browser that opens the reports."""

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode
from pptarena.rollouts.report import build_report
from pptarena.tasks import Task

HOSTILE = "</script><img src=x onerror=alert(1)><!--\u2028'\"&lt;"

# An iframe has exactly the requested width; windows cannot be as narrow as a phone.
FRAME = """<!doctype html>
<style>body { margin: 0 } iframe { border: 0; width: %(width)dpx; height: %(height)dpx }</style>
<iframe id="frame"></iframe>
<script>
const frame = document.getElementById("frame");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(test) {
  for (const begin = Date.now(); !test(); await pause(20)) {
    if (Date.now() - begin > 60_000) throw new Error(`timeout while waiting for ${test}`);
  }
}
async function inspect(w, d) {
  await until(() => d.body.dataset.ready || !d.getElementById("trouble").hidden);
  const press = async (key, target = d.body) => {
    target.dispatchEvent(new w.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await pause(150);
  };
  const at = (place) => until(() => d.body.dataset.ready === place);
  const text = (id) => d.getElementById(id).textContent;
  const all = (selector, read) => [...d.querySelectorAll(selector)].map(read);
  const places = (selector) => all(selector, (part) =>
    ["x", "y", "width", "height"].map((name) => Number(part.getAttribute(name))));
  const fetched = (url) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.onloadend = () => resolve(request.responseText);
    request.send();
  });
  %(script)s
}
frame.onload = async () => {
  let result;
  try { result = await inspect(frame.contentWindow, frame.contentDocument); }
  catch (error) { result = { thrown: String(error) }; }
  const text = encodeURIComponent(JSON.stringify(result));
  for (let at = 0; at < text.length; at += 1000) console.log(`part:${text.slice(at, at + 1000)}:`);
  console.log("part::end");
};
frame.src = %(address)s;
</script>
"""


@pytest.fixture
def hostile() -> str:
    """A text that injects code into pages without escaping."""
    return HOSTILE


@pytest.fixture
def run(
    env: gym.Env[Any, Any], task: Task, script: Callable[..., Any], tmp_path: Path
) -> Callable[..., StoredEpisode]:
    """Play an episode on the fake machine into the folder ``run``."""

    def play_run(
        name: str, steps: Sequence[actions.Action] = (), seed: int = 0, **changes: Any
    ) -> StoredEpisode:
        folder = tmp_path / "run" / re.sub(r"[^a-z]", "_", name) / f"seed-{seed}"
        agent = script(*steps or (actions.done(),))
        return play_into(folder, env, agent, replace(task, **changes), name, seed)

    return play_run


@pytest.fixture
def change_meta() -> Callable[..., None]:
    """Change fields of a stored episode's meta file."""

    def change(episode: StoredEpisode, **changes: Any) -> None:
        meta: EpisodeMeta = replace(episode.meta, **changes)
        (episode.folder / "meta.json").write_text(json.dumps(meta.to_json()), "utf-8")

    return change


@pytest.fixture
def add_messages() -> Callable[..., None]:
    """Add a model's record to an episode, with one message for each line."""

    def write(episode: StoredEpisode, *lines: dict[str, Any], **fields: Any) -> None:
        usage = {"requests": len(lines), "input_tokens": 90 * len(lines), "output_tokens": 700,
                 "malformed": 1, "cut_off": 0, "refused": 0, "model_sec": 2.5}  # fmt: skip
        record = {"model": "m-8b", "dialect": "json", "view": "both", "system": "You edit decks.",
                  "usage": usage, "cost_usd": 0.0125, **fields}  # fmt: skip
        plain: dict[str, Any] = {
            **{"shown": "window: deck", "thought": "", "text": "", "calls": [], "actions": [{}]},
            **{"error": None, "input_tokens": 90, "output_tokens": 7},
        }
        (episode.folder / "model.json").write_text(json.dumps(record), "utf-8")
        messages = "".join(json.dumps({**plain, **line}) + "\n" for line in lines)
        (episode.folder / "messages.jsonl").write_text(messages, "utf-8")

    return write


@pytest.fixture
def write_report(tmp_path: Path) -> Callable[[Path], Path]:
    """A function that writes the report of a folder into ``report.html``."""

    def write(root: Path) -> Path:
        page = tmp_path / "report.html"
        page.write_text(build_report(root).html, "utf-8")
        return page

    return write


@pytest.fixture
def page(
    run: Callable[..., StoredEpisode],
    change_meta: Callable[..., None],
    solution: Sequence[actions.Action],
    write_report: Callable[[Path], Path],
) -> Path:
    """A report of a solved episode (2), a failed one (1) and one of another agent (0)."""
    drag = actions.drag(xy=(0.25, 0.5), end_xy=(0.75, 0.5))
    episode = run(
        "a-vendor/other-model-with-a-long-name-2026-11-01",
        [drag, actions.scroll(3, xy=(0.5, 0.5)), actions.done()],
    )
    change_meta(run("solver", seed=1), score=None, infra_error="it is lost", end="infra")
    run("solver", solution, seed=2)
    return write_report(episode.folder.parents[1])


@pytest.fixture
def browse(tmp_path: Path) -> Callable[..., Any]:
    """A function that runs a script on a page in headless Chromium and returns the result.

    The script sees the window ``w``, the document ``d``, ``press(key, target)``, ``at(place)`` to
    wait for ``"<episode>/<step>"``, ``text(id)``, ``all(selector, read)``, ``places(selector)`` and
    ``fetched(url)``. Any console message fails the test.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")

    def run_script(
        page: Path, script: str, width: int = 1280, height: int = 900, at: str = ""
    ) -> Any:
        frame = tmp_path / "frame.html"
        address = json.dumps(page.as_uri() + at)
        values = {"width": width, "height": height, "script": script, "address": address}
        frame.write_text(FRAME % values, "utf-8")
        options = [
            "--headless=new", "--disable-gpu", "--disable-web-security", "--enable-logging=stderr",
            "--allow-file-access-from-files", f"--window-size={max(width, 600)},{height}",
            f"--user-data-dir={tmp_path / 'profile'}",
        ]  # fmt: skip
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        result = _console(program, [*options, frame.as_uri()])
        if "thrown" in result:
            pytest.fail(result["thrown"])
        return result

    return run_script


def _console(program: str, options: Sequence[str]) -> Any:
    """Run Chromium until the page has printed its result; fail on any other console message."""
    output = ""
    with subprocess.Popen([program, *options], stderr=subprocess.PIPE, text=True) as browser:
        timer = threading.Timer(180, browser.kill)
        timer.start()
        try:
            assert browser.stderr is not None
            for line in browser.stderr:
                if "CONSOLE" not in line:
                    continue
                part = re.search(r'"part:([^:]*):(end)?"', line)
                assert part is not None, f"console message: {line}"
                output += part[1]
                if part[2]:
                    return json.loads(unquote(output))
        finally:
            timer.cancel()
            browser.terminate()
    pytest.fail("Chromium ended before the page printed its result")
