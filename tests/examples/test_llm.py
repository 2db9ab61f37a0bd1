"""The scripts of `examples/llm` with a tiny random model, on one processor."""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pptarena.errors import ConfigError
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckFile, TaskOptions, generate_tasks

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
    names = (
        "attention",
        "best_answers",
        "chat_rows",
        "evaluate",
        "grpo",
        "models",
        "preferences",
        "rollouts",
        "sampling",
        "screen",
        "sft",
        "shared",
        "summary",
        "tasks",
    )
    return SimpleNamespace(**{name: import_module(f"examples.llm.{name}") for name in names})


@pytest.fixture(autouse=True)
def exact(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute in float32 in this process, so that results can be compared."""
    monkeypatch.setattr(llm.models, "fast_type", lambda _: torch.float32)


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


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that runs a module with command-line arguments."""

    def run(module: Any, *arguments: object) -> None:
        monkeypatch.setattr(sys, "argv", ["script", *map(str, arguments)])
        module.main()

    return run


def test_answers_to_one_prompt_are_sampled_independently(llm: Any, folder: Path) -> None:
    model, tokenizer = llm.models.load(str(folder), "cpu")
    torch.manual_seed(0)
    prompts = [MESSAGES[0]] * 8
    selected = llm.sampling.sample(model, tokenizer, prompts, max_tokens=6, temperature=1.0)
    assert len(set(selected)) == 8


def test_rows_list_only_the_selected_tools(llm: Any) -> None:
    system = "Tools:\ndone()\nset_text(slide, shape, text)\nhide_slide(slide)"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": "Task: hide"}]
    row = llm.rollouts.Row("a", "train", "hide-slide", "s", messages, "hide_slide(slide=2)\ndone()")
    filtered = llm.tasks.with_tools(row, ["hide_slide"])
    assert filtered.messages[0]["content"] == "Tools:\ndone()\nhide_slide(slide)"
    assert filtered.messages[1:] == messages[1:]
    assert llm.tasks.with_tools(row, ["set_text"]) is None
    assert llm.tasks.with_tools(replace(row, answer=""), ["hide_slide"]) is None


def sliding_model(words: int) -> Any:
    """Return a model some of whose layers see only the last 8 tokens."""
    from transformers import Gemma3ForCausalLM, Gemma3TextConfig

    torch.manual_seed(0)
    config = Gemma3TextConfig(
        vocab_size=words, hidden_size=16, intermediate_size=32, num_hidden_layers=3,
        num_attention_heads=2, num_key_value_heads=1, head_dim=8, sliding_window=8,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
        max_position_embeddings=8192,
    )  # fmt: skip
    return Gemma3ForCausalLM(config)


@pytest.fixture(params=["full attention", "sliding windows"])
def asked(
    llm: Any, folder: Path, request: pytest.FixtureRequest
) -> tuple[Any, Any, list[list[int]]]:
    """Return a model, its tokenizer and the tokens of three prompts."""
    model, tokenizer = llm.models.load(str(folder), "cpu")
    if request.param == "sliding windows":
        model = sliding_model(len(tokenizer))
    return model, tokenizer, [llm.sampling.prompt_tokens(tokenizer, each) for each in MESSAGES]


def test_shared_tokens_and_padding_preserve_answers(
    llm: Any, asked: tuple[Any, Any, list[list[int]]]
) -> None:
    model, tokenizer, _ = asked
    model.set_attn_implementation(llm.attention.ATTENTION)
    together = llm.sampling.sample(model, tokenizer, [*MESSAGES, MESSAGES[1]], max_tokens=12)
    small = llm.sampling.sample(model, tokenizer, [*MESSAGES, MESSAGES[1]], max_tokens=12, batch=1)
    alone = [llm.sampling.sample(model, tokenizer, [m], max_tokens=12)[0] for m in MESSAGES]
    assert together == small == [*alone, alone[1]]
    with torch.no_grad():
        plain = [
            model.generate(
                torch.tensor([tokens]), max_new_tokens=12, do_sample=False,
                pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
            )[0, len(tokens) :]
            for tokens in asked[2]
        ]  # fmt: skip
    assert alone == [tokenizer.decode(each, skip_special_tokens=True).strip() for each in plain]


def test_prompts_without_common_tokens_are_supported(
    llm: Any, asked: tuple[Any, Any, list[list[int]]]
) -> None:
    model, tokenizer, _ = asked
    model.set_attn_implementation(llm.attention.ATTENTION)
    prompts = [[{"role": "user", "content": text}] for text in ("hide slide 3", "delete it")]
    together = llm.sampling.sample(model, tokenizer, prompts, max_tokens=6)
    alone = [llm.sampling.sample(model, tokenizer, [each], max_tokens=6)[0] for each in prompts]
    assert together == alone


ANSWERS = ["done()", "delete_slide(slide=256)\ndone()", "fail()"]
SINGLE = [[each] for each in ANSWERS]


def test_packed_rows_are_isolated_and_gradients_are_finite(
    llm: Any, asked: tuple[Any, Any, list[list[int]]]
) -> None:
    model, tokenizer, prompts = asked
    nothing = llm.shared.SharedTokens(model, [])
    model.set_attn_implementation("sdpa")
    with pytest.raises(ValueError, match="set_attn_implementation"):
        llm.sft.answer_logprobs(model, tokenizer, prompts, SINGLE, nothing)
    model.set_attn_implementation(llm.attention.ATTENTION)
    groups = [ANSWERS[:2], ANSWERS[1:], ANSWERS]
    logprobs = llm.sft.answer_logprobs(model, tokenizer, prompts, groups, nothing)
    assert [len(each) for each in logprobs] == [2, 2, 3]
    pairs = [
        (prompt, answer) for prompt, group in zip(prompts, groups, strict=True) for answer in group
    ]
    flat = [output for group in logprobs for output in group]
    for output, (prompt, answer) in zip(flat, pairs, strict=True):
        tail = tokenizer(f"{answer}{tokenizer.eos_token}", add_special_tokens=False)["input_ids"]
        plain = model(torch.tensor([[*prompt, *tail]])).logits[0, len(prompt) - 1 : -1]
        wanted = plain.log_softmax(1).gather(1, torch.tensor(tail)[:, None])[:, 0]
        assert len(output) == len(answer) + 1
        assert torch.allclose(output, wanted, atol=1e-4)
    torch.cat(flat).sum().backward()
    assert all(bool(each.grad.isfinite().all()) for each in model.parameters())


def _gradients(model: Any) -> list[Any]:
    gradients = [each.grad.clone() for each in model.parameters()]
    model.zero_grad()
    return gradients


def test_shared_tokens_preserve_gradients(
    llm: Any, asked: tuple[Any, Any, list[list[int]]]
) -> None:
    model, tokenizer, prompts = asked
    model.set_attn_implementation(llm.attention.ATTENTION)
    for prompt, answer in zip(prompts, ANSWERS, strict=True):
        tokens = tokenizer(f"{answer}{tokenizer.eos_token}", add_special_tokens=False)["input_ids"]
        row = torch.tensor([[*prompt, *tokens]])
        logits = model(row).logits[0, len(prompt) - 1 : -1]
        torch.nn.functional.cross_entropy(logits, row[0, len(prompt) :], reduction="sum").backward()
    wanted = [-each for each in _gradients(model)]

    nothing = llm.shared.SharedTokens(model, [])
    logprobs = llm.sft.answer_logprobs(model, tokenizer, prompts, SINGLE, nothing)
    torch.cat([each for (each,) in logprobs]).sum().backward()
    for one, other in zip(_gradients(model), wanted, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-5)

    with llm.shared.shared(model, llm.shared.common_prefix(prompts)) as tools:
        assert tools.length > 10
        for part in (slice(0, 1), slice(1, 3)):
            logprobs = llm.sft.answer_logprobs(model, tokenizer, prompts[part], SINGLE[part], tools)
            torch.cat([each for (each,) in logprobs]).sum().backward()
    for one, other in zip(_gradients(model), wanted, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("reward", ["dense", "final", "solved"])
def test_grpo_raises_the_likelihood_of_better_answers(
    llm: Any, asked: tuple[Any, Any, list[list[int]]], reward: str
) -> None:
    model, tokenizer, prompts = asked
    model.set_attn_implementation(llm.attention.ATTENTION)
    rows = [llm.rollouts.Row("t", "train", "hide-slide", "", MESSAGES[0])] * 2
    options = SimpleNamespace(micro=2, token_scale=30.0)
    answers = ["done()", "fail()"]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

    def gap() -> float:
        nothing = llm.shared.SharedTokens(model, [])
        (logprobs,) = llm.sft.answer_logprobs(model, tokenizer, [prompts[0]], [answers], nothing)
        return float(logprobs[0].sum() - logprobs[1].sum())

    before = gap()
    group = [llm.rollouts.Outcome(each, 1, rewards=(each,)) for each in (1.0, 0.0)]
    credits = llm.grpo.answer_advantages(group, reward)
    llm.grpo._learn(model, tokenizer, rows, answers, credits, options)
    optimizer.step()
    assert gap() > before


@pytest.mark.parametrize("reward", ["final", "solved"])
def test_dpo_raises_the_likelihood_of_preferred_answers(
    llm: Any, folder: Path, tmp_path: Path, script: Callable[..., None], reward: str
) -> None:
    scores = {"final": (0.6, 0.2), "solved": (1.0, 0.6)}[reward]
    rows = [
        llm.rollouts.Row(task, "train", "hide-slide", "", messages, answer, score)
        for task, messages in zip("ab", MESSAGES, strict=False)
        for answer, score in zip(ANSWERS, scores, strict=False)
    ]
    llm.rollouts.write_rows(tmp_path / "answers.jsonl", rows)
    out = tmp_path / "out"
    script(
        llm.preferences, "--model", folder, "--rows", tmp_path / "answers.jsonl", "--out", out,
        "--reward", reward, "--epochs", 4, "--rate", 1e-2, "--micro", 3, "--imitate", 0,
    )  # fmt: skip
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["tasks"], summary["pairs"], summary["steps"]) == (2, 2, 4)
    assert summary["solved_answers"] == (2 if reward == "solved" else 0)

    def gaps(name: Path) -> list[float]:
        model, tokenizer = llm.models.load(str(name), "cpu")
        prompts = [llm.sampling.prompt_tokens(tokenizer, each) for each in MESSAGES[:2]]
        nothing = llm.shared.SharedTokens(model, [])
        logprobs = llm.sft.answer_logprobs(model, tokenizer, prompts, [ANSWERS[:2]] * 2, nothing)
        return [float(better.sum() - worse.sum()) for better, worse in logprobs]

    assert all(now > before for now, before in zip(gaps(out), gaps(folder), strict=True))


def test_preference_pairs_have_different_rewards(
    llm: Any, asked: tuple[Any, Any, list[list[int]]]
) -> None:
    row = llm.rollouts.Row("a", "train", "hide-slide", "", MESSAGES[0])
    rows = [replace(row, answer=str(score), score=score) for score in (1.0, 0.5, 0.48, 0.0)]
    (dense,) = llm.preferences.preference_groups(rows, asked[1], "final", 0.05)
    assert dense.pairs == [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]
    (sparse,) = llm.preferences.preference_groups(rows, asked[1], "solved", 0.05)
    assert (sparse.pairs, sparse.solved) == ([(0, 1), (0, 2), (0, 3)], [0])
    assert not [*llm.preferences.preference_groups(rows[1:], asked[1], "solved", 0.05)]
    now, before = torch.tensor([0.0, -2.0, -3.0, -4.0]), torch.tensor([0.0, -1.0, -4.0, -4.0])
    loss, ranked = llm.preferences.preference_loss(now, before, sparse.pairs, 0.5)
    wanted = [math.log(1 + math.exp(-0.5 * gap)) for gap in (1.0, -1.0, 0.0)]
    assert float(loss) == pytest.approx(sum(wanted) / 3)
    assert ranked == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("counts", "parts"),
    [([], []), ([3], [[3]]), ([1, 1, 2, 3, 1], [[1, 1], [2], [3], [1]])],
)
def test_batch_slices_respect_the_limit(
    llm: Any, counts: list[int], parts: list[list[int]]
) -> None:
    assert [counts[part] for part in llm.sampling.batch_slices(counts, 2)] == parts


