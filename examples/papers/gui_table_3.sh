#!/bin/sh
# Tables 1 and 3: agreement of scores with graded submissions.
. "$(dirname "$0")/common.sh"
python -m tools.meta_eval --task meridian-hide-backup
