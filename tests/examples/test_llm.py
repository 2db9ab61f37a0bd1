"""The scripts of `examples/llm` with a tiny random model, on one processor."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckFile, Kinds, grow_tasks

torch: Any = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
ROOT = Path(__file__).parents[2]
MESSAGES = [
    [{"role": "user", "content": f"The same tools.\n{text}"}]
    for text in ("hide slide 3", "delete it", "say why the slide is hidden")
]


@pytest.fixture(scope="module")
def llm() -> Any:
    """Return the modules by name."""
    from examples.llm import evaluate, grpo, models, rollouts, sft, tasks

    return SimpleNamespace(
        evaluate=evaluate, grpo=grpo, models=models, rollouts=rollouts, sft=sft, tasks=tasks
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model with random weights, whose tokens are bytes."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
    from tokenizers import models as kinds
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    byte = Tokenizer(kinds.BPE())
    byte.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    byte.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    byte.train_from_iterator(
        [], trainers.BpeTrainer(special_tokens=["<end>"], initial_alphabet=alphabet)
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=byte, eos_token="<end>")
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=8192,
    )  # fmt: skip
    out = tmp_path_factory.mktemp("model")
    LlamaForCausalLM(config).save_pretrained(out)
    tokenizer.save_pretrained(out)
    return out


def test_shared_tokens_and_padding_change_no_answer(llm: Any, folder: Path) -> None:
    model, tokenizer = llm.models.load(str(folder), "cpu")
    together = llm.rollouts.sample(model, tokenizer, MESSAGES, max_tokens=6)
    alone = [llm.rollouts.sample(model, tokenizer, [m], max_tokens=6)[0] for m in MESSAGES]
    assert together == alone


def test_padding_changes_no_probability_and_every_gradient_is_finite(
    llm: Any, folder: Path
) -> None:
    model, tokenizer = llm.models.load(str(folder), "cpu")
    prompts = [llm.rollouts.prompt_text(tokenizer, each) for each in MESSAGES]
    answers = ["done()", "delete_slide(slide=256)\ndone()", "fail()"]
    logprobs, mask = llm.sft.answer_logprobs(model, tokenizer, prompts, answers, "cpu")
    for index, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
        alone, _ = llm.sft.answer_logprobs(model, tokenizer, [prompt], [answer], "cpu")
        assert torch.allclose(logprobs[index].sum(), alone.sum(), atol=1e-3)
        assert int(mask[index].sum()) == len(answer) + 1
    logprobs.sum().backward()
    assert all(bool(each.grad.isfinite().all()) for each in model.parameters())


def test_a_better_answer_becomes_likelier(llm: Any, folder: Path) -> None:
    model, tokenizer = llm.models.load(str(folder), "cpu")
    row = llm.rollouts.Row("t", "train", "hide-slide", "", MESSAGES[0])
    options = SimpleNamespace(micro=2, device="cpu", token_scale=30.0)
    answers = ["done()", "fail()"]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

    def gap() -> float:
        prompt = llm.rollouts.prompt_text(tokenizer, MESSAGES[0])
        found, _ = llm.sft.answer_logprobs(model, tokenizer, [prompt] * 2, answers, "cpu")
        first, second = found.sum(1).tolist()
        return float(first - second)

    before = gap()
    llm.grpo._learn(model, tokenizer, [row, row], answers, torch.tensor([1.0, -1.0]), options)
    optimizer.step()
    assert gap() > before


def test_from_a_suite_to_a_measured_model(
    llm: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = DeckFile("meridian", read_deck_file("meridian"))
    grown = list(grow_tasks([deck], 6, seed=1, kinds=Kinds(("hide-slide", "set-title"), depth=1)))
    suite, rows, out = tmp_path / "suite.jsonl", tmp_path / "rows.jsonl", tmp_path / "out"
    suite.write_text("".join(json.dumps(each) + "\n" for each in grown), "utf-8")
    monkeypatch.syspath_prepend(str(ROOT))  # for the processes that play

    def script(module: Any, *arguments: object) -> None:
        monkeypatch.setattr(sys, "argv", ["script", *map(str, arguments)])
        module.main()

    script(llm.tasks, "--suite", suite, "--out", rows, "--processes", 1)
    found = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert [each["score"] for each in found] == [1.0] * 6
    train = [llm.rollouts.Row(**{**each, "split": "train"}) for each in found]
    assert asdict(train[0])["answer"].endswith("\ndone()")
    llm.rollouts.write_rows(rows, train)
    common = ("--rows", rows, "--device", "cpu")
    script(llm.sft, "--model", folder, *common, "--out", out / "sft", "--max-steps", 2)
    script(
        llm.grpo, "--model", out / "sft", *common, "--out", out / "grpo", "--max-steps", 1,
        "--tasks", 2, "--group", 2, "--processes", 1, "--max-tokens", 3,
    )  # fmt: skip
    script(
        llm.evaluate, "--model", out / "grpo", *common, "--out", out / "episodes.jsonl",
        "--splits", "train", "--count", 2, "--processes", 1, "--max-tokens", 3,
    )  # fmt: skip
    episodes = [json.loads(line) for line in (out / "episodes.jsonl").read_text().splitlines()]
    assert [each["score"] for each in episodes] == [0.0, 0.0]
    assert json.loads((out / "grpo" / "summary.json").read_text())["rollouts"] == 4


def test_intervals_hold_the_share(llm: Any) -> None:
    assert llm.evaluate.wilson(0, 200) == (0.0, 0.019)
    low, high = llm.evaluate.bootstrap([0.0, 1.0] * 50)
    assert low < 0.5 < high
