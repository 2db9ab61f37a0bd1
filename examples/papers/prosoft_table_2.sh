#!/bin/sh
# Table 2: tasks, steps and time by level. RUNS is a folder of episodes by people.
. "$(dirname "$0")/common.sh"
pptarena tasks list --suite "$SUITE" --counts
[ -n "${RUNS:-}" ] || { RUNS=$OUT; on_screen --agent demonstration; }
pptarena runs compare "$RUNS"
