#!/bin/sh
# Table 1: accuracy, tokens and calls by turn and session; Figure 4: by modality, and errors.
. "$(dirname "$0")/pptc.sh"
baselines --agent pptc-zero-shot --option temperature=0
pptarena runs rescore --as pptc "$RUNS"
