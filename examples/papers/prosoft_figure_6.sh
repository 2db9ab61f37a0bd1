#!/bin/sh
# Figures 6 and 7: with domain knowledge, and by the length of the history.
. "$(dirname "$0")/common.sh"
model knowledge --dialect json --option knowledge=impress
for steps in 0 1 3 5; do
    model "history-$steps" --dialect json --option "history=$steps"
done
pptarena runs compare "$OUT"
