"""Every export is read by its target library and compared with the store."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.agents.random_agent import RandomAgent
from pptarena.envs.actions import Action, from_space
from pptarena.errors import StoreError
from pptarena.rollouts.collect import collect
from pptarena.rollouts.env import make_env
from pptarena.rollouts.exporters import (
    EXPORTERS,
    DatasetCard,
    SourceEpisode,
    episodes_of,
)
from pptarena.rollouts.exporters.minari_dataset import export_minari
from pptarena.rollouts.run import plan_jobs
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

SCREEN = (640, 360)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes of random play on the fake machine."""
    root = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PPTARENA_HOME", str(root / "home"))
        env = make_env("fake", width_px=SCREEN[0], height_px=SCREEN[1], max_steps=12)
        jobs = plan_jobs(["random"], list_tasks("starter")[:2], 1, 3)
        for _ in collect(jobs, lambda: env, lambda name: RandomAgent(), root / "run"):
            pass
    return root / "run"


@pytest.fixture(scope="module")
def episodes(store: Path) -> list[SourceEpisode]:
    sources = list(episodes_of(store))
    assert len(sources) == 2
    assert sum(len(each.steps) for each in sources) > 4
    return sources


def _pixels(file: Path) -> Any:
    with Image.open(file) as image:
        return np.array(image.convert("RGB"))


def test_minari_reads_the_episodes(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: Any
) -> None:
    minari = pytest.importorskip("minari")
    folder = export_minari(iter(episodes), tmp_path, "pptarena/test-v0", SCREEN)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = minari.load_dataset("pptarena/test-v0")
    assert dataset.total_episodes == 2
    assert dataset.total_steps == sum(len(each.steps) for each in episodes)
    for source, stored in zip(episodes, dataset.iterate_episodes(), strict=True):
        assert stored.rewards.tolist() == pytest.approx([step.reward for step in source.steps])
        assert stored.terminations.tolist() == [step.terminated for step in source.steps]
        screenshots = stored.observations["screenshot"]
        assert len(screenshots) == len(source.steps) + 1
        for index, screenshot in enumerate(screenshots):
            assert (screenshot == source.pixels(index)).all(), "pixels must not be lost"
            nodes = source.tree(index)["nodes"]
            count = sum(node["element"] > 0 for node in nodes)
            assert stored.observations["element_count"][index] == count
        for index, step in enumerate(source.steps):
            action = from_space({name: part[index] for name, part in stored.actions.items()})
            assert action == step.action
    assert folder.is_dir()
    with pytest.raises(StoreError, match="exists"):
        export_minari(iter(episodes), tmp_path, "pptarena/test-v0", SCREEN)


def test_minari_replaces_an_inexpressible_refused_action_by_wait(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: Any
) -> None:
    minari = pytest.importorskip("minari")
    shutil.copytree(episodes[0].folder, tmp_path / "run")
    lines = (tmp_path / "run/traj.jsonl").read_text().splitlines()
    refused = {"action": {"kind": "click"}, "action_error": "expected a target"}
    lines[0] = json.dumps({**json.loads(lines[0]), **refused})
    (tmp_path / "run/traj.jsonl").write_text("\n".join(lines))
    export_minari(episodes_of(tmp_path / "run"), tmp_path, "pptarena/refused-v0", SCREEN)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    stored = next(minari.load_dataset("pptarena/refused-v0").iterate_episodes())
    first = {name: part[0] for name, part in stored.actions.items()}
    assert from_space(first) == Action("wait")


def test_minari_accepts_a_relative_folder_and_leaves_no_partial_data_set(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.chdir(tmp_path)
    folder = EXPORTERS["minari"].export(iter(episodes), Path("data"))
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "data"))
    assert minari.load_dataset("pptarena/episodes-v0").total_episodes == len(episodes)

    def fail(*_: object, **__: object) -> None:
        (Path(os.environ["MINARI_DATASETS_PATH"]) / "pptarena/other-v0").mkdir(parents=True)
        raise OSError("the disk is full")

    monkeypatch.setattr("minari.create_dataset_from_buffers", fail)
    with pytest.raises(OSError, match="disk is full"):
        export_minari(iter(episodes), Path("data"), "pptarena/other-v0", None)
    assert not (folder.parent / "other-v0").exists()
    assert sorted(os.listdir("data")) == ["pptarena"]


