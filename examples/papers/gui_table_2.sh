#!/bin/sh
# Table 2: success rate, score and steps of models and people, by difficulty.
. "$(dirname "$0")/common.sh"
on_screen --agent demonstration # in place of people, whose episodes `pptarena play` stores
model computer-use --dialect json
pptarena runs compare "$OUT"
