"""Answers of a model, sampled in batches."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from examples.llm.shared import SharedTokens, common_prefix


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

    Equal prompts are read once; a batch has prompts of similar length and at most `batch` answers,
    or those of one prompt.
    """
    wanted: dict[tuple[int, ...], list[int]] = {}
    for index, messages in enumerate(prompts):
        wanted.setdefault(tuple(prompt_tokens(tokenizer, messages)), []).append(index)
    found = [""] * len(prompts)
    how: dict[str, Any] = {"do_sample": temperature > 0}
    how |= {"temperature": temperature} if temperature else {}
    how |= {"max_new_tokens": max_tokens, "pad_token_id": tokenizer.pad_token_id}
    with torch.no_grad():
        tools = SharedTokens(model, common_prefix(list(wanted)) if len(wanted) > 1 else [])
        for part in _parts(wanted, batch):
            said = _generate(model, tools, part, [len(wanted[each]) for each in part], **how)
            indices = [index for each in part for index in wanted[each]]
            for index, tokens in zip(indices, said, strict=True):
                found[index] = tokenizer.decode(tokens, skip_special_tokens=True).strip()
    return found


def _parts(
    wanted: Mapping[tuple[int, ...], Sequence[int]], batch: int
) -> Iterator[list[tuple[int, ...]]]:
    part: list[tuple[int, ...]] = []
    answers = 0
    for prompt in sorted(wanted, key=len):
        if part and answers + len(wanted[prompt]) > batch:
            yield part
            part, answers = [], 0
        part.append(prompt)
        answers += len(wanted[prompt])
    if part:
        yield part


def _generate(
    model: Any,
    tools: SharedTokens,
    prompts: Sequence[tuple[int, ...]],
    counts: Sequence[int],
    **how: Any,
) -> list[list[int]]:
    """Return the continuations: `counts[i]` of prompt `i`, one after the other."""
    begin, width = tools.length, max(map(len, prompts))
    # Padding goes between the shared tokens and the rest.
    pads = [width - len(each) for each in prompts]
    pad = how["pad_token_id"]
    rows = [
        [*each[:begin], *[pad] * many, *each[begin:]]
        for each, many in zip(prompts, pads, strict=True)
    ]
    masks = [[1] * begin + [0] * many + [1] * (width - begin - many) for many in pads]
    ids, mask = (torch.tensor(each, device=model.device) for each in (rows, masks))
    cache = tools.cache(len(rows))
    if width - 1 > begin:
        places = (mask.cumsum(1) - 1).clamp(min=0)[:, begin:-1]
        model(
            input_ids=ids[:, begin:-1], attention_mask=mask[:, :-1], position_ids=places,
            past_key_values=cache, use_cache=True, logits_to_keep=1,
        )  # fmt: skip
    repeats = torch.repeat_interleave(torch.tensor(counts)).to(model.device)
    cache.batch_select_indices(repeats)
    out = model.generate(
        input_ids=ids[repeats], attention_mask=mask[repeats], past_key_values=cache,
        top_k=0, top_p=1.0, **how,
    )  # fmt: skip
    said: list[list[int]] = out[:, width:].tolist()
    return said


def prompt_tokens(tokenizer: Any, messages: list[dict[str, str]]) -> list[int]:
    """Return the tokens of a request in the model's chat template, up to the answer."""
    if tokenizer.chat_template is None:
        text = "\n\n".join(each["content"] for each in messages) + "\n\n"
    else:
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens
