#!/bin/sh
# Table 3: success rate by observation and level.
. "$(dirname "$0")/common.sh"
model screenshot --dialect osworld-computer13 --see prosoft-screenshot
model screenshot-tree --dialect json --see prosoft-screenshot-a11y
model set-of-marks --dialect osworld-som --see prosoft-som
pptarena runs compare "$OUT"
