#!/bin/sh
# Tables 7 and 10: the record of a task.
. "$(dirname "$0")/common.sh"
pptarena tasks show "${TASK:-ledger-past-due}" --json
