import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.report import build_report
from pptarena.rollouts.store import read_steps

ELEMENT = re.compile(r'<script(?: type="([^"]+)")?(?: id="([^"]+)")?>(.*?)</script>', re.S)


def elements(page: str) -> dict[str, str]:
    """Return the contents of the script elements by id; the script itself has no id."""
    return {name: content for _, name, content in ELEMENT.findall(page)}


def read_episode(page: str, number: int) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(elements(page)[f"episode-{number}"])))


def summary(page: str) -> Any:
    return json.loads(elements(page)["summary"])


def test_page_contains_the_entire_episode(run: Callable[..., StoredEpisode]) -> None:
    episode = run("random", [actions.key("ctrl+b"), actions.type_text("漢字 🎉"), actions.done()])
    report = build_report(episode.folder.parents[1])
    packed = read_episode(report.html, 0)
    assert report.episodes == 1
    assert packed["meta"] == episode.meta.to_json() | {
        "edit_types": list(episode.meta.edit_types), "screen": list(episode.meta.screen),
    }  # fmt: skip
    steps = json.loads(json.dumps([step.to_json() for step in read_steps(episode.folder)]))
    assert packed["steps"] == steps
    assert len(packed["views"]) == 4
    assert all(view["screen"] and view["tree"] and not view["missing"] for view in packed["views"])
    rubric = json.loads((episode.folder / "rubric.json").read_text("utf-8"))
    assert packed["rubrics"] == [[0, rubric]]  # it never changed
    # Every image that a screen refers to is a stored WebP file.
    pieces = summary(report.html)["pictures"]
    text = elements(report.html)
    pictures = []
    for number, lengths in enumerate(pieces):
        start = 0
        for length in lengths:
            pictures.append(base64.b64decode(text[f"pictures-{number}"][start : start + length]))
            start += length
        assert start == len(text[f"pictures-{number}"])
    assert all(image[:4] == b"RIFF" and image[8:12] == b"WEBP" for image in pictures)
    assert max(packed["views"][0]["screen"]["tiles"]) < len(pictures)


def test_page_has_changed_rubrics_and_old_episodes_the_final_one(
    run: Callable[..., StoredEpisode], solution: list[actions.Action]
) -> None:
    folder = run("solver", solution).folder
    packed = read_episode(build_report(folder).html, 0)
    assert [(step, rubric["score"]) for step, rubric in packed["rubrics"]] == [(0, 0.0), (1, 1.0)]
    (folder / "rubrics.jsonl").unlink()
    packed = read_episode(build_report(folder).html, 0)
    assert [(step, rubric["score"]) for step, rubric in packed["rubrics"]] == [(2, 1.0)]


def test_hostile_text_is_escaped(run: Callable[..., StoredEpisode], hostile: str) -> None:
    plain = build_report(run("plain", [actions.done()]).folder).html
    episode = run(
        hostile,
        [actions.type_text(hostile), actions.open_program(hostile), actions.done()],
        id=hostile, instruction=hostile, difficulty=hostile, edit_types=(hostile,), level=hostile,
    )  # fmt: skip
    page = build_report(episode.folder).html
    assert "<img src=x" not in page
    assert "onerror=alert" not in page.replace("\\u003cimg src=x onerror=alert", "")
    assert page.count("<script") == plain.count("<script")
    assert page.count("</script") == plain.count("</script")
    assert summary(page)["episodes"][0]["agent"] == hostile
    assert read_episode(page, 0)["meta"]["instruction"] == hostile


def test_title_is_escaped(run: Callable[..., StoredEpisode], tmp_path: Path) -> None:
    run("random")
    renamed = (tmp_path / "run").rename(tmp_path / "<b>$title & 'run'")
    page = build_report(renamed).html
    assert "<b>" not in page
    assert "<title>&lt;b&gt;$title &amp; &#x27;run&#x27; · pptarena report</title>" in page


