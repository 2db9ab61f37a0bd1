#!/bin/sh
# Table C: operations and slides per case, by category.
. "$(dirname "$0")/uiuc.sh"
python "$papers/cases_by_category.py" "$SUITE"
