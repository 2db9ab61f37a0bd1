#!/bin/sh
# Table 3: success rate by observation and level.
. "$(dirname "$0")/common.sh"
model screenshot --dialect osworld-computer13 --option view=screenshot
model screenshot-tree --dialect json --option view=text
model set-of-marks --dialect osworld-som --option view=marks
pptarena runs compare "$OUT"
