#!/bin/sh
# Table 2: planning and selection methods.
. "$(dirname "$0")/pptc.sh"
baselines --agent pptc-zero-shot --agent pptc-cot --agent pptc-content --agent pptc-api \
    --option temperature=0
baselines --agent pptc-tot --option temperature=0.7
pptarena runs rescore --as pptc "$RUNS"
