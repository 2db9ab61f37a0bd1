"""A vision-language model with random weights, to test model servers without a download.

scripts/test-trainer --setup local-model      # creates .venv-local-model
.venv-local-model/bin/python tools/tiny_vision_model.py runs/tiny-model
.venv-local-model/bin/transformers serve runs/tiny-model --device cpu --port 8000

It is a Llava with 260,000 parameters. Given a picture and a text, it answers with a random action
of the dialect "json", and one time in nine with a text that is not an action. Its tokenizer works
on bytes, so it accepts every text. Each action is a single token, and only these tokens are
generated.
"""

import argparse
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CLIPVisionConfig,
    GenerationConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

PICTURE_PX, PATCH_PX = 224, 16
END = "<|end|>"
ROLES = ("<|system|>", "<|user|>", "<|assistant|>", "<image>")
CHAT = (
    "{% for message in messages %}<|{{ message.role }}|>"
    "{% if message.content is string %}{{ message.content }}{% else %}"
    "{% for part in message.content %}{% if part.type == 'image' %}<image>"
    "{% elif part.type == 'text' %}{{ part.text }}{% endif %}{% endfor %}{% endif %}"
    "<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
ANSWERS = (
    *(json.dumps({"kind": "click", "element": number}) for number in range(1, 25)),
    json.dumps({"kind": "double_click", "element": 12}),
    json.dumps({"kind": "type", "text": "Hello"}),
    json.dumps({"kind": "key", "keys": "Return"}),
    json.dumps({"kind": "key", "keys": "Escape"}),
    json.dumps({"kind": "key", "keys": "ctrl+z"}),
    json.dumps({"kind": "scroll", "element": 12, "amount": 3}),
    json.dumps({"kind": "wait", "amount": 1}),
    json.dumps({"kind": "done"}),
    "I would click on the title first.",
    '{"kind": "click"',
    '{"kind": "swim"}',
    "```python\nprint('hello')\n```",
)


def tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer of all bytes, the chat markers, and the answers."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    byte_tokenizer = Tokenizer(
        models.BPE({character: index for index, character in enumerate(alphabet)}, [])
    )
    byte_tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    byte_tokenizer.decoder = decoders.ByteLevel()
    result = PreTrainedTokenizerFast(
        tokenizer_object=byte_tokenizer,
        pad_token="<pad>",
        eos_token=END,
        additional_special_tokens=list(ROLES),
        chat_template=CHAT,
    )
    result.add_tokens(list(ANSWERS))
    return result


def model(tokenizer: PreTrainedTokenizerFast) -> LlavaForConditionalGeneration:
    """Return the model, which generates one answer, then the end token."""
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
             "num_attention_heads": 4}  # fmt: skip
    vision = CLIPVisionConfig(**sizes, image_size=PICTURE_PX, patch_size=PATCH_PX)
    end_tokens = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    text = LlamaConfig(
        **sizes,
        **end_tokens,
        vocab_size=len(tokenizer),
        max_position_embeddings=65_536,
        bos_token_id=None,
    )
    result = LlavaForConditionalGeneration(
        LlavaConfig(
            vision_config=vision,
            text_config=text,
            image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
            vision_feature_select_strategy="default",
        )
    )
    first = tokenizer.convert_tokens_to_ids(ANSWERS[0])
    result.generation_config = GenerationConfig(
        **end_tokens,
        do_sample=True,
        begin_suppress_tokens=list(range(first)),
        sequence_bias=[
            [[token, tokenizer.eos_token_id], 1000.0] for token in range(first, len(tokenizer))
        ],
    )
    return result


def main() -> None:
    """Write the model to a folder."""
    parser = argparse.ArgumentParser(description="Make a tiny vision-language model.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    text_tokenizer = tokenizer()
    square = {"height": PICTURE_PX, "width": PICTURE_PX}
    processor = LlavaProcessor(
        CLIPImageProcessorPil(size=square, do_center_crop=False),
        text_tokenizer,
        patch_size=PATCH_PX,
        vision_feature_select_strategy="default",
        chat_template=CHAT,
        num_additional_image_tokens=1,
    )
    model(text_tokenizer).save_pretrained(options.folder)
    processor.save_pretrained(options.folder)


if __name__ == "__main__":
    main()
