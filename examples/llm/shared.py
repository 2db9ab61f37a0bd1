"""Shared prefixes of several requests, computed once, also in training.

The list of tools is more than half of a request. With `SharedTokens`, a batch computes it once
instead of once per row, and gradients are the same: the gradients of all rows accumulate in the
keys and values of the shared tokens, and one backward pass carries them to the weights.

During sampling, the shared keys and values are stored and read once instead of once per row
(`examples.llm.attention`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from examples.llm.attention import ATTENTION, Packed
from examples.llm.models import autocast
from transformers import DynamicCache


def common_prefix(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return the longest common prefix of all rows; at least one token of each row remains."""
    shortest = min(map(len, rows))
    same = (index for index in range(shortest) if len({row[index] for row in rows}) > 1)
    return list(rows[0][: min(next(same, shortest), shortest - 1)])


class SharedTokens:
    """Keys and values of tokens that precede several rows.

    Args:
        model: A causal language model; its gradient mode decides whether gradients flow.
        tokens: The shared tokens.
    """

    def __init__(self, model: Any, tokens: Sequence[int]) -> None:
        self.length: int = len(tokens)
        self._layers: list[tuple[torch.Tensor, ...]] = []
        if tokens:
            cache = DynamicCache()
            forward_packed(model, [[tokens]], None, past_key_values=cache, logits_to_keep=1)
            self._layers = [(layer.keys, layer.values) for layer in cache.layers]
        self._leaves: list[tuple[torch.Tensor, ...]] = [
            tuple(tensor.detach().requires_grad_(tensor.requires_grad) for tensor in layer)
            for layer in self._layers
        ]

    def cache(self, rows: int) -> DynamicCache:
        """Return a cache with the shared tokens for a number of rows."""
        cache = DynamicCache()
        for index, layer in enumerate(self._leaves):
            keys, values = (tensor.expand(rows, -1, -1, -1) for tensor in layer)
            cache.update(keys, values, index)
        return cache

    def layer(self, index: int) -> tuple[torch.Tensor, ...]:
        """Return keys and values of a layer, each shaped (heads, tokens, size)."""
        return tuple(tensor[0] for tensor in self._leaves[index])

    def backward(self) -> None:
        """Propagate the gradients accumulated in keys and values to the weights."""
        pairs = [
            (tensor, leaf.grad)
            for layer, leaves in zip(self._layers, self._leaves, strict=True)
            for tensor, leaf in zip(layer, leaves, strict=True)
            if leaf.grad is not None
        ]
        if pairs:
            tensors, gradients = zip(*pairs, strict=True)
            torch.autograd.backward(tensors, gradients)


def forward_packed(
    model: Any,
    rows: Sequence[Sequence[Sequence[int]]],
    after: SharedTokens | None,
    **model_kwargs: Any,
) -> Any:
    """Return the output of a model for rows of any length, packed into one sequence.

    Args:
        model: A causal language model with the attention of `examples.llm.attention`.
        rows: The tokens of every row: its trunk, then branches that follow it, see `Packed`.
        after: Shared tokens that precede every row.
        model_kwargs: Further arguments of the model.

    Raises:
        ValueError: If the model has a different attention, in which rows would see each other.
    """
    if model.config._attn_implementation != ATTENTION:
        raise ValueError("packed rows need model.set_attn_implementation(ATTENTION)")
    device = model.device
    packed = Packed(after, [[len(part) for part in row] for row in rows], device)
    tokens = [token for row in rows for part in row for token in part]
    with autocast(device.type):
        return model(
            input_ids=torch.tensor(tokens, device=device)[None],
            position_ids=torch.cat(packed.positions)[None],
            attention_mask=torch.ones(1, 1, 1, 1, dtype=torch.bool, device=device),  # unused
            packed=packed, **{"use_cache": "past_key_values" in model_kwargs, **model_kwargs},
        )  # fmt: skip


@contextmanager
def shared(model: Any, tokens: Sequence[int]) -> Iterator[SharedTokens]:
    """Yield shared tokens for training; gradients reach the weights at the end."""
    shared_tokens = SharedTokens(model, tokens)
    yield shared_tokens
    shared_tokens.backward()