def test_dense_reward_is_credited_to_its_call(llm: Any) -> None:
    outcome = llm.rollouts.Outcome
    useful_last = outcome(0.5, 3, rewards=(0.0, 0.5, 0.0))
    useful_first = outcome(0.5, 3, rewards=(0.5, 0.0, 0.0))
    spoiled = outcome(0.0, 2, "refused", rewards=(0.5, -0.5))
    text = outcome(0.0, 0, "no call", parsed=False)
    group = [useful_last, useful_first, spoiled, text]
    last, first, bad, none = llm.grpo.answer_advantages(group, "dense")
    assert last[0] == pytest.approx(first[0])
    assert last[0] > 0 > bad[0]
    assert last[1] > first[1] > bad[1]
    assert (len(last), last[-1], len(none)) == (4, 0.0, 1)
    assert none[0] < 0
    final = llm.grpo.answer_advantages(group, "final")
    assert [len(each) for each in final] == [1, 1, 1, 1]
    assert final[0] == final[1]
    assert llm.grpo.answer_advantages(group, "solved") == [[0.0]] * 4


def test_tokens_have_the_credit_of_their_call(
    llm: Any, asked: tuple[Any, Any, list[list[int]]]
) -> None:
    _, tokenizer, _ = asked
    answer = "first\nset_title(slide=1)\ndone()\nbye"
    assert llm.rollouts.call_indices(answer) == [0, 0, 1, 2]
    weights = llm.grpo._token_weights(tokenizer, answer, [1.0, 2.0, 3.0])
    lines = [weights[at] for at in (0, 8, answer.index("done"), answer.index("bye"))]
    assert lines == [1.0, 1.0, 2.0, 3.0]
    assert (len(weights), weights[-1]) == (len(answer) + 1, 3.0)


