"""verl's own agent loop plays the environment; ``make test-verl`` makes an environment with it."""

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("verl", reason="needs verl: make test-verl")

# Warnings of verl's and Ray's own code are no errors of ours.
pytestmark = pytest.mark.filterwarnings("default")

TASK = "meridian-hide-backup"
READ = '<tool_call>{"name": "read_slide", "arguments": {"slide": 272}}</tool_call>'
HIDE = '<tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '<tool_call>{"name": "done", "arguments": {}}</tool_call>'
CHAT = (
    "{% for message in messages %}<s>{{ message.role }}: {{ message.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant: {% endif %}"
)


def tokenizer() -> Any:
    """Return a tokenizer of bytes, so that every text survives it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    vocabulary = {letter: number for number, letter in enumerate(sorted(alphabet))}
    inner = Tokenizer(models.BPE(vocabulary, []))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=["<s>"],
        chat_template=CHAT,
    )


class Server:
    """Says what it was told to, as verl's client of a model does, and remembers what it read."""

    def __init__(self, words: Any, answers: list[str]) -> None:
        self.words, self.answers, self.read = words, list(answers), list[str]()

    async def generate(self, *, prompt_ids: list[int], **_: Any) -> Any:
        from verl.workers.rollout.replica import TokenOutput

        self.read.append(self.words.decode(prompt_ids))
        ids = self.words.encode(self.answers.pop(0) + "</s>", add_special_tokens=False)
        return TokenOutput(token_ids=ids, log_probs=[-0.5] * len(ids))


def played(answers: list[str], *, length: int = 20_000, **more: Any) -> tuple[Any, Server, Any]:
    from omegaconf import OmegaConf
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap
    from verl.utils.dataset.rl_dataset import RLHFDataset

    from pptarena.rollouts.trainers.verl import DocAgentLoop, verl_rows

    (row,) = verl_rows(tasks=[TASK])
    words = tokenizer()
    server = Server(words, answers)
    rollout = {"prompt_length": 60_000, "response_length": length}
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": rollout}, "data": {}})

    async def play() -> Any:
        loop = DocAgentLoop(
            trainer_config=DictConfigWrap(config),
            server_manager=server,
            tokenizer=words,
            processor=None,
            dataset_cls=RLHFDataset,
            data_config=DictConfigWrap(config.data),
            options={"judge": None},
            **more,
        )
        return await loop.run({}, raw_prompt=row["prompt"], extra_info=row["extra_info"])

    return asyncio.run(play()), server, words


def test_it_is_registered() -> None:
    from verl.experimental.agent_loop import agent_loop

    import pptarena.rollouts.trainers.verl  # noqa: F401

    target = agent_loop._agent_loop_registry["pptarena"]["_target_"]
    assert target == "pptarena.rollouts.trainers.verl.DocAgentLoop"


def test_tokens_mask_and_credit_of_an_episode() -> None:
    output, server, words = played([READ, "I hide it. " + HIDE, DONE])
    assert output.reward_score == 1.0
    assert output.extra_fields["turn_scores"] == [0.0, 1.0, 0.0]
    assert output.extra_fields["tool_rewards"] == [0.0, 1.0, 0.0]
    assert len(output.response_ids) == len(output.response_mask) == len(output.response_logprobs)
    # What is masked in is what the model said, and nothing else.
    said = [
        token for token, own in zip(output.response_ids, output.response_mask, strict=True) if own
    ]
    assert words.decode(said) == f"{READ}</s>I hide it. {HIDE}</s>{DONE}</s>"
    ends = output.extra_fields["turn_ends"]
    assert [words.decode(output.response_ids[:end])[-16:] for end in ends] == [
        "</tool_call></s>"
    ] * 3
    assert "slide 17, id 272" in server.read[0]
    assert server.read[2].endswith("<s>user: hidden</s><s>assistant: ")
    scores = output.as_dict()["rm_scores"]
    assert (scores.sum().item(), scores[-1].item()) == (1.0, 1.0)
    assert output.num_turns == 6


def test_a_model_that_means_no_call_is_told_and_ends_in_time() -> None:
    output, server, _ = played(["hm"] * 3, max_turns=3)
    assert output.reward_score == 0.0
    assert "refused: expected a JSON object" in server.read[1]
    assert server.answers == []


def test_an_answer_that_fills_the_response_ends_it() -> None:
    output, _, _ = played([HIDE * 3, DONE], length=100)
    assert (len(output.response_ids), len(output.response_mask)) == (100, 100)
    assert output.reward_score == 1.0
    assert all(end <= 100 for end in output.extra_fields["turn_ends"])


def test_two_updates_with_the_advantages_and_the_loss_of_verl() -> None:
    """The trainer itself needs a GPU; its arithmetic does not."""
    import numpy as np
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM
    from verl.trainer.ppo.core_algos import (
        compute_grpo_outcome_advantage,
        compute_policy_loss_vanilla,
    )
    from verl.workers.config import ActorConfig

    torch.manual_seed(0)
    group = [played(answers, outline_chars=200)[0] for answers in ([HIDE, DONE], [DONE])]
    assert [output.reward_score for output in group] == [1.0, 0.0]
    size = max(len(output.response_ids) for output in group)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=300, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
            num_attention_heads=2, max_position_embeddings=40_000,
        )
    )  # fmt: skip
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    mask = torch.tensor([o.response_mask + [0] * (size - len(o.response_mask)) for o in group])
    rewards = torch.zeros(mask.shape)
    for index, output in enumerate(group):
        rewards[index, len(output.response_ids) - 1] = output.reward_score
    advantages, _ = compute_grpo_outcome_advantage(rewards, mask, np.array(["a", "a"]))
    actor = ActorConfig(
        strategy="fsdp", rollout_n=2, ppo_micro_batch_size_per_gpu=1, clip_ratio=0.2
    )

    def log_probs() -> torch.Tensor:
        found = torch.zeros(mask.shape)
        for index, output in enumerate(group):
            # Only the end of the prompt: a tiny model, and a quick test.
            prompt = output.prompt_ids[-50:]
            ids = torch.tensor([prompt + output.response_ids])
            logits = model(ids).logits[0, len(prompt) - 1 : -1].log_softmax(-1)
            own = logits.gather(1, ids[0, len(prompt) :, None])[:, 0]
            found[index, : len(own)] = own
        return found * mask

    before = log_probs().detach().sum(1)
    for _ in range(2):
        old = log_probs().detach()
        loss, _ = compute_policy_loss_vanilla(old, log_probs(), advantages, mask, config=actor)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    change = log_probs().detach().sum(1) - before
    per_token = change / mask.sum(1)
    assert per_token[0] > per_token[1], json.dumps(per_token.tolist())