def test_minari_metadata_stays_small(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    pytest.importorskip("minari")
    folder = EXPORTERS["minari"].export(iter(episodes), tmp_path)
    assert sum(file.stat().st_size for file in folder.rglob("metadata.json")) < 3 * 2**20
    bare = export_minari(iter(episodes), tmp_path, "pptarena/bare-v0", None)
    assert sum(file.stat().st_size for file in bare.rglob("*") if file.is_file()) < 2 * 2**20


def test_minari_spaces_have_short_representations(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    for name in ("one-v0", "two-v0"):
        export_minari(iter(episodes), tmp_path, f"pptarena/{name}", None)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    parts = [minari.load_dataset(f"pptarena/{name}") for name in ("one-v0", "two-v0")]
    for dataset in parts:
        assert len(repr(dataset.observation_space)) < 1000
        assert len(repr(dataset.action_space)) < 1000
        assert dataset.observation_space["instruction"].contains("\N{EN DASH} \u00e9, \u20ac 5")
    assert minari.combine_datasets(parts, "pptarena/both-v0").total_episodes == 4


@pytest.mark.parametrize("format", ["minari", "atif", "agentnet", "sharegpt"])
def test_datasets_library_reads_the_exported_folder(
    episodes: list[SourceEpisode], tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    if format == "minari":
        pytest.importorskip("minari")
    EXPORTERS[format].export(iter(episodes), tmp_path / "out")
    card = DatasetCard(EXPORTERS[format])
    for each in episodes:
        card.add(each.meta)
    assert card.write(tmp_path / "out", "", "")
    rows = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))["train"]
    if format == "sharegpt":
        assert len(rows) == sum(len(each.steps) for each in episodes)
        return
    assert len(rows) == len(episodes)
    if format == "agentnet":
        assert rows["task_id"] == [each.id for each in episodes]
        return
    assert rows["id"] == [each.id for each in episodes]
    assert rows["score"] == [each.meta.score for each in episodes]
    if format == "atif":
        file = tmp_path / f"out/{episodes[0].id}.json"
        assert json.loads(rows[0]["trajectory"]) == json.loads(file.read_text("utf-8"))
    else:
        assert rows["minari_episode"] == [0, 1]


def test_agentnet_has_a_line_for_each_episode(
    episodes: list[SourceEpisode], tmp_path: Path
) -> None:
    file = EXPORTERS["agentnet"].export(iter(episodes), tmp_path)
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [row["task_id"] for row in rows] == [each.id for each in episodes]
    for row, source in zip(rows, episodes, strict=True):
        assert row["instruction"] == source.meta.instruction
        assert row["task_completed"] == (source.meta.score == 1.0)
        assert len(row["traj"]) == len(source.steps)
        for step, stored in zip(row["traj"], source.steps, strict=True):
            assert (tmp_path / step["image"]).read_bytes() == source.screenshot(stored.step)
            compile(step["value"]["code"], "code", "exec")
            assert not {"last_step_correct", "last_step_redundant"} & set(step["value"])


def test_sharegpt_has_a_row_for_each_step(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    datasets = pytest.importorskip("pyarrow.json")
    file = EXPORTERS["sharegpt"].export(iter(episodes), tmp_path)
    table = datasets.read_json(file).to_pylist()
    steps = [(each, step) for each in episodes for step in each.steps]
    assert len(table) == len(steps)
    meta = json.loads((tmp_path / "meta.json").read_text())["pptarena"]
    assert meta["length"] == len(steps)
    for row, (source, step) in zip(table, steps, strict=True):
        human, gpt = row["conversations"]
        assert (human["from"], gpt["from"]) == ("human", "gpt")
        assert human["value"].startswith("<image>\n")
        assert source.meta.instruction in human["value"]
        assert (row["width"], row["height"]) == SCREEN
        assert (_pixels(tmp_path / row["image"]) == source.pixels(step.step)).all()


def test_chat_has_a_row_for_each_episode(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(EXPORTERS["chat"].export(iter(episodes), tmp_path)).to_pylist()
    for row, source in zip(rows, episodes, strict=True):
        roles = [message["role"] for message in row["messages"]]
        assert roles == ["system", *["user", "assistant"] * len(source.steps)]
        images = sum(
            part["type"] == "image" for message in row["messages"] for part in message["content"]
        )
        assert images == len(row["images"]) == len(source.steps)
        for image, step in zip(row["images"], source.steps, strict=True):
            assert image["bytes"] == source.screenshot(step.step)
        replies = [m["content"][0]["text"] for m in row["messages"] if m["role"] == "assistant"]
        kinds = [json.loads(text)["kind"] for text in replies]
        assert kinds == [step.action.kind for step in source.steps]
        assert row["rewards"] == [step.reward for step in source.steps]


def test_datasets_library_reads_the_chat_with_its_images(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    file = EXPORTERS["chat"].export(iter(episodes), tmp_path / "out")
    rows = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
    assert len(rows) == len(episodes)
    for row, source in zip(rows, episodes, strict=True):
        assert row["task"] == source.meta.task
        for image, step in zip(row["images"], source.steps, strict=True):
            assert isinstance(image, Image.Image)
            assert (np.array(image.convert("RGB")) == source.pixels(step.step)).all()


def test_atif_has_a_file_for_each_episode(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    folder = EXPORTERS["atif"].export(iter(episodes), tmp_path)
    for source in episodes:
        trajectory = json.loads((folder / f"{source.id}.json").read_text("utf-8"))
        assert trajectory["schema_version"] == "ATIF-v1.7"
        assert [step["step_id"] for step in trajectory["steps"]] == list(
            range(1, len(source.steps) + 2)
        )
        assert [step["source"] for step in trajectory["steps"]] == [
            "user",
            *["agent"] * len(source.steps),
        ]
        for step, stored in zip(trajectory["steps"][1:], source.steps, strict=True):
            (call,) = step["tool_calls"]
            (result,) = step["observation"]["results"]
            assert call["function_name"] == stored.action.kind
            assert result["source_call_id"] == call["tool_call_id"]
            image = result["content"][-1]["source"]["path"]
            after = source.screenshot(stored.step + 1)
            assert (folder / image).read_bytes() == after


def test_chat_is_written_in_parts(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    from pptarena.rollouts.exporters.chat import export_chat

    export_chat(iter(episodes), tmp_path, file_bytes=1)
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["chat-00001.parquet", "chat.parquet"]
    with pytest.raises(StoreError, match=r"chat-00001\.parquet: expected a folder without parts"):
        export_chat(iter(episodes), tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_parquet(
        str(tmp_path / "chat*.parquet"), cache_dir=str(tmp_path / "cache")
    )
    assert sorted(rows["id"]) == sorted(each.id for each in episodes)


@pytest.fixture(scope="module")
def model_episode(store: Path, tmp_path_factory: pytest.TempPathFactory) -> SourceEpisode:
    """The first episode with the records of a model: two answers of two actions each."""
    folder = tmp_path_factory.mktemp("model_episode")
    shutil.copytree(next(episodes_of(store)).folder, folder / "one")
    step = json.loads((folder / "one/traj.jsonl").read_text().splitlines()[0])
    lines = [json.dumps({**step, "action_error": None, "step": number}) for number in range(4)]
    (folder / "one/traj.jsonl").write_text("\n".join(lines))
    usage = {"requests": 2, "input_tokens": 180, "output_tokens": 14, "malformed": 0,
             "cut_off": 0, "refused": 0, "model_sec": 1.0}  # fmt: skip
    record = {"model": "m-8b", "dialect": "uitars", "view": "screenshot", "system": "",
              "cost_usd": 0.5, "usage": usage}  # fmt: skip
    answer: dict[str, Any] = {
        **{"shown": "", "thought": "", "calls": [], "actions": [{}, {}], "error": None},
        **{"input_tokens": 90, "output_tokens": 7},
    }
    texts = ("Thought: The title first.\nAction: click()", "Action: finished()")
    (folder / "one/model.json").write_text(json.dumps(record))
    answers = (json.dumps({**answer, "text": text}) + "\n" for text in texts)
    (folder / "one/messages.jsonl").write_text("".join(answers))
    return next(episodes_of(folder))


def test_thoughts_and_tokens_are_exported(model_episode: SourceEpisode, tmp_path: Path) -> None:
    thought = "The title first."
    row = json.loads(EXPORTERS["agentnet"].export([model_episode], tmp_path).read_text())
    assert [step["value"]["thought"] for step in row["traj"]] == [thought, "", "", ""]
    lines = EXPORTERS["sharegpt"].export([model_episode], tmp_path).read_text().splitlines()
    first, second, *_ = map(json.loads, lines)
    assert first["conversations"][1]["value"].startswith(f"<think>\n{thought}\n</think>\n<oper")
    assert second["conversations"][1]["value"].startswith("<operation>")
    EXPORTERS["atif"].export([model_episode], tmp_path / "atif")
    trajectory = json.loads((tmp_path / f"atif/{model_episode.id}.json").read_text())
    assert trajectory["agent"]["model_name"] == "m-8b"
    assert trajectory["final_metrics"]["total_prompt_tokens"] == 180
    assert trajectory["final_metrics"]["total_cost_usd"] == 0.5
    steps = trajectory["steps"][1:]
    assert [step.get("reasoning_content") for step in steps] == [thought, None, None, None]
    tokens = [step.get("metrics", {}).get("completion_tokens") for step in steps]
    assert tokens == [7, None, 7, None]


def test_chat_has_thoughts_and_tokens(model_episode: SourceEpisode, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (row,) = parquet.read_table(EXPORTERS["chat"].export([model_episode], tmp_path)).to_pylist()
    thoughts = [m["reasoning_content"] for m in row["messages"] if m["role"] == "assistant"]
    assert thoughts == ["The title first.", None, None, None]
    assert (row["model"], row["input_tokens"]) == ("m-8b", [90, 0, 90, 0])
    assert len(row["rewards"]) == len(row["output_tokens"]) == 4


def test_only_scored_episodes_are_exported(store: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no scored episode"):
        list(episodes_of(tmp_path))
    with pytest.raises(StoreError, match=r"score of 1\.0 or more"):
        list(episodes_of(store, 1.0))


def test_missing_screenshot_is_an_error(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(store, copy)
    next(copy.rglob("step_000.png")).unlink()
    with pytest.raises(StoreError, match=r"step_000\.png: No such file"):
        EXPORTERS["agentnet"].export(episodes_of(copy), tmp_path / "out")
    assert not (tmp_path / "out").exists(), "a failed export left files"