def grown_rows(llm: Any, folder: Path) -> list[Any]:
    """Return the rows of six generated tasks."""
    deck = DeckFile("meridian", read_deck_file("meridian"))
    grown = list(
        generate_tasks([deck], 6, seed=1, options=TaskOptions(("hide-slide", "set-title"), depth=1))
    )
    suite = folder / "suite.jsonl"
    suite.write_text("".join(json.dumps(each) + "\n" for each in grown), "utf-8")
    players = llm.rollouts.Players(1)
    rows = players.experts(suite, [str(each["id"]) for each in grown])
    players.close()
    return list(rows)


def test_script_runs_all_stages_once(llm: Any, folder: Path, tmp_path: Path) -> None:
    rows = [replace(each, split="train") for each in grown_rows(llm, tmp_path)]
    rows[0] = replace(rows[0], split="test-deck")
    llm.rollouts.write_rows(tmp_path / "rows.jsonl", rows)
    settings = {
        **{"MODEL": str(folder), "ROWS": str(tmp_path / "rows.jsonl"), "SEEDS": "0"},
        **{"REWARDS": "dense", "MINUTES": "0.001", "COUNT": "1", "PROCESSES": "1"},
        **{"PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)},
    }
    command = ["bash", str(ROOT / "examples/llm/train.sh"), str(tmp_path / "out")]
    output = [
        subprocess.run(
            command, env={**os.environ, **settings}, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    stages = [line[3:] for line in output[0].stderr.splitlines() if line.startswith("== ")]
    assert stages == [
        "measure-untrained-0", "sft-0", "measure-imitated-0", "answers-0", "own-0",
        "measure-own-answers-0", "grpo-dense-0", "measure-reinforced-dense-0",
    ]  # fmt: skip
    assert "== " not in output[1].stderr
    assert "| reinforced-dense | test-deck | 1 | 1 | 0.000 |" in output[1].stdout


def test_pipeline_from_suite_to_evaluation(
    llm: Any,
    folder: Path,
    tmp_path: Path,
    script: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deck = DeckFile("meridian", read_deck_file("meridian"))
    grown = list(
        generate_tasks([deck], 6, seed=1, options=TaskOptions(("hide-slide", "set-title"), depth=1))
    )
    suite, rows, out = tmp_path / "suite.jsonl", tmp_path / "rows.jsonl", tmp_path / "out"
    suite.write_text("".join(json.dumps(each) + "\n" for each in grown), "utf-8")
    monkeypatch.syspath_prepend(str(ROOT))  # for the processes that play

    script(llm.tasks, "--suite", suite, "--out", rows, "--processes", 1)
    results = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert [each["score"] for each in results] == [1.0] * 6
    train = [llm.rollouts.Row(**{**each, "split": "train"}) for each in results]
    assert asdict(train[0])["answer"].endswith("\ndone()")
    llm.rollouts.write_rows(rows, train)
    common = ("--rows", rows, "--device", "cpu")
    often = ("--save-sec", 0, "--resume")
    sft = ("--model", folder, *common, "--out", out / "sft", "--batch", 2, "--epochs", 1, *often)
    script(llm.sft, *sft, "--max-steps", 2)
    script(llm.sft, *sft, "--max-steps", 3)
    assert len((out / "sft" / "curve.csv").read_text().splitlines()) == 4
    grpo = ("--model", out / "sft", *common, "--out", out / "grpo", "--tasks", 2, "--group", 2,
            "--processes", 1, "--max-tokens", 3, *often)  # fmt: skip
    script(llm.grpo, *grpo, "--max-steps", 1)
    first = (out / "grpo" / "curve.csv").read_text().splitlines()
    script(llm.grpo, *grpo, "--max-steps", 2)
    curve = (out / "grpo" / "curve.csv").read_text().splitlines()
    assert len(curve) == 3
    assert [len(each.split(",")) for each in curve[:2]] == [9, 9]
    assert float(curve[1].split(",")[8]) == pytest.approx(float(first[1].split(",")[8]))
    evaluate = ("--model", out / "grpo", *common, "--out", out / "episodes.jsonl",
                "--splits", "train", "--processes", 1, "--max-tokens", 3)  # fmt: skip
    script(llm.evaluate, *evaluate, "--count", 1)
    script(llm.evaluate, *evaluate, "--count", 2, "--resume")
    episodes = [json.loads(line) for line in (out / "episodes.jsonl").read_text().splitlines()]
    assert [each["score"] for each in episodes] == [0.0, 0.0]
    assert json.loads((out / "grpo" / "summary.json").read_text())["rollouts"] == 8


def test_distinct_answers_are_stored_with_their_scores(
    llm: Any,
    folder: Path,
    tmp_path: Path,
    script: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [replace(each, split="train") for each in grown_rows(llm, tmp_path)]
    llm.rollouts.write_rows(tmp_path / "rows.jsonl", rows)
    right = {each.messages[-1]["content"]: each.answer for each in rows}
    requests: list[int] = []

    def said(_: Any, __: Any, prompts: list[Any], **___: Any) -> list[str]:
        requests.append(len(prompts))
        wanted = (right[each[-1]["content"]] for each in prompts)
        return [answer if at % 3 else "done()" for at, answer in enumerate(wanted)]

    monkeypatch.setattr(llm.best_answers, "sample", said)
    out = tmp_path / "answers.jsonl"
    common = ("--model", folder, "--rows", tmp_path / "rows.jsonl", "--out", out, "--group", 3,
              "--processes", 1, "--device", "cpu", "--resume")  # fmt: skip
    script(llm.best_answers, *common, "--skip", 1, "--count", 1)
    script(llm.best_answers, *common, "--skip", 1, "--count", 2)
    assert requests == [3, 3]
    metadata = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(each["task"], each["score"]) for each in metadata] == [
        (row.task, score) for row in rows[1:3] for score in (0.0, 1.0)
    ]
    assert [row.answer for row in llm.rollouts.read_rows(out, "train")] == [
        row.answer for row in rows[1:3]
    ]


def test_every_answer_of_a_conversation_becomes_a_row(llm: Any) -> None:
    roles = ("system", "user", "assistant", "user", "assistant")
    messages: list[dict[str, Any]] = [
        {"role": role, "content": f"{role} {at}"} for at, role in enumerate(roles)
    ]
    messages[3]["content"] = [{"type": "text", "text": "user 3"}]
    episode = {"id": "e", "score": 1.0, "messages": messages}
    first, second = llm.chat_rows.conversation_rows(episode, history=0)
    assert (first.task, first.answer, first.score) == ("e#2", "assistant 2", 1.0)
    output = [[each["content"] for each in row.messages] for row in (first, second)]
    assert output == [["system 0", "user 1"], ["system 0", "user 3"]]
    _, second = llm.chat_rows.conversation_rows(episode, history=1)
    assert [each["content"] for each in second.messages] == [
        "system 0", "user 1", "assistant 2", "user 3",
    ]  # fmt: skip
    messages[1]["content"] = [{"type": "image"}]
    with pytest.raises(SystemExit, match="a message has a picture"):
        next(llm.chat_rows.conversation_rows(episode, history=0))


def test_answers_begin_with_their_element(llm: Any) -> None:
    elements = (
        'cell A1 [2] "see [4]" [3]\nmenu Slide [4]\npanel Title 1 [13] "Costs [4]" [14] (focused)'
    )
    named = {4: "menu Slide [4]\n", 13: "panel Title 1 [13]\n",
             14: 'panel Title 1 [13] "Costs [4]" [14]\n', 5: ""}  # fmt: skip
    for number, name in named.items():
        answer = json.dumps({"kind": "click", "element": number})
        messages = [{"role": "user", "content": f"Elements:\n{elements}"},
                    {"role": "assistant", "content": answer}]  # fmt: skip
        episode = {"id": "e", "score": 1.0, "messages": messages}
        (row,) = llm.chat_rows.conversation_rows(episode, history=0, names=True, without=["scroll"])
        assert row.answer == name + answer
        assert not list(llm.chat_rows.conversation_rows(episode, history=0, without=["click"]))


def test_model_plays_several_screen_episodes(
    llm: Any,
    folder: Path,
    tmp_path: Path,
    script: Callable[..., None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "runs"
    play = ("--model", folder, "--suite", "starter", "--count", 3, "--machine", "fake",
            "--batch", 2, "--max-steps", 2, "--max-tokens", 3, "--out", out)  # fmt: skip
    script(llm.screen, *play)
    result = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert (result["episodes"], result["score"], result["solved"]) == (3, 0.0, 0.0)
    (first, *_) = played = sorted(out.glob("model/*/seed-0/messages.jsonl"))
    assert len(played) == 3
    lines = [json.loads(line) for line in first.read_text().splitlines()]
    assert len(lines) == 2
    assert "last actions:\n- none" in lines[0]["shown"]


def test_model_error_ends_all_screen_episodes(
    llm: Any,
    folder: Path,
    tmp_path: Path,
    script: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: Any, **__: Any) -> list[str]:
        raise RuntimeError("no memory")

    play = ("--model", folder, "--suite", "starter", "--batch", 2, "--out", tmp_path)
    with pytest.raises(ConfigError, match="machine 'nope' not found"):
        script(llm.screen, *play, "--machine", "nope")
    with pytest.raises(SystemExit):
        script(llm.screen, *play, "--see", "marks")
    monkeypatch.setattr(llm.screen, "sample", fails)
    with pytest.raises(RuntimeError, match="no memory"):
        script(llm.screen, *play, "--machine", "fake")


def test_players_exit_when_the_trainer_is_killed(tmp_path: Path) -> None:
    program = """
import time
from examples.llm.rollouts import Players
if __name__ == "__main__":
    players = Players(2)
    print(*[next(iter(each._processes)) for each in players._executors], flush=True)
    time.sleep(600)
"""
    script = tmp_path / "trainer.py"
    script.write_text(program, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    trainer = subprocess.Popen(
        [sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert trainer.stdout is not None
    players = [int(each) for each in trainer.stdout.readline().split()]
    assert len(players) == 2
    trainer.kill()
    trainer.wait()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{each}").exists() for each in players):
        assert time.monotonic() < deadline, "the processes of a killed trainer still run"
        time.sleep(0.1)


def test_table_compares_models_on_common_tasks(
    llm: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seed, scores in (("untrained", 0, (0, 0, 0)), ("imitated", 1, (1, 0.5, 0))):
        lines = [
            {"name": name, "seed": seed, "split": "test-deck", "task": f"t{at}", "score": score,
             "parsed": True}
            for at, score in enumerate(scores)
        ]  # fmt: skip
        text = "".join(json.dumps(each) + "\n" for each in [*lines, {"task": "another file"}])
        (tmp_path / f"{name}-{seed}.jsonl").write_text(text, "utf-8")
    (tmp_path / "grpo-0").mkdir()
    (tmp_path / "grpo-0" / "curve.csv").write_text("reward,score\n0.1,0.2\n0.3,0.4\n", "utf-8")
    monkeypatch.setattr(sys, "argv", ["script", str(tmp_path)])
    llm.summary.main()
    output = capsys.readouterr().out
    assert "| untrained | test-deck | 1 | 3 | 0.000 | 0.000 (0.000 to 0.562) | 0.00 |" in output
    assert "| imitated | test-deck | 1 | 3 | 0.500 (" in output
    assert "| untrained - imitated | 3 | -0.500 (" in output
    assert (tmp_path / "summary.md").read_text("utf-8").strip() == output.strip()
    assert (tmp_path / "summary.png").stat().st_size > 1_000
    assert llm.summary.wilson(0, 200) == (0.0, 0.019)
