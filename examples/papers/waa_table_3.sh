#!/bin/sh
# Table 3: success rate by input and model.
. "$(dirname "$0")/common.sh"
for see in waa-text waa-som waa-image-som waa-som-uia; do
    model "$see" --dialect waa --see "$see"
done
on_screen --agent demonstration # in place of people
pptarena runs compare "$OUT"
