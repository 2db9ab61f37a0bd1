"""Attention to tokens that precede several rows and whose keys and values are stored once.

`set_attn_implementation(ATTENTION)` makes a model use it. With neither `after` nor `packed`, it is
PyTorch's attention.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

ATTENTION = "shared_tokens"


class Shared(Protocol):
    """Shared tokens, see `examples.llm.shared.SharedTokens`."""

    length: int

    def layer(self, index: int) -> tuple[torch.Tensor, ...]:
        """Return keys and values of a layer, each shaped (heads, tokens, size)."""


class Packed:
    """Rows of any length in one sequence, without padding.

    A row has a trunk and any number of branches, such as a request and several answers to it. Each
    token sees the shared tokens, the trunk, and what precedes it in its own branch.

    Args:
        shared: The tokens that precede every row, if any.
        lengths: Numbers of tokens of every row: those of its trunk, then those of each branch.
        device: Where the model is.

    Attributes:
        counts: Number of tokens of every row.
        positions: Position of every token in its sequence, for every row, shaped (tokens,).
        hidden: Whether a token, first axis, does not see another of its row, for every row.
    """

    def __init__(
        self, shared: Shared | None, lengths: Sequence[Sequence[int]], device: torch.device
    ) -> None:
        self.shared = shared
        self.counts = [sum(row) for row in lengths]
        shared_length = 0 if shared is None else shared.length
        self.positions: list[torch.Tensor] = []
        self.hidden: list[torch.Tensor] = []
        for trunk, *branches in lengths:
            part_positions = [
                torch.arange(trunk),
                *(torch.arange(trunk, trunk + length) for length in branches),
            ]
            branch_ids = torch.repeat_interleave(torch.tensor([trunk, *branches])).to(device)
            other_branches = (branch_ids[:, None] != branch_ids) & (branch_ids > 0)
            self.positions.append(shared_length + torch.cat(part_positions).to(device))
            self.hidden.append(other_branches | torch.ones_like(other_branches).triu(1))


def attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float,
    sliding_window: int | None = None,
    after: tuple[Shared, torch.Tensor] | None = None,
    packed: Packed | None = None,
    **sdpa_kwargs: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the attention of one new token per row, or of all tokens of packed rows.

    Args:
        module: The attention layer.
        query: Shaped (rows, heads, 1, size).
        key: Keys of the tokens after the shared ones, shaped (rows, heads of keys, tokens, size).
        value: Their values.
        attention_mask: Whether the new token sees them, shaped (rows, 1, 1, tokens).
        scaling: Factor of the scores.
        sliding_window: Number of tokens that the layer sees; None for all.
        after: The shared tokens, and the positions of the others in the sequence, (rows, tokens).
        packed: Packed rows; query, keys and values then have one row with all tokens.
        sdpa_kwargs: Further arguments of PyTorch's attention.
    """
    if packed is not None:
        return _attend_packed(module, query[0] * scaling, key[0], value[0], packed, sliding_window)
    if after is None:
        sdpa_kwargs |= {"scaling": scaling, "sliding_window": sliding_window}
        output: tuple[torch.Tensor, torch.Tensor | None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **sdpa_kwargs
        )
        return output
    tokens, positions = after
    if tokens.length:
        keys, values = tokens.layer(module.layer_idx)
    else:
        keys, values = key[0, :, :0], value[0, :, :0]
    rows, heads, _, size = query.shape
    key_heads = key.shape[1]
    heads_per_key = heads // key_heads  # heads of the query for each head of the keys
    query = query.view(rows, key_heads, heads_per_key, size)
    own_scores = query @ key.transpose(2, 3)
    shared_scores = query.transpose(0, 1).reshape(
        key_heads, rows * heads_per_key, size
    ) @ keys.transpose(1, 2)
    shared_scores = shared_scores.view(key_heads, rows, heads_per_key, tokens.length).transpose(
        0, 1
    )
    if attention_mask is not None:
        own_scores = own_scores.masked_fill(~attention_mask, -torch.inf)
    if sliding_window is not None:
        first_position = positions[:, -1, None] - sliding_window + 1
        shared_positions = torch.arange(tokens.length, device=positions.device)
        own_scores = own_scores.masked_fill((positions < first_position)[:, None, None], -torch.inf)
        shared_scores = shared_scores.masked_fill(
            (shared_positions < first_position)[:, None, None], -torch.inf
        )
    weights = (
        (torch.cat([shared_scores, own_scores], 3) * scaling)
        .softmax(3, torch.float32)
        .to(value.dtype)
    )
    shared_weights, own_weights = weights[..., : tokens.length], weights[..., tokens.length :]
    shared_output = (
        shared_weights.transpose(0, 1).reshape(key_heads, rows * heads_per_key, tokens.length)
        @ values
    )
    shared_output = shared_output.view(key_heads, rows, heads_per_key, size)
    outputs = shared_output.transpose(0, 1) + own_weights @ value
    return outputs.reshape(rows, 1, heads, size), None


def _attend_packed(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    packed: Packed,
    window: int | None,
) -> tuple[torch.Tensor, None]:
    """Return the attention of packed rows, each to the shared tokens and to itself.

    It multiplies matrices, since PyTorch's fused attention needs padding, and its backward pass is
    slow on a CPU.
    """
    heads, _, size = query.shape
    key_heads, shared_length = key.shape[0], 0
    shared_keys, shared_values = key[:, :0], value[:, :0]
    if packed.shared is not None and packed.shared.length:
        shared_length = packed.shared.length
        shared_keys, shared_values = packed.shared.layer(module.layer_idx)
    outputs = []
    rows = zip(
        *(torch.split(tensor, packed.counts, 1) for tensor in (query, key, value)),
        packed.positions, packed.hidden, strict=True,
    )  # fmt: skip
    for queries, keys, values, positions, hidden in rows:
        count = len(positions)
        keys, values = torch.cat([shared_keys, keys], 1), torch.cat([shared_values, values], 1)
        queries = queries.reshape(key_heads, heads // key_heads * count, size)
        scores = (queries @ keys.transpose(1, 2)).view(heads, count, shared_length + count)
        with torch.no_grad():  # the softmax passes no gradient to hidden tokens
            scores[..., shared_length:].masked_fill_(hidden, -torch.inf)
            if window is not None:
                key_positions = torch.cat(
                    [torch.arange(shared_length, device=positions.device), positions]
                )
                scores.masked_fill_(positions[:, None] - key_positions >= window, -torch.inf)
        weights = scores.softmax(2).to(values.dtype)
        output = weights.view(key_heads, heads // key_heads * count, shared_length + count) @ values
        outputs.append(output.view(heads, count, size))
    return torch.cat(outputs, 1).transpose(0, 1)[None], None


AttentionInterface.register(ATTENTION, attend)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)
