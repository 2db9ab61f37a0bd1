#!/bin/sh
# Tables 1 and 3: agreement of scores with graded submissions.
. "$(dirname "$0")/common.sh"
root=$(cd "$papers/../.." && pwd)
PYTHONPATH=$root${PYTHONPATH:+:$PYTHONPATH} python -m tools.meta_eval --task meridian-hide-backup
