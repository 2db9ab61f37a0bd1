"""Every export is opened by the library it is for, and compared with the store."""

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
    export_minari,
)
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
    found = list(episodes_of(store))
    assert len(found) == 2
    assert sum(len(each.steps) for each in found) > 4
    return found


def _pixels(file: Path) -> Any:
    with Image.open(file) as image:
        return np.array(image.convert("RGB"))


def test_minari_reads_it(episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: Any) -> None:
    minari = pytest.importorskip("minari")
    folder = export_minari(iter(episodes), tmp_path, "pptarena/test-v0", SCREEN)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = minari.load_dataset("pptarena/test-v0")
    assert dataset.total_episodes == 2
    assert dataset.total_steps == sum(len(each.steps) for each in episodes)
    for source, read in zip(episodes, dataset.iterate_episodes(), strict=True):
        assert read.rewards.tolist() == pytest.approx([step.reward for step in source.steps])
        assert read.terminations.tolist() == [step.terminated for step in source.steps]
        shots = read.observations["screenshot"]
        assert len(shots) == len(source.steps) + 1
        for index, shot in enumerate(shots):
            assert (shot == source.pixels(index)).all(), "pixels must not be lost"
            nodes = source.tree(index)["nodes"]
            count = sum(node["element"] > 0 for node in nodes)
            assert read.observations["element_count"][index] == count
        for index, step in enumerate(source.steps):
            again = from_space({name: part[index] for name, part in read.actions.items()})
            assert again == step.action
    assert folder.is_dir()
    with pytest.raises(StoreError, match="already"):
        export_minari(iter(episodes), tmp_path, "pptarena/test-v0", SCREEN)


def test_minari_has_a_wait_for_a_refused_action_that_the_space_cannot_express(
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
    read = next(minari.load_dataset("pptarena/refused-v0").iterate_episodes())
    first = {name: part[0] for name, part in read.actions.items()}
    assert from_space(first) == Action("wait")


def test_minari_takes_a_relative_folder_and_leaves_no_half_of_a_data_set(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.chdir(tmp_path)
    folder = EXPORTERS["minari"](iter(episodes), Path("data"))
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "data"))
    assert minari.load_dataset("pptarena/episodes-v0").total_episodes == len(episodes)

    def fails(*_: object, **__: object) -> None:
        (Path(os.environ["MINARI_DATASETS_PATH"]) / "pptarena/other-v0").mkdir(parents=True)
        raise OSError("the disk is full")

    monkeypatch.setattr("minari.create_dataset_from_buffers", fails)
    with pytest.raises(OSError, match="disk is full"):
        export_minari(iter(episodes), Path("data"), "pptarena/other-v0", None)
    assert not (folder.parent / "other-v0").exists()
    assert sorted(os.listdir("data")) == ["pptarena"]


