#!/bin/sh
# Table 9: median time by input and model, several episodes concurrently.
. "$(dirname "$0")/common.sh"
for see in waa-som waa-text; do
    model "$see" --dialect waa --see "$see" --workers "${WORKERS:-2}"
done
python "$papers/effort.py" "$OUT"
