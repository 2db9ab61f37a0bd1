#!/bin/sh
# Table 5: all tasks.
. "$(dirname "$0")/common.sh"
pptarena tasks list --suite "$SUITE"
