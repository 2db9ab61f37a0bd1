#!/bin/sh
# Tables 9 and 11: what a model sees, and its system prompt.
. "$(dirname "$0")/common.sh"
SAMPLE=1
model set-of-marks --dialect osworld-som --see prosoft-som
pptarena report "$OUT" --out "$OUT/report.html"
cat "$(find "$OUT" -name model.json | head -n 1)"
