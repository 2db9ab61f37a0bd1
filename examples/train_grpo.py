"""GRPO with TRL on the document environment, with a tiny randomly initialized model.

make test-trl                                # creates .venv-trl, a separate environment
.venv-trl/bin/python examples/train_grpo.py --out runs/grpo

It shows that multi-turn rollouts, tool calls, results, rewards and updates work together, and that
the reward of a toy goal rises. The model has a hundred thousand parameters and a vocabulary of
instruction words and complete tool calls. It learns which call belongs to which instruction, and to
stop after it. For a real model, remove `tiny_tokenizer` and `tiny_model`, and pass its name to
`GRPOTrainer`.
"""

import argparse
import csv
import json
import re
import time
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from pptarena.rollouts.trainers.trl import trl_environment, trl_rows
from pptarena.tasks import get_task

# Ids of the slides 1 to 7 of the deck "meridian"; a real model reads them from the outline.
SLIDES = range(256, 263)
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }} {{ message.content }}"
    "{% for call in message.tool_calls or [] %}"
    "<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}<|im_end|>{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
ANSWER = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": r"</tool_call>\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"<\|im_end\|>\s*", "content": "text"},
    },
}


def call(name: str, **arguments: int) -> str:
    """Return a call in the format of Hermes and Qwen; here each call is one token."""
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def tiny_tokenizer(instructions: list[str], slides: int) -> PreTrainedTokenizerFast:
    """Return a tokenizer of instruction words and complete calls; everything else is unknown."""
    words = sorted({word for text in instructions for word in re.findall(r"\w+|[^\w\s]", text)})
    calls = [
        call(name, slide=slide)
        for name in ("delete_slide", "duplicate_slide")
        for slide in SLIDES[:slides]
    ]
    specials = ["<unk>", "<pad>", "<|im_start|>", "<|im_end|>"]
    vocabulary = {word: number for number, word in enumerate([*specials, *words])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        unk_token="<unk>",
        pad_token="<pad>",
        eos_token="<|im_end|>",
        additional_special_tokens=["<|im_start|>"],
        padding_side="left",
        chat_template=CHAT,
        response_template=ANSWER,
    )
    tokenizer.add_tokens([*calls, call("done")])
    return tokenizer


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Return a small, randomly initialized language model."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=256,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    return LlamaForCausalLM(config)


def main() -> None:
    """Train, and save the learning curve."""
    parser = argparse.ArgumentParser(description="GRPO with TRL and a tiny model.")
    parser.add_argument("--out", type=Path, required=True, help="folder of curve and summary")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--slides", type=int, default=2, help="two tasks for each, at most 7")
    parser.add_argument("--group", type=int, default=16, help="rollouts of one task")
    parser.add_argument("--groups", type=int, default=4, help="groups in one update")
    parser.add_argument("--rate", type=float, default=4e-3, help="learning rate")
    options = parser.parse_args()

    names = [
        f"first-steps-{verb}-slide-{number}"
        for verb in ("delete", "duplicate")
        for number in range(1, options.slides + 1)
    ]
    rows = trl_rows("all#first-steps", names, prompt="")
    torch.manual_seed(options.seed)
    tokenizer = tiny_tokenizer([get_task(name).instruction for name in names], options.slides)
    model = tiny_model(tokenizer)
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        environment_factory=trl_environment(
            names=("delete_slide", "duplicate_slide"),
            outline_chars=0,
            judge=None,
            max_steps=3,
            score_when="end",
        ),
        train_dataset=Dataset.from_list(rows),
        args=settings(options),
    )
    started = time.perf_counter()
    trainer.train()
    seconds = time.perf_counter() - started
    report(options, trainer.state.log_history, model, len(rows), seconds)


def settings(options: argparse.Namespace) -> GRPOConfig:
    """Return TRL's settings for training on a CPU."""
    return GRPOConfig(
        output_dir=str(options.out / "trl"),
        seed=options.seed,
        max_steps=options.updates,
        num_generations=options.group,
        per_device_train_batch_size=options.group * options.groups,
        max_completion_length=8,
        max_tool_calling_iterations=3,
        learning_rate=options.rate,
        lr_scheduler_type="linear",
        temperature=1.0,
        beta=0.0,
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )


def report(
    options: argparse.Namespace,
    history: list[dict[str, Any]],
    model: LlamaForCausalLM,
    tasks: int,
    seconds: float,
) -> None:
    """Write curve.csv and summary.json, and print the summary."""
    rewards = [float(line["reward"]) for line in history if "reward" in line]
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "curve.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("update", "reward"), *enumerate(rewards, start=1)])
    window = min(10, len(rewards))
    summary = {
        "seed": options.seed,
        "tasks": tasks,
        "updates": len(rewards),
        "rollouts": len(rewards) * options.group * options.groups,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "first_10": round(sum(rewards[:window]) / window, 3),
        "last_10": round(sum(rewards[-window:]) / window, 3),
        "minutes": round(seconds / 60, 1),
    }
    (options.out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
