"""Answers of a model, sampled in batches."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from examples.llm.shared import SharedTokens, common_prefix
from transformers import DynamicCache


def sample(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[list[dict[str, str]]],
    *,
    max_tokens: int = 64,
    temperature: float = 0.0,
    batch: int = 256,
) -> list[str]:
    """Return one answer to each prompt, greedy for temperature 0.

    Equal prompts are processed once; a batch has prompts of similar length and at most `batch`
    answers, or the answers to one prompt.
    """
    indices_by_prompt: dict[tuple[int, ...], list[int]] = {}
    for index, messages in enumerate(prompts):
        indices_by_prompt.setdefault(tuple(prompt_tokens(tokenizer, messages)), []).append(index)
    answers = [""] * len(prompts)
    with torch.no_grad():
        prefix = (
            common_prefix(list(indices_by_prompt))
            if len(indices_by_prompt) > 1
            else next(iter(indices_by_prompt), ())[:-1]
        )
        tools = SharedTokens(model, prefix)
        order = sorted(indices_by_prompt, key=len)
        counts = [len(indices_by_prompt[prompt]) for prompt in order]
        for slice_ in batch_slices(counts, batch):
            batch_prompts = order[slice_]
            continuations = _generate(
                model, tokenizer, tools, batch_prompts, counts[slice_],
                max_tokens=max_tokens, temperature=temperature,
            )  # fmt: skip
            indices = [index for prompt in batch_prompts for index in indices_by_prompt[prompt]]
            for index, tokens in zip(indices, continuations, strict=True):
                answers[index] = tokenizer.decode(tokens, skip_special_tokens=True).strip()
    return answers


def batch_slices(counts: Sequence[int], max_count: int) -> Iterator[slice]:
    """Yield slices of consecutive items with a total of at most `max_count`, or single items."""
    start, total = 0, 0
    for index, count in enumerate(counts):
        if index > start and total + count > max_count:
            yield slice(start, index)
            start, total = index, 0
        total += count
    if counts:
        yield slice(start, len(counts))


def _generate(
    model: Any,
    tokenizer: Any,
    tools: SharedTokens,
    prompts: Sequence[tuple[int, ...]],
    counts: Sequence[int],
    *,
    max_tokens: int,
    temperature: float,
) -> list[list[int]]:
    """Return the continuations: `counts[i]` of prompt `i`, one after the other.

    Answers that have ended leave the batch, a quarter of it at a time.
    """
    repeats = torch.repeat_interleave(torch.tensor(counts)).to(model.device)
    suffixes = [prompt[tools.length : -1] for prompt in prompts]
    cache, mask = _fill_cache(model, tokenizer, tools, suffixes, repeats, max_tokens)
    start = mask.shape[1] - max_tokens
    next_tokens = torch.tensor([prompt[-1] for prompt in prompts], device=model.device)[repeats]
    continuations: list[list[int]] = [[] for _ in repeats]
    rows, is_active = list(range(len(continuations))), torch.ones_like(repeats, dtype=torch.bool)
    for step in range(max_tokens):
        mask[:, start + step] = 1
        positions = tools.length + (mask.cumsum(1) - 1).clamp(min=0)
        logits = model(
            input_ids=next_tokens[:, None], attention_mask=mask[:, None, None].bool(),
            position_ids=positions[:, -1:], past_key_values=cache, use_cache=True,
            after=(tools, positions),
        ).logits[:, -1]  # fmt: skip
        next_tokens = _next_tokens(logits, temperature)
        for row, token, active in zip(rows, next_tokens.tolist(), is_active.tolist(), strict=True):
            if active:
                continuations[row].append(token)
        is_active &= next_tokens != tokenizer.eos_token_id
        active_count = int(is_active.sum())
        if not active_count:
            break
        if active_count <= 0.75 * len(rows):
            rows = [row for row, active in zip(rows, is_active.tolist(), strict=True) if active]
            cache.batch_select_indices(is_active)
            mask, next_tokens, is_active = (
                mask[is_active],
                next_tokens[is_active],
                is_active[is_active],
            )
    return continuations


def _fill_cache(
    model: Any,
    tokenizer: Any,
    tools: SharedTokens,
    suffixes: Sequence[Sequence[int]],
    repeats: torch.Tensor,
    max_new_tokens: int,
) -> tuple["_Cache", torch.Tensor]:
    """Return the cache of the tokens after the shared tokens, and a mask with 1 for tokens.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        tools: The shared tokens.
        suffixes: The tokens that follow, for each prompt.
        repeats: The prompt of each row.
        max_new_tokens: Number of tokens that will be added to a row.
    """
    width = max(1, *map(len, suffixes))
    paddings = [width - len(suffix) for suffix in suffixes]
    # Right padding needs no mask under causal attention.
    ids = [
        [*suffix, *[tokenizer.pad_token_id] * padding]
        for suffix, padding in zip(suffixes, paddings, strict=True)
    ]
    cache = tools.cache(len(suffixes))
    model(
        input_ids=torch.tensor(ids, device=model.device), past_key_values=cache,
        use_cache=True, logits_to_keep=1,
    )  # fmt: skip
    mask = torch.tensor(
        [[1] * (width - padding) + [0] * (padding + max_new_tokens) for padding in paddings]
    )
    return _Cache(cache, tools.length, repeats, max_new_tokens), mask.to(model.device)[repeats]


class _Cache(DynamicCache):  # type: ignore[misc]
    """Keys and values of a batch in preallocated memory.

    `StaticCache` of Transformers drops tokens that a sliding window passed, by their index; with
    padding, an index is not a position.

    Args:
        prompt_cache: The cache of the prompts, shared tokens included.
        shared_length: Number of shared tokens, which are omitted.
        repeats: The prompt of each row.
        max_new_tokens: Number of tokens that will be added to a row.
    """

    def __init__(
        self,
        prompt_cache: DynamicCache,
        shared_length: int,
        repeats: torch.Tensor,
        max_new_tokens: int,
    ) -> None:
        super().__init__()
        self._lengths: list[int] = [
            layer.keys.shape[2] - shared_length for layer in prompt_cache.layers
        ]
        self._storage = [
            tuple(
                torch.nn.functional.pad(
                    tensor[:, :, shared_length:][repeats], (0, 0, 0, max_new_tokens)
                )
                for tensor in (layer.keys, layer.values)
            )
            for layer in prompt_cache.layers
        ]

    def update(
        self,
        key_states: torch.Tensor,
        value_states: torch.Tensor,
        layer_idx: int,
        *_: Any,
        **__: Any,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add a token to every row of a layer; return the entire memory."""
        index = self._lengths[layer_idx]
        keys, values = self._storage[layer_idx]
        keys[:, :, index], values[:, :, index] = key_states[:, :, 0], value_states[:, :, 0]
        self._lengths[layer_idx] = index + 1
        return keys, values

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """Return the number of tokens."""
        return self._lengths[layer_idx]

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keep some rows."""
        self._storage = [tuple(tensor[indices] for tensor in layer) for layer in self._storage]


def _next_tokens(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    if not temperature:
        return logits.argmax(1)
    # `multinomial` draws a number per vocabulary entry and takes longer than the model.
    cumulative = (logits.float() / temperature).softmax(1).cumsum(1)
    thresholds = torch.rand(len(cumulative), 1, device=cumulative.device) * cumulative[:, -1:]
    return torch.searchsorted(cumulative, thresholds, right=True)[:, 0].clamp(
        max=cumulative.shape[1] - 1
    )


def prompt_tokens(tokenizer: Any, messages: list[dict[str, str]]) -> list[int]:
    """Return the tokens of a request in the model's chat template, up to the answer."""
    if tokenizer.chat_template is None:
        text = "\n\n".join(message["content"] for message in messages) + "\n\n"
    else:
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens
