#!/bin/bash
# Imitate, reinforce and measure: bash examples/llm/gpu_run.sh MODEL ROWS OUT [PROCESSES]
# Writes OUT/{sft,grpo}/ (models) and OUT/{untrained,imitated,reinforced}.jsonl (episodes).
# SEED, DEMOS, MINUTES (of reinforcement) and COUNT (tasks of a split) may be set.
set -eu
model=$1 rows=$2 out=$3 processes=${4:-16}
cd "$(dirname "$0")/../.."
mkdir -p "$out"
export TQDM_DISABLE=1 TRANSFORMERS_VERBOSITY=error PYTHONUNBUFFERED=1
measure() {  # name, model
  python3 -m examples.llm.evaluate --model "$2" --rows "$rows" --name "$1" --count "${COUNT:-300}" \
    --splits test-deck test-words test-operator --processes "$processes" \
    --batch 512 --out "$out/$1.jsonl"
}
measure untrained "$model"
python3 -m examples.llm.sft --model "$model" --rows "$rows" --out "$out/sft" --demos "${DEMOS:-400}" \
  --epochs 4 --batch 16 --rate 1e-3 --lora-rank 16 --seed "${SEED:-0}"
measure imitated "$out/sft"
python3 -m examples.llm.grpo --model "$out/sft" --rows "$rows" --out "$out/grpo" --rate 2e-4 --lora-rank 16 \
  --minutes "${MINUTES:-3}" --processes "$processes" --micro 32 --seed "${SEED:-0}"
measure reinforced "$out/grpo"
