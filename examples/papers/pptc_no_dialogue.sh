#!/bin/sh
# Section 5.3: turns with and without the earlier conversation.
. "$(dirname "$0")/pptc.sh"
for history in 8 0; do
    pptarena run --env doc --suite "$OUT/turn" --agent pptc-zero-shot --model "$MODEL" \
        --base-url "$BASE_URL" --out "$RUNS" --option temperature=0 \
        --option "history=$history" --option "name=history-$history"
done
pptarena runs rescore --as pptc "$RUNS"
