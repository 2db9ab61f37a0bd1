#!/bin/sh
# Table 4: visual grounding inputs, with time and tokens.
. "$(dirname "$0")/common.sh"
for see in prosoft-som prosoft-som-screenshot prosoft-som-screenshot-a11y; do
    model "$see" --dialect json --see "$see"
done
pptarena runs compare "$OUT"
