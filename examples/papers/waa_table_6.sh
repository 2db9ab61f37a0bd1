#!/bin/sh
# Tables 6 and 7: steps, success rate and difficulty of people, and their rank correlations.
# RUNS is a folder of episodes by people; without it, demonstrations and a model.
. "$(dirname "$0")/common.sh"
if [ -z "${RUNS:-}" ]; then
    RUNS=$OUT
    on_screen --agent demonstration
    model model --dialect json
fi
python "$papers/effort.py" "$RUNS"
