#!/bin/sh
# Table 2: examples of evaluation; here a task with its rubric.
. "$(dirname "$0")/common.sh"
pptarena tasks show "${TASK:-meridian-hide-backup}"
