#!/bin/sh
# Tables 1 and 3: agreement of scores with graded submissions.
. "$(dirname "$0")/common.sh"
pptarena dev meta-eval --task meridian-hide-backup
