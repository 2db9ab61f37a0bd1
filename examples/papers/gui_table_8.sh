#!/bin/sh
# Table 8: variance of the scores of a run over five judgments.
. "$(dirname "$0")/common.sh"
TASK=${TASK:-clinic-in-short} # a task that a judge scores in part
pptarena run --env doc --agent goal --task "$TASK" --out "$OUT"
pptarena runs rescore "$OUT" --judge "$JUDGE" --repeats 5
