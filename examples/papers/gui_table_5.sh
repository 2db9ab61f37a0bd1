#!/bin/sh
# Table 5: tasks by difficulty; Figure 5: their numbers by edit type.
. "$(dirname "$0")/common.sh"
pptarena tasks list --suite "$SUITE"
pptarena tasks list --suite "$SUITE" --counts
