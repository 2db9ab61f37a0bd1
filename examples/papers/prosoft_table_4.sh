#!/bin/sh
# Table 4: visual grounding inputs, with time and tokens.
. "$(dirname "$0")/common.sh"
for view in marks both; do
    model "$view" --dialect json --option "view=$view"
done
pptarena runs compare "$OUT"
