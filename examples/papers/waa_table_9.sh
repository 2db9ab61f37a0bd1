#!/bin/sh
# Table 9: median time by input and model, several episodes concurrently.
. "$(dirname "$0")/common.sh"
for view in marks text; do
    model "waa-$view" --dialect waa --option "view=$view" --workers "${WORKERS:-2}"
done
python "$papers/effort.py" "$OUT"