def test_lone_surrogate_does_not_break_the_page(run: Callable[..., StoredEpisode]) -> None:
    folder = run("random").folder
    tree = json.loads((folder / "final.json").read_text("utf-8"))
    tree["nodes"][0]["name"] = "half \ud83d"
    (folder / "final.json").write_text(json.dumps(tree), "utf-8")
    page = build_report(folder).html
    assert page.encode()
    assert any("final.json" in each for each in read_episode(page, 0)["views"][-1]["missing"])


def test_policy_allows_only_the_own_script_and_style(run: Callable[..., StoredEpisode]) -> None:
    page = build_report(run("random").folder).html
    match = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert match
    policy = html.unescape(match[1])
    style = re.search(r"<style>(.*?)</style>", page, re.S)
    assert style
    for kind, content in (("script", elements(page)[""]), ("style", style[1])):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_page_loads_nothing_from_elsewhere(run: Callable[..., StoredEpisode]) -> None:
    page = build_report(run("random").folder).html
    own = page.replace("http://www.w3.org/2000/svg", "")
    static = "".join(part for part in ELEMENT.split(own) if part and len(part) < 200_000)
    assert not re.search(r"https?://|//\w+\.\w+/|@import|url\(", static)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in elements(page)[""]


def test_missing_files_are_reported_in_the_page(
    run: Callable[..., StoredEpisode],
) -> None:
    folder = run("random", [actions.wait(), actions.done()]).folder
    for name in ("step_000.png", "final.json", "rubric.json", "rubrics.jsonl", "original.pptx"):
        (folder / name).unlink()
    (folder / "step_001.png").write_bytes(b"broken")
    (folder / "step_001.json").write_text("[]")
    packed = read_episode(build_report(folder).html, 0)
    assert packed["views"][0]["missing"] == ["step_000.png is not stored"]
    assert packed["views"][0]["tree"]
    assert packed["views"][1]["screen"] is None
    assert len(packed["views"][1]["missing"]) == 2
    assert packed["views"][2]["missing"] == ["final.json is not stored"]
    assert packed["rubrics"] == []
    assert packed["slides"]["missing"] == "original.pptx not stored"


def test_record_cannot_name_files_elsewhere(
    run: Callable[..., StoredEpisode], tmp_path: Path
) -> None:
    folder = run("random").folder
    (tmp_path / "secret.json").write_text('{"nodes": []}')
    for name in ("../secret.json", str(tmp_path / "secret.json")):
        lines = (folder / "traj.jsonl").read_text("utf-8").splitlines()
        first = json.loads(lines[0]) | {"a11y_file": name}
        (folder / "traj.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]), "utf-8")
        with pytest.raises(StoreError, match=r"expected the name of a \.json file in the folder"):
            build_report(folder)


def test_unreadable_episodes_are_listed(run: Callable[..., StoredEpisode]) -> None:
    root = run("good").folder.parents[1]
    broken = run("broken").folder
    (broken / "traj.jsonl").write_text("{")
    report = build_report(root)
    assert report.episodes == 1
    assert [name for name, _ in report.unreadable] == ["broken/seed-0"]
    assert summary(report.html)["unreadable"][0][0] == "broken/seed-0"
    (root / "good/seed-0/meta.json").write_text("{}")
    with pytest.raises(StoreError, match="no readable episode"):
        build_report(root)


def test_folder_without_episodes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no readable episode"):
        build_report(tmp_path)


@pytest.mark.slow
def test_images_are_reduced_to_fit_max_mb(run: Callable[..., StoredEpisode]) -> None:
    folder = run("random", [actions.key("ctrl+b"), actions.done()]).folder
    full = build_report(folder)
    assert full.fidelity.description == "lossless"
    max_mb = len(full.html) / 1e6 - 0.001
    smaller = build_report(folder, max_mb=max_mb)
    assert len(smaller.html.encode()) / 1e6 <= max_mb
    assert smaller.fidelity.quality < 100
    assert summary(smaller.html)["fidelity"]["description"] == smaller.fidelity.description
    with pytest.raises(ConfigError, match="the smallest report of"):
        build_report(folder, max_mb=0.01)


def test_page_is_reproducible(run: Callable[..., StoredEpisode]) -> None:
    folder = run("random").folder
    assert build_report(folder).html == build_report(folder).html
