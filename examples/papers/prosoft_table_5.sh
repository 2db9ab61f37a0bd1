#!/bin/sh
# Table 5: with and without a person's help. RUNS is a folder of episodes in which people helped
# (`pptarena run --live`); they are a row of their own.
. "$(dirname "$0")/common.sh"
model alone --dialect json
pptarena runs compare "$OUT" ${RUNS:+"$RUNS"}