def test_minari_metadata_stays_small(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    pytest.importorskip("minari")
    folder = EXPORTERS["minari"](iter(episodes), tmp_path)
    assert sum(file.stat().st_size for file in folder.rglob("metadata.json")) < 3 * 2**20
    bare = export_minari(iter(episodes), tmp_path, "pptarena/bare-v0", None)
    assert sum(file.stat().st_size for file in bare.rglob("*") if file.is_file()) < 2 * 2**20


def test_spaces_in_minari_are_short_to_print(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    for name in ("one-v0", "two-v0"):
        export_minari(iter(episodes), tmp_path, f"pptarena/{name}", None)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    sets = [minari.load_dataset(f"pptarena/{name}") for name in ("one-v0", "two-v0")]
    for dataset in sets:
        assert len(repr(dataset.observation_space)) < 1000
        assert len(repr(dataset.action_space)) < 1000
        assert dataset.observation_space["instruction"].contains("\N{EN DASH} \u00e9, \u20ac 5")
    assert minari.combine_datasets(sets, "pptarena/both-v0").total_episodes == 4


@pytest.mark.parametrize("format", ["minari", "atif", "agentnet", "sharegpt"])
def test_load_dataset_reads_the_folder_of_an_export(
    episodes: list[SourceEpisode], tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    if format == "minari":
        pytest.importorskip("minari")
    EXPORTERS[format](iter(episodes), tmp_path / "out")
    card = DatasetCard(format)
    for each in episodes:
        card.add(each.meta)
    assert card.write(tmp_path / "out", "", "")
    found = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))["train"]
    if format == "sharegpt":
        assert len(found) == sum(len(each.steps) for each in episodes)
        return
    assert len(found) == len(episodes)
    if format == "agentnet":
        assert found["task_id"] == [each.id for each in episodes]
        return
    assert found["id"] == [each.id for each in episodes]
    assert found["score"] == [each.meta.score for each in episodes]
    if format == "atif":
        file = tmp_path / f"out/{episodes[0].id}.json"
        assert json.loads(found[0]["trajectory"]) == json.loads(file.read_text("utf-8"))
    else:
        assert found["minari_episode"] == [0, 1]


def test_agentnet_lines(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    file = EXPORTERS["agentnet"](iter(episodes), tmp_path)
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


def test_sharegpt_rows(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    datasets = pytest.importorskip("pyarrow.json")
    file = EXPORTERS["sharegpt"](iter(episodes), tmp_path)
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


def test_chat_parquet(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(EXPORTERS["chat"](iter(episodes), tmp_path)).to_pylist()
    for row, source in zip(rows, episodes, strict=True):
        roles = [message["role"] for message in row["messages"]]
        assert roles == ["system", *["user", "assistant"] * len(source.steps)]
        pictures = sum(
            part["type"] == "image" for message in row["messages"] for part in message["content"]
        )
        assert pictures == len(row["images"]) == len(source.steps)
        for image, step in zip(row["images"], source.steps, strict=True):
            assert image["bytes"] == source.screenshot(step.step)
        said = [m["content"][0]["text"] for m in row["messages"] if m["role"] == "assistant"]
        kinds = [json.loads(text)["kind"] for text in said]
        assert kinds == [step.action.kind for step in source.steps]
        assert row["rewards"] == [step.reward for step in source.steps]


def test_datasets_reads_the_chat_with_its_pictures(
    episodes: list[SourceEpisode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    file = EXPORTERS["chat"](iter(episodes), tmp_path / "out")
    found = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
    assert len(found) == len(episodes)
    for row, source in zip(found, episodes, strict=True):
        assert row["task"] == source.meta.task
        for image, step in zip(row["images"], source.steps, strict=True):
            assert isinstance(image, Image.Image)
            assert (np.array(image.convert("RGB")) == source.pixels(step.step)).all()


def test_atif_files(episodes: list[SourceEpisode], tmp_path: Path) -> None:
    folder = EXPORTERS["atif"](iter(episodes), tmp_path)
    for source in episodes:
        found = json.loads((folder / f"{source.id}.json").read_text("utf-8"))
        assert found["schema_version"] == "ATIF-v1.7"
        assert [step["step_id"] for step in found["steps"]] == list(range(1, len(source.steps) + 2))
        assert [step["source"] for step in found["steps"]] == [
            "user",
            *["agent"] * len(source.steps),
        ]
        for step, stored in zip(found["steps"][1:], source.steps, strict=True):
            (call,) = step["tool_calls"]
            (result,) = step["observation"]["results"]
            assert call["function_name"] == stored.action.kind
            assert result["source_call_id"] == call["tool_call_id"]
            image = result["content"][-1]["source"]["path"]
            after = source.screenshot(stored.step + 1)
            assert (folder / image).read_bytes() == after


def test_a_chat_is_written_in_parts(
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
    found = datasets.Dataset.from_parquet(
        str(tmp_path / "chat*.parquet"), cache_dir=str(tmp_path / "cache")
    )
    assert sorted(found["id"]) == sorted(each.id for each in episodes)


@pytest.fixture(scope="module")
def spoken(store: Path, tmp_path_factory: pytest.TempPathFactory) -> SourceEpisode:
    """The first episode as if a model had played it: it thinks twice, two actions at a time."""
    folder = tmp_path_factory.mktemp("spoken")
    shutil.copytree(next(episodes_of(store)).folder, folder / "one")
    facts = json.loads((folder / "one/traj.jsonl").read_text().splitlines()[0])
    lines = [json.dumps({**facts, "action_error": None, "step": at}) for at in range(4)]
    (folder / "one/traj.jsonl").write_text("\n".join(lines))
    usage = {"requests": 2, "input_tokens": 180, "output_tokens": 14, "malformed": 0,
             "cut_off": 0, "refused": 0, "model_sec": 1.0}  # fmt: skip
    record = {"model": "m-8b", "dialect": "uitars", "view": "screenshot", "system": "",
              "cost_usd": 0.5, "usage": usage}  # fmt: skip
    said: dict[str, Any] = {
        "shown": "",
        "thought": "",
        "calls": [],
        "actions": [{}, {}],
        "error": None,
        "input_tokens": 90,
        "output_tokens": 7,
    }
    texts = ("Thought: The title first.\nAction: click()", "Action: finished()")
    (folder / "one/model.json").write_text(json.dumps(record))
    answers = (json.dumps({**said, "text": text}) + "\n" for text in texts)
    (folder / "one/messages.jsonl").write_text("".join(answers))
    return next(episodes_of(folder))


def test_thoughts_and_tokens_are_exported_where_they_have_a_place(
    spoken: SourceEpisode, tmp_path: Path
) -> None:
    thought = "The title first."
    row = json.loads(EXPORTERS["agentnet"]([spoken], tmp_path).read_text())
    assert [step["value"]["thought"] for step in row["traj"]] == [thought, "", "", ""]
    lines = EXPORTERS["sharegpt"]([spoken], tmp_path).read_text().splitlines()
    first, second, *_ = map(json.loads, lines)
    assert first["conversations"][1]["value"].startswith(f"<think>\n{thought}\n</think>\n<oper")
    assert second["conversations"][1]["value"].startswith("<operation>")
    EXPORTERS["atif"]([spoken], tmp_path / "atif")
    found = json.loads((tmp_path / f"atif/{spoken.id}.json").read_text())
    assert found["agent"]["model_name"] == "m-8b"
    assert found["final_metrics"]["total_prompt_tokens"] == 180
    assert found["final_metrics"]["total_cost_usd"] == 0.5
    steps = found["steps"][1:]
    assert [step.get("reasoning_content") for step in steps] == [thought, None, None, None]
    tokens = [step.get("metrics", {}).get("completion_tokens") for step in steps]
    assert tokens == [7, None, 7, None]


def test_a_chat_has_thoughts_and_tokens(spoken: SourceEpisode, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (row,) = parquet.read_table(EXPORTERS["chat"]([spoken], tmp_path)).to_pylist()
    thoughts = [m["reasoning_content"] for m in row["messages"] if m["role"] == "assistant"]
    assert thoughts == ["The title first.", None, None, None]
    assert (row["model"], row["input_tokens"]) == ("m-8b", [90, 0, 90, 0])
    assert len(row["rewards"]) == len(row["output_tokens"]) == 4


def test_only_scored_episodes_are_data(store: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no scored episode"):
        list(episodes_of(tmp_path))
    with pytest.raises(StoreError, match=r"score of 1\.0 or more"):
        list(episodes_of(store, 1.0))


def test_a_missing_picture_is_an_error(store: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(store, copy)
    next(copy.rglob("step_000.png")).unlink()
    with pytest.raises(StoreError, match=r"step_000\.png: No such file"):
        EXPORTERS["agentnet"](episodes_of(copy), tmp_path / "out")
    assert not (tmp_path / "out").exists(), "nothing is written of an export that fails"
