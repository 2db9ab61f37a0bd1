#!/bin/bash
# Imitate, reinforce and measure a language model: bash examples/llm/train.sh [OUT]
# Finished stages are skipped and an interrupted one continues, so the command can be repeated.
#
# Settings (environment variables):
#   MODEL     folder, Hugging Face name, GGUF file or smollm2 (default)
#   ROWS      rows that examples.llm.tasks wrote; made from the packaged decks if missing
#   SEEDS     "0 1"         seeds of imitation and reinforcement
#   REWARDS   "dense final solved"   rewards to compare
#   DEMOS     400           demonstrations
#   MINUTES   30            minutes of reinforcement for each seed and reward, and of sampling own answers
#   COUNT     200           held-out tasks of each split
#   DEPTH     2             most edits of a task; calls get rewards of their own from 2 on
#   PROCESSES               document environments (default: number of processors)
#   BATCH     16            answers sampled at a time; 512 on a GPU
set -eu
out=$(realpath -m "${1:-runs/llm}")
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3} model=${MODEL:-smollm2} rows=${ROWS:-$out/rows.jsonl}
processes=${PROCESSES:-$(nproc)} batch=${BATCH:-16}
mkdir -p "$out"
export TQDM_DISABLE=1 TRANSFORMERS_VERBOSITY=error PYTHONUNBUFFERED=1

pptarena() { "$python" -c 'from pptarena.cli import main; raise SystemExit(main())' "$@"; }

stage() {  # stage NAME COMMAND...: run a command once
    name=$1
    shift
    [ -e "$out/.$name.done" ] && return
    echo "== $name" >&2
    "$@"
    touch "$out/.$name.done"
}

measure() {  # measure NAME MODEL SEED
    stage "measure-$1-$3" "$python" -m examples.llm.evaluate --model "$2" --rows "$rows" --name "$1" \
        --seed "$3" --count "${COUNT:-200}" --splits test-deck test-words test-operator test-composition \
        --max-tokens 128 --processes "$processes" --batch "$batch" --resume --out "$out/$1-$3.jsonl"
}

if [ ! -e "$rows" ]; then
    stage generate pptarena generate --decks tasks/decks --depth "${DEPTH:-2}" --count 4300 --seed 39 \
        --workers "$processes" --prove file --out "$out/suite.jsonl"
    stage rows "$python" -m examples.llm.tasks --suite "$out/suite.jsonl" --out "$rows" --processes "$processes"
fi
measure untrained "$model" 0
for seed in ${SEEDS:-0 1}; do
    stage "sft-$seed" "$python" -m examples.llm.sft --model "$model" --rows "$rows" --out "$out/sft-$seed" \
        --demos "${DEMOS:-400}" --epochs 4 --batch 16 --rate 1e-3 --lora-rank 16 --seed "$seed" --resume
    measure imitated "$out/sft-$seed" "$seed"
    stage "answers-$seed" "$python" -m examples.llm.best_answers --model "$out/sft-$seed" --rows "$rows" \
        --skip "${DEMOS:-400}" --temperature 0.6 --minutes "${MINUTES:-30}" --processes "$processes" \
        --sample-batch "$batch" --max-tokens 128 --seed "$seed" --resume --out "$out/answers-$seed.jsonl"
    stage "own-$seed" "$python" -m examples.llm.sft --model "$out/sft-$seed" --rows "$out/answers-$seed.jsonl" \
        --out "$out/own-$seed" --epochs 4 --batch 16 --rate 5e-4 --lora-rank 16 --seed "$seed" --resume
    measure own-answers "$out/own-$seed" "$seed"
    for reward in ${REWARDS:-dense final solved}; do
        stage "grpo-$reward-$seed" "$python" -m examples.llm.grpo --model "$out/sft-$seed" --rows "$rows" \
            --out "$out/grpo-$reward-$seed" --reward "$reward" --rate 2e-4 --lora-rank 16 \
            --minutes "${MINUTES:-30}" --processes "$processes" --sample-batch "$batch" --max-tokens 128 \
            --seed "$seed" --resume
        measure "reinforced-$reward" "$out/grpo-$reward-$seed" "$seed"
    done
done
"$python" -m examples.llm.summary "$out"
