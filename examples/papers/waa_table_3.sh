#!/bin/sh
# Table 3: success rate by input and model.
. "$(dirname "$0")/common.sh"
for view in screenshot marks text both; do
    model "waa-$view" --dialect waa --option "view=$view"
done
on_screen --agent demonstration # in place of people
pptarena runs compare "$OUT"
